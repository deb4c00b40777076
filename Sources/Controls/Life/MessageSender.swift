public import Engine
public import Graphs
import OSC
import System

/// Sends the messages of hooks, cues and alarms to other programs. [control]
///
/// Nothing here waits: sockets never block, and host names are resolved on threads of their own. A message to a host
/// that is not resolved yet, or by a TCP connection that is lost, is kept for `timeout`. While the other machine of a
/// pair sends, it sends the same messages, so all are left out here.
public final class MessageSender {
  /// How long a message is kept while its host cannot be reached, in seconds, and how many are kept.
  static let (timeout, mostKept) = (10.0, 100)
  /// The least time between two looks at the targets, in seconds.
  private static let lookInterval = 1.0

  /// A message whose host is not resolved yet, or whose TCP connection is away.
  private struct Kept {
    let packet: [UInt8]
    let endpoint: Endpoint
    /// The time at which it is given up, in seconds.
    let end: Double
    let refused: GraphChange.Refusal
  }

  private let show: Show
  private let makeTarget: (Endpoint) -> Target
  private var targets: [Endpoint: Target] = [:]
  /// Under which id each receiver is reported, beside the targets of nodes: `hooks`, `cues` or `clock`.
  private var senders: [Endpoint: String] = [:]
  /// The newest message to each receiver, as the graph writes it.
  private var newest: [Endpoint: String] = [:]
  private var nextLook = -Double.infinity
  /// In the order of sending.
  private var kept: [Kept] = []

  /// Has no receivers yet.
  public convenience init(_ show: Show) {
    self.init(show) { Target($0) }
  }

  init(_ show: Show, target: @escaping (Endpoint) -> Target) {
    self.show = show
    makeTarget = target
  }

  // Does not wait for a name server.
  deinit { for target in targets.values { target.close(within: 0) } }

  /// Replaces the receivers by those of a graph, and starts to resolve their hosts.
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

  /// Reports the state of all receivers.
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

  /// Sends kept messages whose hosts are resolved now, and gives up those that were kept too long. Call it from time to
  /// time, with the time in seconds.
  public func sendKept(at time: Double) {
    if time >= nextLook {
      nextLook = time + Self.lookInterval
      for target in targets.values { target.look() }
      report()
    }
    if show.gate.isHeld { kept = [] }
    // Hosts to which an earlier message still waits.
    var waiting: Set<Endpoint> = []
    kept.removeAll { message in
      guard let target = targets[message.endpoint] else {
        message.refused(.value("it could not be sent: nothing of the graph sends there any more"))
        return true
      }
      if target.timesReady > 0, !waiting.contains(message.endpoint) {
        let before = target.status
        message.packet.withUnsafeBytes { target.send($0) }
        let now = target.status
        if now.sent > before.sent { return true }
        // A connection that is lost again drops the message, which then waits on.
        if now.dropped == before.dropped {
          message.refused(Self.unsent(now))
          return true
        }
      }
      guard time >= message.end else {
        waiting.insert(message.endpoint)
        return false
      }
      message.refused(Self.unsent(target.status))
      return true
    }
  }

  /// Sends messages at the present time.
  public func send(_ messages: [OutsideMessage], refused: @escaping GraphChange.Refusal) {
    // An earlier message to the same host comes first.
    if !kept.isEmpty { sendKept(at: MonotonicClock.seconds) }
    for message in messages { send(message, at: MonotonicClock.seconds, refused: refused) }
  }

  /// Sends a message at a time in seconds, or keeps it until its host can be reached.
  ///
  /// - Parameters:
  ///   - isLast: whether no look follows, so that nothing is kept.
  ///   - refused: takes the reason if the message cannot be sent.
  public func send(
    _ message: OutsideMessage, at time: Double, isLast: Bool = false,
    refused: @escaping GraphChange.Refusal
  ) {
    guard !show.gate.isHeld, let packet = try? message.message.packet() else { return }
    let endpoint = message.endpoint
    newest[endpoint] = message.source
    // The first cue of a new graph may come before `take` has its receivers.
    let target = targets[endpoint] ?? makeTarget(endpoint)
    targets[endpoint] = target
    if !isLast, kept.count < Self.mostKept, kept.contains(where: { $0.endpoint == endpoint }) {
      kept.append(Kept(packet: packet, endpoint: endpoint, end: time + Self.timeout, refused: refused))
      return
    }
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
