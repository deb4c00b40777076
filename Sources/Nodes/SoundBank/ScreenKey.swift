/// The keys that the screen of a run uses itself; no sound of a bank can have one of them. The screen's actions and
/// help, `check`, and the docs are made from this list. [any]
public enum ScreenKey: String, CaseIterable, Sendable {
  /// Ends the run.
  case quit = "q"
  /// Reloads the graph.
  case reload = "r"
  /// Toggles the blackout.
  case blackout = "b"
  /// Shows the addresses of the pages.
  case view = "v"
  /// Pauses players.
  case pause = "p"
  /// Changes scenes.
  case scene = "n"
  /// Goes to the next cue.
  case go = "g"
  /// Goes to the cue before.
  case back = "Backspace"
  /// Stops a follow-on.
  case stop = "Esc"
  /// Goes to any cue.
  case goto = "Enter"
  /// Redraws the screen, over the output of other programs.
  case redraw = "Ctrl+L"

  /// The character, which sounds cannot use; nil: the key is not a character.
  public var character: Character? { rawValue.count == 1 ? rawValue.first : nil }

  /// A short label.
  public var word: String {
    switch self {
    case .quit: "quit"
    case .reload: "reload"
    case .blackout: "blackout"
    case .view: "view"
    case .pause: "pause"
    case .scene: "next scene"
    case .go: "go"
    case .back: "back"
    case .stop: "stop"
    case .goto: "go to"
    case .redraw: "redraw"
    }
  }

  /// The help text.
  public var help: String {
    switch self {
    case .quit: "Ends the run, lights out."
    case .reload: "Reads the graph file again."
    case .blackout: "Lets lights and stage go dark, and shows them again."
    case .view: "Shows the addresses of the pages, one after the other, as QR codes."
    case .pause: "Pauses all players, and lets them go on."
    case .scene: "Goes to the next scene."
    case .go: "Goes to the next cue."
    case .back: "Goes to the cue with the previous number."
    case .stop: "Cancels the cue that would come by itself."
    case .goto: "Takes the number of a cue; Enter goes there, Esc leaves it."
    case .redraw: "Draws the screen anew."
    }
  }

  /// The things without which it does nothing, as a phrase; nil: none.
  public var needs: String? {
    switch self {
    case .quit, .reload, .blackout, .redraw: nil
    case .view: "pages that are served"
    case .pause: "a player"
    case .scene: "two scenes or more"
    case .go, .back, .goto: "cues"
    case .stop: "a cue that comes by itself"
    }
  }

  /// The characters of these keys, sorted: `b g n p q r v`.
  public static var characters: String {
    allCases.compactMap(\.character).map(String.init).sorted().joined(separator: " ")
  }

  /// All keys for a line of help: `q quit, r reload …`.
  public static var summary: String { allCases.map { "\($0.rawValue) \($0.word)" }.joined(separator: ", ") }
}
