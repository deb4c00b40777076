import Playback

/// Keys of the player with one purpose: the action of each, and their line on the page of help. [control]
///
/// `all` is the only list of the player's keys: `PlayerKeys` acts by it, and `PlayerHelp` shows it.
struct PlayerBinding: Sendable {
  /// The result of a key.
  enum Request: Equatable, Sendable {
    case player(PlayerCommand)
    case pick, help, redraw, quit
  }

  /// The action of a key.
  enum Action: Equatable, Sendable {
    /// The same request in every state of the player.
    case request(Request)
    case toggle, stop
    /// Adds to the volume, the pan or the rate.
    case volume(Float)
    case pan(Float)
    case rate(Double)
    /// Steps through the values of a setting.
    case loop, shuffle, again
    /// Sets the start of a section, then its end, then removes it.
    case section
    case removeSection
  }

  private let actions: [(Key, Action)]
  /// What the keys do, in their order.
  let help: String

  private init(_ help: String, _ actions: (Key, Action)...) { (self.help, self.actions) = (help, actions) }

  static let all: [PlayerBinding] = [
    PlayerBinding("play, pause", (.character(" "), .toggle)),
    PlayerBinding("stop", (.character("s"), .stop)),
    PlayerBinding(
      "5 s back, on", (.left, .request(.player(.skip(-5)))), (.right, .request(.player(.skip(5))))),
    PlayerBinding(
      "a minute on, back", (.pageUp, .request(.player(.skip(60)))), (.pageDown, .request(.player(.skip(-60))))
    ),
    PlayerBinding("to the beginning", (.home, .request(.player(.seek(0))))),
    PlayerBinding("louder, softer", (.up, .volume(0.05)), (.down, .volume(-0.05))),
    PlayerBinding("to the left, to the right", (.character("("), .pan(-0.1)), (.character(")"), .pan(0.1))),
    PlayerBinding(
      "next", (.character("n"), .request(.player(.next))), (.character(">"), .request(.player(.next)))),
    PlayerBinding(
      "previous", (.character("b"), .request(.player(.previous))),
      (.character("<"), .request(.player(.previous)))),
    PlayerBinding("slower, faster", (.character("["), .rate(-0.05)), (.character("]"), .rate(0.05))),
    PlayerBinding(
      "keep the pitch, let it go with the rate", (.character("{"), .request(.player(.pitch(.kept)))),
      (.character("}"), .request(.player(.pitch(.varispeed))))),
    PlayerBinding("loop all", (.character("l"), .loop)),
    PlayerBinding("begin a section here; end it here; all again", (.character("a"), .section)),
    PlayerBinding("no section", (.character("A"), .removeSection)),
    PlayerBinding("shuffle", (.character("z"), .shuffle)),
    PlayerBinding("repeat: off, all, one", (.character("r"), .again)),
    PlayerBinding("choose a track", (.character("/"), .request(.pick))),
    PlayerBinding("draw all anew", (.control("l"), .request(.redraw))),
    PlayerBinding("this page", (.character("?"), .request(.help)), (.character("h"), .request(.help))),
    PlayerBinding("quit", (.character("q"), .request(.quit))),
  ]

  /// The action of a key; nil: the key has none.
  static func action(of key: Key) -> Action? {
    for binding in all {
      for (bound, action) in binding.actions where bound == key { return action }
    }
    return nil
  }

  /// The names of the keys. `isFull`: the terminal shows arrows.
  func keys(isFull: Bool) -> String {
    let names = actions.map { key, _ in key.name(isFull: isFull) }
    return names.joined(separator: names.allSatisfy { $0.count == 1 } ? "  " : " ")
  }
}
