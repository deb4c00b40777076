public import Engine
public import Graphs
import OSC
import System

/// Performs the messages of a graph's hooks. [control]
///
/// Nothing here waits: commands go to the router, messages to other programs to the `MessageSender`.
public final class HookRunner {
  /// The rate limit of one event's hook: `burst` times at once after a rest, then once every `rest` seconds. It slows
  /// down hooks that trigger each other in a loop.
  static let (burst, rest) = (10.0, 6.0)
  /// The least time between two reports of hooks that are left out, in seconds.
  private static let reportInterval = 60.0

  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let isReplay: Bool
  private let sender: MessageSender
  private var hooks = ShowHooks()
  private var rates: [LifeEvent: TokenBucket] = [:]
  private var nextReport = -Double.infinity

  /// - Parameters:
  ///   - router: performs the commands.
  ///   - folders: the folders in which files lie that messages may name.
  ///   - isReplay: whether a recording plays back, so that hooks only send to other programs.
  ///   - sender: sends the messages to other programs; its owner calls `look`.
  public init(
    _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, isReplay: Bool = false,
    sender: MessageSender
  ) {
    self.show = show
    self.router = router
    self.folders = folders
    self.isReplay = isReplay
    self.sender = sender
  }

  /// Replaces the hooks.
  public func take(_ hooks: ShowHooks) { self.hooks = hooks }

  /// Runs the hook of an event. `time`: seconds of a clock that only goes forward. `tell` takes, on any thread, the
  /// reason for each message that is refused.
  public func run(_ event: LifeEvent, at time: Double, tell: @escaping @Sendable (String) -> Void) {
    let actions = hooks[event]
    guard !actions.isEmpty else { return }
    sender.sendKept(at: time)
    guard rates[event, default: TokenBucket(perSecond: 1 / Self.rest, atOnce: Self.burst)].take(at: time)
    else {
      if time >= nextReport {
        nextReport = time + Self.reportInterval
        tell(
          "hook \(event.rawValue): left out, as it has run \(Int(Self.burst)) times in a short while; hooks that trigger "
            + "each other in a loop run every \(Int(Self.rest)) s at most")
      }
      return
    }
    for action in actions {
      let refused: GraphChange.Refusal = { fault in
        tell("hook \(event.rawValue): \(action.source): \(fault.description)")
      }
      if let message = OutsideMessage(action.text, source: action.source) {
        // After the end no look sends what was kept.
        sender.send(message, at: time, isLast: event == .end, refused: refused)
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
}
