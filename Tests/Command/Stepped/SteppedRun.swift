import Engine
import Foundation
import System
import TestSupport

@testable import Controls
@testable import OSC
@testable import visgraph

/// A live run of the command in the process of the tests, which a test advances frame by frame: its engine, its frame
/// nodes and its control thread take turns, and nothing waits for a clock. What is sent acts in the frame that comes
/// next. [one]
final class SteppedRun {
  /// A message that an output has sent.
  struct Sent: Sendable {
    /// The frame in which it was sent, from 1.
    let frame: Int
    let address: String
    let values: [Argument]

    /// The first value, if it is a float.
    var float: Float? { if case .float(let value)? = values.first { value } else { nil } }
  }

  private let command: SteppedCommand
  private var feedback = Feedback([])
  private var poller: ShowPoller?
  private var health = ShowHealth()
  /// What subscribers were sent, one after another.
  private(set) var feedbackMessages: [Message] = []

  /// Begins a run with the arguments of the command, up to its first frame; the time of day is `second`, in seconds
  /// since 1970, and local time is `offset` seconds ahead. OSC of outputs goes to the network, or is kept here where
  /// `keepsPackets`. A run that ends before has its exit code.
  init(
    command arguments: [String], keepsPackets: Bool = true, second: Int = 1_000_000_000, offset: Int = 0
  ) throws {
    command = try SteppedCommand(
      arguments, SteppedClock(second: second, offset: offset), keepsPackets: keepsPackets)
  }

  /// Runs a graph by its path, without a control port, with further arguments.
  convenience init(_ graph: String, _ more: String..., second: Int = 1_000_000_000, offset: Int = 0) throws {
    try self.init(command: ["run", graph, "--control", "off"] + more, second: second, offset: offset)
  }

  deinit { _ = end() }

  private var run: LiveRun? { command.state.withLock { $0.run } }

  /// The exit code; nil: the run goes on.
  var exitCode: Int32? { command.state.withLock { $0.code } }
  /// All that it has written to stdout.
  var results: String { command.state.withLock { $0.results } }
  /// All that it has written to stderr.
  var notes: String { command.state.withLock { $0.notes } }
  /// The frames that have ended.
  var frame: Int { command.state.withLock { $0.frame } }
  /// The reasons of all refusals so far, each with its code.
  var refusals: [String] { command.state.withLock { $0.refusals } }
  /// The codes of all refusals so far.
  var codes: [String] { refusals.map { String($0.split(separator: "[").last?.dropLast() ?? "") } }

  /// How often a text stands in what it has written.
  func count(of text: String) -> Int { notes.components(separatedBy: text).count - 1 }

  /// Whether it has written a text, so many times at least.
  func says(_ text: String, times: Int = 1) -> Bool { count(of: text) >= times }

  /// The messages of outputs to an address, oldest first.
  func sent(to address: String) -> [Sent] {
    command.state.withLock { $0.sent }.filter { $0.address == address }
  }

  /// The floats of these from a frame on.
  func floats(_ address: String, from frame: Int = 0) -> [Float] {
    sent(to: address).filter { $0.frame >= frame }.compactMap(\.float)
  }

  /// The last float that was sent to an address.
  func last(_ address: String) -> Float? { sent(to: address).last?.float }

  /// The newest level of a column, such as `meter.peak/1`.
  func level(_ column: String) -> Float {
    guard let plan = run?.show.plan, let number = plan.frames.levelNumbers[column] else { return .nan }
    return plan.frames.levels[number]
  }

  // MARK: - Steps

  /// Lets the control thread do what there is to do; no time passes.
  func round() throws { try command.round() }

  /// Runs so many frames, with a round of the control thread before each.
  func frames(_ count: Int) throws {
    for _ in 0..<count {
      try round()
      guard let run, let host = command.state.withLock({ $0.host }) else { return }
      command.state.withLock { $0.frame += 1 }
      command.clock.pass(host.runFrame())
      report(run)
    }
  }

