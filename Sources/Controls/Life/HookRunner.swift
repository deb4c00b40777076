public import Engine
public import Graphs
import OSC
import System

/// Does what the hooks of a graph ask for. [control]
///
/// Nothing here waits: commands go where those of the control port go, messages to other programs leave as datagrams of
/// sockets that never block, and names of hosts are looked up on threads of their own. A message to a host that has not
/// been found is kept for a while.
public final class HookRunner {
  /// How often the hook of one event may run: so many times at once after a rest, then once in so many seconds. So hooks
  /// that trigger each other in a circle end up slow.
  static let (burst, rest) = (10.0, 6.0)
  /// For how long a message is kept whose host has not been found, in seconds, and how many are at most.
  static let (patience, mostKept) = (10.0, 100)
  /// Between two words about what is left out, and between two looks at those who are sent to, in seconds.
  private static let (silence, pause) = (60.0, 1.0)
  /// What receivers are listed as beside the targets of nodes.
  public static let id = "hooks"

  /// A message whose host has not been found.
  private struct Kept {
    let packet: [UInt8]
    let endpoint: Endpoint
    /// When it is given up, in seconds.
    let end: Double
    let refused: CommandRouter.Refusal
  }

  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let isReplay: Bool
  private let makeTarget: (Endpoint) -> Target
  private var hooks = ShowHooks()
  private var targets: [Endpoint: Target] = [:]
  /// The newest message to each of them, as the graph has it.
  private var newest: [Endpoint: String] = [:]
  private var nextLook = -Double.infinity
  /// In the order in which they were sent.
  private var kept: [Kept] = []
  private var rates: [LifeEvent: TokenBucket] = [:]
  private var nextWord = -Double.infinity

  /// - Parameters:
  ///   - router: where commands go.
  ///   - folders: where files may lie that messages name.
  ///   - isReplay: whether a recording steers the show, and hooks only tell other programs.
  public convenience init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, isReplay: Bool = false
  ) {
    self.init(show, router, folders, isReplay: isReplay) { Target($0) }
  }

  init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, isReplay: Bool,
    target: @escaping (Endpoint) -> Target
  ) {
    makeTarget = target
    self.show = show
    self.router = router
    self.folders = folders
    self.isReplay = isReplay
  }

  // A name server that does not answer is not waited for.
  deinit { for target in targets.values { target.close(within: 0) } }

  /// The hooks from now on; begins to find the hosts that they send to.
  public func take(_ hooks: ShowHooks) {
    self.hooks = hooks
    for (endpoint, target) in targets where !hooks.endpoints.contains(endpoint) {
      target.close(within: 0)
      targets[endpoint] = nil
    }
    for endpoint in hooks.endpoints where targets[endpoint] == nil {
      targets[endpoint] = makeTarget(endpoint)
    }
    report()
  }

  /// States how things stand with those who are sent to.
  private func report() {
    show.report(
      others: targets.sorted { "\($0.key)" < "\($1.key)" }.map { endpoint, target in
        let status = target.status
        return NodeReport(
          id: Self.id, target: "\(endpoint)", state: "\(status)", isWell: status.state.isWell,
          sent: status.sent,
          held: 0, failed: status.failed + status.refusals, sample: newest[endpoint] ?? "")
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
    kept.removeAll { message in
      guard let target = targets[message.endpoint] else {
        message.refused(.value("it could not be sent: the graph has no hook any more that sends there"))
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

  /// Something has happened at a time, in seconds of a clock that only goes forward: has done what the hook asks for.
  /// `tell` is told, by any thread, what cannot be done.
  public func run(_ event: LifeEvent, at time: Double, tell: @escaping @Sendable (String) -> Void) {
    let actions = hooks[event]
    guard !actions.isEmpty else { return }
    look(at: time)
    guard rates[event, default: TokenBucket(perSecond: 1 / Self.rest, atOnce: Self.burst)].take(at: time)
    else {
      if time >= nextWord {
        nextWord = time + Self.silence
        tell(
          "hook \(event.rawValue): left out, as it has run \(Int(Self.burst)) times in a short while; hooks that set "
            + "each other off in a circle run every \(Int(Self.rest)) s at most")
      }
      return
    }
    for action in actions {
      let refused: CommandRouter.Refusal = { fault in
        tell("hook \(event.rawValue): \(action.source): \(fault.description)")
      }
      if let endpoint = action.text.endpoint {
        // Behind the end nobody looks any more.
        newest[endpoint] = action.source
        send(
          action.text.message, to: endpoint, until: event == .end ? time : time + Self.patience, at: time,
          refused)
        continue
      }
      if isReplay { continue }
      do throws(ControlError) {
        let view = CommandReader(show, folders).view
        for command in try ShowMessages.commands(action.text.message, in: view) {
          router.perform(command, refused: refused)
        }
      } catch {
        refused(error)
      }
    }
  }

  private func send(
    _ message: Message, to endpoint: Endpoint, until end: Double, at time: Double,
    _ refused: @escaping CommandRouter.Refusal
  ) {
    guard let target = targets[endpoint], let packet = try? message.packet() else { return }
    let before = target.status
    packet.withUnsafeBytes { target.send($0) }
    let now = target.status
    if now.dropped > before.dropped, end > time, kept.count < Self.mostKept {
      kept.append(Kept(packet: packet, endpoint: endpoint, end: end, refused: refused))
    } else if now.sent == before.sent {
      refused(Self.unsent(now))
    }
  }

  private static func unsent(_ status: TargetStatus) -> ControlError {
    .value("it could not be sent: \(status)")
  }
}
