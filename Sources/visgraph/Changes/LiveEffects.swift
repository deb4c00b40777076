import Controls
import Engine
import Graphs
import System

/// Applies changes to a live show: settings to the running plan; a new graph by a new plan for the current host.
/// [control]
final class LiveEffects: ChangeEffects {
  private let show: Show
  private let signals: StopSignals
  private let demand: LevelDemand
  private let packets: StreamConfiguration.Packets
  private let host: Locked<(any Host)?>

  /// `host` holds the current host; it is set before the first change.
  init(
    _ show: Show, _ signals: StopSignals, _ demand: LevelDemand, packets: StreamConfiguration.Packets,
    host: Locked<(any Host)?>
  ) {
    (self.show, self.signals, self.demand, self.packets, self.host) = (show, signals, demand, packets, host)
  }

  /// The configuration of plans for a host.
  func configuration(_ host: any Host) -> StreamConfiguration {
    StreamConfiguration(
      sampleRate: host.rate, isRealTime: !host.runsFrames, packets: packets, dimmer: show.dimmer,
      gate: show.gate,
      transport: show.transport, demand: demand, timing: show.timing)
  }

  func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> {
    show.set(nodes, as: graph, at: number)
  }

  func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
    guard let host = host.withLock({ $0 }) else {
      throw .graph(code: "cannot-run", "nothing runs the show yet", notes: [])
    }
    do {
      // Waits for the callback to take the plan, unless the show is to end or nothing waits for frames of this host.
      try show.change(
        to: graph, configuration(host), host: host, fade: seconds,
        while: { !signals.isAsked && !host.runsFrames })
    } catch {
      throw .graph(code: "cannot-run", startErrorText(error), notes: [])
    }
  }
}
