public import Engine
public import Graphs
import OSC
import System

/// Does what the hooks of a graph ask for. [control]
///
/// Nothing here waits: commands go where those of the control port go, messages to other programs leave as datagrams of
/// sockets that never block, and names of hosts are looked up beforehand on threads of their own.
public final class HookRunner {
  /// How often the hook of one event may run: so many times at once after a rest, then once in so many seconds. So hooks
  /// that trigger each other in a circle end up slow.
  static let (burst, pause) = (10.0, 6.0)
  /// Between two words about that, in seconds.
  private static let silence = 60.0

  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let isReplay: Bool
  private var hooks = ShowHooks()
  private var targets: [Endpoint: Target] = [:]
  private var rates: [LifeEvent: TokenBucket] = [:]
  private var nextWord = -Double.infinity

  /// - Parameters:
  ///   - router: where commands go.
  ///   - folders: where files may lie that messages name.
  ///   - isReplay: whether a recording steers the show, and hooks only tell other programs.
  public init(_ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, isReplay: Bool = false) {
    self.show = show
    self.router = router
    self.folders = folders
    self.isReplay = isReplay
  }

  deinit { for target in targets.values { target.close() } }

  /// The hooks from now on; finds the hosts that they send to.
  public func take(_ hooks: ShowHooks) {
    self.hooks = hooks
    for (endpoint, target) in targets where !hooks.endpoints.contains(endpoint) {
      target.close()
      targets[endpoint] = nil
    }
    for endpoint in hooks.endpoints where targets[endpoint] == nil { targets[endpoint] = Target(endpoint) }
  }

  /// Something has happened at a time, in seconds of a clock that only goes forward: has done what the hook asks for.
  /// `tell` is told, by any thread, what cannot be done.
  public func run(_ event: LifeEvent, at time: Double, tell: @escaping @Sendable (String) -> Void) {
    let actions = hooks[event]
    guard !actions.isEmpty else { return }
    guard rates[event, default: TokenBucket(perSecond: 1 / Self.pause, atOnce: Self.burst)].take(at: time)
    else {
      if time >= nextWord {
        nextWord = time + Self.silence
        tell(
          "hook \(event.rawValue): left out, as it has run \(Int(Self.burst)) times in a short while; hooks that set "
            + "each other off in a circle run every \(Int(Self.pause)) s at most")
      }
      return
    }
    for action in actions {
      let refused: CommandRouter.Refusal = { fault in
        tell("hook \(event.rawValue): \(action.source): \(fault.description)")
      }
      if let endpoint = action.text.endpoint {
        send(action.text.message, to: endpoint, refused)
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

  private func send(_ message: Message, to endpoint: Endpoint, _ refused: CommandRouter.Refusal) {
    guard let target = targets[endpoint], let packet = try? message.packet() else { return }
    let before = target.status
    packet.withUnsafeBytes { target.send($0) }
    let now = target.status
    if now.sent == before.sent { refused(.value("it could not be sent: \(now)")) }
  }
}
