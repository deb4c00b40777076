public import Engine
public import Graphs
import OSC
import System

/// Sends the messages of hooks, cues and alarms to other programs. [control]
///
/// Nothing here waits: messages leave as datagrams of sockets that never block, and names of hosts are looked up on threads
/// of their own. A message to a host that has not been found is kept for a while. While another machine sends, which sends
/// the same messages, all of them are left out.
public final class MessageSender {
  /// For how long a message is kept whose host has not been found, in seconds, and how many are at most.
  static let (timeout, mostKept) = (10.0, 100)
  /// Between two looks at those who are sent to, in seconds.
  private static let pause = 1.0

  /// A message whose host has not been found.
  private struct Kept {
    let packet: [UInt8]
    let endpoint: Endpoint
    /// When it is given up, in seconds.
    let end: Double
    let refused: GraphChange.Refusal
  }

  private let show: Show
  private let makeTarget: (Endpoint) -> Target
  private var targets: [Endpoint: Target] = [:]
  /// What receivers are listed as beside the targets of nodes: what of the graph sends to them.
  private var senders: [Endpoint: String] = [:]
  /// The newest message to each of them, as the graph has it.
  private var newest: [Endpoint: String] = [:]
  private var nextLook = -Double.infinity
  /// In the order in which they were sent.
  private var kept: [Kept] = []

  /// Has no receiver yet.
  public convenience init(_ show: Show) {
    self.init(show) { Target($0) }
  }

  init(_ show: Show, target: @escaping (Endpoint) -> Target) {
    self.show = show
    makeTarget = target
  }

  // A name server that does not answer is not waited for.
  deinit { for target in targets.values { target.close(within: 0) } }

  /// The receivers from now on, those of a graph; begins to find their hosts.
  public func take(_ hooks: ShowHooks, cues: [ShowCue] = [], alarms: [ShowAlarm] = []) {
    let timed = alarms.map { ($0.action, "clock") } + cues.map { ($0.action, "cues") }
    senders = [:]
    for (action, id) in timed {
      for endpoint in action.messages.compactMap(\.endpoint) { senders[endpoint] = id }
    }
    for endpoint in hooks.endpoints { senders[endpoint] = "hooks" }
    for (endpoint, target) in targets where senders[endpoint] == nil {
      target.close(within: 0)
      targets[endpoint] = nil
    }
    for endpoint in senders.keys where targets[endpoint] == nil { targets[endpoint] = makeTarget(endpoint) }
    report()
  }

  /// States how things stand with those who are sent to.
  private func report() {
    show.report(
      others: targets.sorted { "\($0.key)" < "\($1.key)" }.map { endpoint, target in
        let status = target.status
        return NodeReport(
          id: senders[endpoint] ?? "cues", target: "\(endpoint)", state: "\(status)",
          isWell: status.state.isWell, sent: status.sent, held: 0, failed: status.failed + status.refusals,
          sample: newest[endpoint] ?? "")
      })
  }

  /// Sends what was kept for hosts that have been found, and gives up what was kept too long at a time in seconds; to be
  /// called now and then.
  public func look(at time: Double) {
    if time >= nextLook {
      nextLook = time + Self.pause
      for target in targets.values { target.look() }
      report()
    }
    if show.gate.isHeld { kept = [] }
    kept.removeAll { message in
      guard let target = targets[message.endpoint] else {
        message.refused(.value("it could not be sent: nothing of the graph sends there any more"))
        return true
      }
      if target.timesReady > 0 {
        message.packet.withUnsafeBytes { target.send($0) }
      } else if time >= message.end {
        message.refused(Self.unsent(target.status))
      } else {
        return false
      }
      return true
    }
  }

  /// Sends messages now.
  public func send(_ messages: [OutsideMessage], refused: @escaping GraphChange.Refusal) {
    for message in messages { send(message, at: MonotonicClock.seconds, refused: refused) }
  }

  /// Sends a message at a time in seconds, or keeps it until its host is found.
  ///
  /// - Parameters:
  ///   - isLast: whether this is the last look, after which nothing is kept.
  ///   - refused: told what cannot be sent.
  public func send(
    _ message: OutsideMessage, at time: Double, isLast: Bool = false,
    refused: @escaping GraphChange.Refusal
  ) {
    guard !show.gate.isHeld, let packet = try? message.message.packet() else { return }
    let endpoint = message.endpoint
    newest[endpoint] = message.source
    // A graph that has just come may have its first cue before its receivers were taken.
    let target = targets[endpoint] ?? makeTarget(endpoint)
    targets[endpoint] = target
    let before = target.status
    packet.withUnsafeBytes { target.send($0) }
    let now = target.status
    if now.dropped > before.dropped, !isLast, kept.count < Self.mostKept {
      kept.append(Kept(packet: packet, endpoint: endpoint, end: time + Self.timeout, refused: refused))
    } else if now.sent == before.sent {
      refused(Self.unsent(now))
    }
  }

  private static func unsent(_ status: TargetStatus) -> ControlError {
    .value("it could not be sent: \(status)")
  }
}
