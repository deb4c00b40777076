/// The keys that the screen of a run has for itself: no sound of a bank can have one of them. What the screen does, its help,
/// `check` and the docs follow from this. [any]
public enum ScreenKey: String, CaseIterable, Sendable {
  /// Ends the run.
  case quit = "q"
  /// Reads the graph again.
  case reload = "r"
  /// Lights out, and on again.
  case blackout = "b"
  /// The addresses of the pages.
  case view = "v"
  /// Players.
  case pause = "p"
  /// Scenes.
  case scene = "n"
  /// Cues, one after the other.
  case go = "g"
  /// Cues, one before the other.
  case back = "Backspace"
  /// What a cue would do by itself.
  case stop = "Esc"
  /// Any cue.
  case goto = "Enter"
  /// What others have written into the screen.
  case redraw = "Ctrl+L"

  /// The character, for a sound to leave to it; nil: no character, which no sound can have.
  public var character: Character? { rawValue.count == 1 ? rawValue.first : nil }

  /// What it does, in a word or two.
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

  /// What it does, in a sentence.
  public var help: String {
    switch self {
    case .quit: "Ends the run, lights out."
    case .reload: "Reads the graph file again."
    case .blackout: "Lets lights and stage go dark, and shows them again."
    case .view: "Shows the addresses of the pages, one after the other, as QR codes."
    case .pause: "Pauses all players, and lets them go on."
    case .scene: "Goes to the next scene."
    case .go: "Goes to the next cue."
    case .back: "Goes to the cue with the number before."
    case .stop: "Keeps the cue that comes by itself from coming."
    case .goto: "Takes the number of a cue; Enter goes there, Esc leaves it."
    case .redraw: "Draws the screen anew."
    }
  }

  /// What has to be there for it to do something; nil: nothing.
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

  /// The characters among them, in their order: `b g n p q r v`.
  public static var characters: String {
    allCases.compactMap(\.character).map(String.init).sorted().joined(separator: " ")
  }

  /// All of them for a line of help: `q quit, r reload …`.
  public static var summary: String { allCases.map { "\($0.rawValue) \($0.word)" }.joined(separator: ", ") }
}
