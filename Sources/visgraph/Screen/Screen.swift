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
  /// What was shown last, which says what the keys do.
  private var shown: ShowStatus?
  private var keys = ScreenKeys()
  /// Which of the pages' addresses is shown in the place of the show; nil: none.
  private var page: Int?

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
    var status = status
    status.typedCue = keys.cue
    shown = status
    let size = terminal.size
    let text = ScreenText(columns: size.columns, rows: size.rows, style: style)
    let lines =
      if let page, page < status.pages.count { text.address(status.pages[page], status) } else {
        text.lines(status, hints: hints)
      }
    terminal.draw(lines, style.colors)
  }

  /// What the keys ask for that were pressed, after at most until it is time to draw again.
  func asked() -> [ShowCommand] {
    let pressed = terminal.keys(within: 1 / Self.perSecond)
    guard var status = shown else { return [] }
    defer { shown = status }
    return pressed.compactMap { key -> ShowCommand? in
      let typed = keys.cue
      defer { if keys.cue != typed { last = -.infinity } }
      switch keys.request(key, &status) {
      case .show(let command): return command
      case .view:
        page = page == status.pages.count - 1 ? nil : (page ?? -1) + 1
        last = -.infinity
      case .redraw: terminal.redraw()
      case nil: break
      }
      return nil
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
