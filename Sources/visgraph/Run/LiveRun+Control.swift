import Controls
import Graphs
import Hosts
import OSC
import Synchronization
import System

/// The control port of a run.
extension LiveRun {
  /// Opens the port that the command line or the graph asks for.
  func openControl(_ record: ControlRecord?) throws -> ControlPort? {
    do {
      return try ControlPort.open(
        options.control, show: show, desk: desk, folders: AllowedFolders(options.folders),
        host: { [weak self] in self?.hostFacts ?? HostFacts(name: "", rate: 0, timeline: 0) },
        levels: { [seen] in seen.newest },
        told: { [portLog] event in
          portLog.add(event, at: MonotonicClock.seconds)
          record?.add(event)
        })
    } catch {
      switch (options.control.listen, error) {
      case (.at(let address), .portTaken):
        throw Fault(
          description: """
            the control \(error), probably by another visgraph\(address.port == ControlPort.standard ? " or by olad" : ""); \
            take another with --control PORT, or --control off
            """)
      case (.at, _):
        throw Fault(description: "the control \(error); take another with --control PORT, or --control off")
      default:
        // Nobody has asked for it, so the lights come first.
        log.note("no control port: \(error)", .warning)
        return nil
      }
    }
  }

  /// Opens the file that keeps all that comes to the port.
  func openRecord() throws -> ControlRecord? {
    do { return try options.logControl.map(ControlRecord.init) } catch {
      throw Fault(description: "--log-control \(error)")
    }
  }

  /// Tells what has happened at the port, and to the file that keeps it.
  func tellOfControl(_ record: ControlRecord?, at time: Double) {
    if let line = record?.news(at: time) { log.note(line, .fault) }
    for line in portLog.takeLines(at: time) {
      log.note(DisplayedText.safe(line.text), line.isWarning ? .warning : .note)
    }
  }

  private var hostFacts: HostFacts {
    var facts = HostFacts(
      name: host is JackHost ? "jack" : "clock", rate: host?.rate ?? 0, timeline: seen.timeline)
    facts.version = Command.version
    facts.started = started.text
    facts.running = MonotonicClock.seconds - started.seconds
    if let status = (host as? JackHost)?.status {
      if !status.hasServer { facts.faults.append("no JACK server is there") }
      if status.isStalled { facts.faults.append("the JACK server does not answer") }
    }
    if isClockInstead.load(ordering: .relaxed), !(host is JackHost) {
      facts.faults.append("no JACK server answers: a timer turns the crank, and nobody hears the sound")
    }
    return facts
  }
}