  /// Runs frames until something holds, at most so many; gives how many they were, nil: it did not hold.
  func frames(atMost most: Int, until condition: () -> Bool) throws -> Int? {
    for count in 0...most {
      if condition() { return count }
      try frames(1)
    }
    return nil
  }

  /// Runs so many frames; gives the level of a column in each.
  func levels(_ column: String, frames count: Int) throws -> [Float] {
    try (0..<count).map { _ in
      try frames(1)
      return level(column)
    }
  }

  /// Sets by how much local time is ahead of UTC, in seconds.
  func setOffset(_ offset: Int) { command.clock.offset = offset }

  /// Reads the graph again, as SIGHUP asks for.
  func reload() throws {
    run?.signals.askReload()
    try round()
  }

  /// Ends the run, and gives the exit code.
  func end() -> Int32 {
    run?.signals.finish()
    while exitCode == nil { do { try round() } catch { return -1 } }
    return exitCode ?? -1
  }
}

/// What comes to the control port, and what it answers. [one]
extension SteppedRun {
  /// Sends a message, and lets the control thread carry it out.
  func send(_ address: String, _ arguments: Argument...) throws {
    try send([Message(address, arguments: arguments)])
  }

  /// Sends messages that come together.
  func send(_ messages: [Message]) throws {
    guard let run else { return }
    let folders = AllowedFolders(run.options.folders)
    for message in messages {
      let refuse: @Sendable (ControlError) -> Void = { [command] fault in
        command.state.withLock { $0.refusals.append("\(fault.description) [\(fault.code)]") }
      }
      do throws(ControlError) {
        for request in try CommandReader(run.show, folders).requests(message) {
          switch request {
          case .command(let command): run.router.perform(command, refused: refuse)
          case .subscribe(let pattern, let rate, let lease):
            try feedback.subscribe(
              Self.subscriber, pattern, rate: rate, lease: lease, at: command.clock.seconds)
          case .unsubscribe(let pattern): feedback.unsubscribe(Self.subscriber, pattern)
          case .status, .key, .proof, .pair: break
          }
        }
      } catch { refuse(error) }
    }
    // Files are opened on threads of their own.
    _ = poll(within: 60) { !run.show.players.contains { run.router.openings.isBusy($0.id) } }
    try round()
  }

  /// What `/visgraph/status` answers.
  func status() -> [Message] {
    guard let run else { return [] }
    let host = run.services.hostFacts
    return StatusAnswer.messages(
      ShowLook(
        show: run.show, host: host, health: health.report(run.show, host, at: command.clock.seconds),
        fades: run.router.fades.snapshot, scene: run.router.scenes.now, cue: run.router.cues.now,
        life: run.router.life.now))
  }

  /// The arguments of the last message of the status with this address, below `/visgraph/status/`.
  func status(_ fact: String) -> [Argument]? {
    status().last { $0.address == "/visgraph/status/\(fact)" }?.arguments
  }

  /// The arguments of the newest message that subscribers were sent to an address.
  func fed(_ address: String) -> [Argument]? {
    feedbackMessages.last { $0.address == address }?.arguments
  }

  private static let subscriber = PacketPeer(
    way: .datagrams, socketAddress: SocketAddress(.loopback, port: 1))

  fileprivate func report(_ run: LiveRun) {
    guard feedback.isNeeded else { return }
    var poller =
      self.poller
      ?? ShowPoller(run.show, run.router, { [services = run.services] in services.hostFacts }) {
        [seen = run.seen] in seen.newest
      }
    let time = command.clock.seconds
    _ = feedback.report(
      at: time, { state in poller.poll(&state, at: time) { health.report(run.show, $0, at: time) } },
      { packet, _ in feedbackMessages += (try? PacketReader().read(packet))?.messages ?? [] })
    self.poller = poller
  }
}
