public import Engine
public import Graphs
import OSC
import System

/// Does what the hooks of a graph ask for. [control]
///
/// Nothing here waits: commands go where those of the control port go, messages to other programs by the `MessageSender`.
public final class HookRunner {
  /// How often the hook of one event may run: so many times at once after a rest, then once in so many seconds. So hooks
  /// that trigger each other in a circle end up slow.
  static let (burst, rest) = (10.0, 6.0)
  /// Between two words about what is left out, in seconds.
  private static let silence = 60.0

  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let isReplay: Bool
  private let sender: MessageSender
  private var hooks = ShowHooks()
  private var rates: [LifeEvent: TokenBucket] = [:]
  private var nextWord = -Double.infinity

  /// - Parameters:
  ///   - router: where commands go.
  ///   - folders: where files may lie that messages name.
  ///   - isReplay: whether a recording steers the show, and hooks only send to other programs.
  ///   - sender: where messages to other programs go; it is looked at by its owner.
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

  /// The hooks from now on.
  public func take(_ hooks: ShowHooks) { self.hooks = hooks }

  /// Something has happened at a time, in seconds of a clock that only goes forward: has done what the hook asks for.
  /// `tell` is called, by any thread, with what cannot be done.
  public func run(_ event: LifeEvent, at time: Double, tell: @escaping @Sendable (String) -> Void) {
    let actions = hooks[event]
    guard !actions.isEmpty else { return }
    sender.look(at: time)
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
      let refused: GraphChange.Refusal = { fault in
        tell("hook \(event.rawValue): \(action.source): \(fault.description)")
      }
      if let message = OutsideMessage(action.text, source: action.source) {
        // After the end nothing is looked at any more.
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
