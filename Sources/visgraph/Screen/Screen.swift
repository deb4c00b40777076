import Controls
import Glibc

/// The screen of a run: draws its status at most `perSecond` times a second and gives keys. [control]
final class Screen: LiveView {
  /// How often it is drawn, at most.
  static var perSecond: Double { 12 }

  private let terminal: Terminal
  private let look: Look
  private var last = -Double.infinity

  /// Takes over the terminal; nil where there is none to draw on: stdout leads elsewhere, `TERM` is `dumb` or missing,
  /// or the process runs in the background.
  init?(environment: [String: String]) {
    guard isatty(STDOUT_FILENO) == 1, let term = environment["TERM"], term != "dumb", !term.isEmpty,
      let terminal = Terminal()
    else { return nil }
    self.terminal = terminal
    look = Look.told(by: environment)
  }

  /// Draws, unless that was done a moment ago.
  func show(_ status: ShowStatus, hints: [Hint]) {
    guard status.time >= last + 0.9 / Self.perSecond || status.time < last else { return }
    last = status.time
    let size = terminal.size
    let text = ScreenText(columns: size.columns, rows: size.rows, look: look)
    terminal.draw(text.lines(status, hints: hints), look.colours)
  }

  /// The keys that were pressed, after at most until it is time to draw again. Control-L draws all anew.
  func keys(within seconds: Double = 1 / Screen.perSecond) -> [Character] {
    terminal.keys(within: seconds).compactMap { key in
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
    keys().compactMap { key in
      switch key {
      case "q": .quit
      case "r": .reload
      default: nil
      }
    }
  }

  /// Whether the terminal has gone for good: its window was closed, the connection broke.
  var hasHungUp: Bool { terminal.hasHungUp }

  /// Puts the terminal back as it was.
  func close() { terminal.close() }
}
