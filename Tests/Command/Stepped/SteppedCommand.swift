import Engine
import OSC
import System
import TestSupport

@testable import visgraph

/// The thread that carries out the command of a stepped run, and what it leaves behind. Its control thread and the test
/// take turns: one of them runs at a time. [any]
final class SteppedCommand: Sendable {
  /// What is known of the run.
  struct State {
    /// The exit code; nil: it runs.
    var code: Int32?
    /// What it has written to stdout and to stderr.
    var (results, notes) = ("", "")
    /// The frames that have begun.
    var frame = 0
    /// The messages of its outputs.
    var sent: [SteppedRun.Sent] = []
    /// The reasons of refusals.
    var refusals: [String] = []
    /// The run, while it goes on.
    var run: LiveRun?
    /// Its host, once it has one.
    var host: SteppedHost?
  }

  let state = Locked(State())
  let clock: SteppedClock
  /// Posted when the control thread may go on, and when it waits again or has ended.
  private let (turn, rest) = (Semaphore(), Semaphore())

  /// Starts the thread; packets go to the network, or are read here where `keepsPackets`.
  init(_ arguments: [String], _ clock: SteppedClock, keepsPackets: Bool) throws {
    self.clock = clock
    var pace = RunPace()
    pace.seconds = { clock.seconds }
    pace.second = { clock.second }
    pace.local = { $0 + clock.offset }
    pace.steps = RunPace.Steps(
      host: { [self] show, rate in
        let host = SteppedHost(show, rate)
        state.withLock { $0.host = host }
        return host
      },
      packets: keepsPackets ? .score { [self] in take(Array($1)) } : .network,
      wait: { [self] run in
        state.withLock { $0.run = run as? LiveRun }
        rest.post()
        _ = turn.wait(seconds: 3600)
      })
    let context = CommandContext(
      output: { [self] text, descriptor in
        state.withLock { if descriptor == 1 { $0.results += text } else { $0.notes += text } }
      },
      takesSignals: false, pace: pace)
    // With the stack that the main thread of a program has.
    _ = try System.Thread("command", as: System.Thread.Options(stackSize: 8 << 20)) { [self] in
      CommandContext.$current.withValue(context) {
        let code = Command.perform(arguments)
        state.withLock { ($0.code, $0.run, $0.host) = (code, nil, nil) }
      }
      rest.post()
    }
    try waitForRest()
  }

  /// Lets the control thread do what there is to do.
  func round() throws {
    if state.withLock({ $0.code }) != nil { return }
    turn.post()
    try waitForRest()
  }

  private func waitForRest() throws {
    guard poll(within: 60, until: { rest.wait(seconds: 5) }) else {
      throw Child.Failure(description: "the stepped run hangs; it says: \(state.withLock { $0.notes })")
    }
  }

  private func take(_ packet: [UInt8]) {
    let messages = (try? PacketReader().read(packet))?.messages ?? []
    state.withLock { state in
      state.sent += messages.map {
        SteppedRun.Sent(frame: state.frame, address: $0.address, values: $0.arguments)
      }
    }
  }
}
