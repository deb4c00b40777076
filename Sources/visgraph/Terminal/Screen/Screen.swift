import Controls
import Glibc
import Graphs
import Playback

/// The screen of a run: draws its status at most `perSecond` times a second and gives keys. [control]
final class Screen: LiveView {
  /// How often it is drawn, at most.
  static var perSecond: Double { 12 }

  private let terminal: Terminal
  private let style: TerminalStyle
  private var last = -Double.infinity
  /// What the keys do is told by what was shown last.
  private var isBlackout = false
  private var hasPlayers = false
  private var hasScenes = false
  private var hasCues = false
  private var sounds: [Character: ShowStatus.SoundKey] = [:]
  /// Which of the pages' addresses is shown in the place of the show; nil: none.
  private var page: Int?
  private var pages = 0

  /// Takes over the terminal; nil where there is none to draw on: stdout leads elsewhere, `TERM` is `dumb` or missing,
  /// or the process runs in the background. Who waits for keys is woken when `bell` becomes readable.
  init?(environment: [String: String], bell: Int32 = -1) {
    guard isatty(STDOUT_FILENO) == 1, let term = environment["TERM"], term != "dumb", !term.isEmpty,
      let terminal = Terminal()
    else { return nil }
    self.terminal = terminal
    terminal.bell = bell
    style = TerminalStyle.detected(from: environment)
  }

  /// Draws, unless that was done a moment ago.
  func show(_ status: ShowStatus, hints: [Hint]) {
    guard status.time >= last + 0.9 / Self.perSecond || status.time < last else { return }
    last = status.time
    isBlackout = status.isBlackout
    sounds = status.sounds
    hasPlayers = status.keys.contains { $0.key == "p" }
    hasScenes = status.keys.contains { $0.key == "n" }
    hasCues = status.keys.contains { $0.key == "g" }
    let size = terminal.size
    let text = ScreenText(columns: size.columns, rows: size.rows, style: style)
    pages = status.pages.count
    let lines =
      if let page, page < pages { text.address(status.pages[page], status) } else {
        text.lines(status, hints: hints)
      }
    terminal.draw(lines, style.colors)
  }

  /// The keys that were pressed, after at most until it is time to draw again. Control-L draws all anew.
  func keys(within seconds: Double = 1 / Screen.perSecond) -> [Character] {
    terminal.keys(within: seconds).compactMap { key -> Character? in
      switch key {
      case .character(let character): return character
      case .control("l"):
        terminal.redraw()
        return nil
      default: return nil
      }
    }
  }

  /// What the keys ask for.
  func asked() -> [ShowCommand] {
    keys().compactMap { key -> ShowCommand? in
      switch key {
      case "q": return .quit
      case "r": return .reload
      case "b":
        isBlackout.toggle()
        return .blackout(isBlackout)
      case "v" where pages > 0:
        page = page == pages - 1 ? nil : (page ?? -1) + 1
        last = -.infinity
        return nil
      case "p" where hasPlayers: return .transport(node: nil, .toggle)
      // A sound that has the key goes before it.
      case "n" where hasScenes && sounds[key] == nil: return .scene(.next)
      case "g" where hasCues && sounds[key] == nil: return .cue(.go)
      default: return sounds[key].map { .sound(node: $0.bank, .play($0.sound)) }
      }
    }
  }

  /// Whether the terminal has gone for good: its window was closed, the connection broke.
  var hasHungUp: Bool { terminal.hasHungUp }

  /// Puts the terminal back as it was.
  func close() { terminal.close() }
}

/// What shows a running show on a terminal and takes its keys: the screen of a graph, or that of a player. [control]
protocol LiveView: AnyObject {
  /// Draws, unless that was done a moment ago.
  func show(_ status: ShowStatus, hints: [Hint])
  /// What the keys ask for that were pressed, after at most until it is time to draw again.
  func asked() -> [ShowCommand]
  /// Whether the terminal has gone for good.
  var hasHungUp: Bool { get }
  /// Puts the terminal back as it was.
  func close()
}
