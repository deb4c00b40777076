import Controls
import Glibc
import Graphs
import Playback

/// The screen of a run: draws its status at most `perSecond` times a second, and reads keys. [control]
final class Screen: LiveView {
  /// The maximum number of drawings a second.
  static var perSecond: Double { 12 }

  private let terminal: Terminal
  private let style: TerminalStyle
  /// The time of the last drawing, in s.
  private var last = -Double.infinity
  /// The status that was drawn last; the function of keys depends on it.
  private var shown: ShowStatus?
  private var keys = ScreenKeys()
  /// The index of the page whose address is shown instead of the show; nil: none.
  private var page: Int?

  /// Takes over the terminal. Nil without one: stdout is redirected, `TERM` is `dumb` or missing, or the process runs
  /// in the background. `wakeDescriptor` becomes readable to end a wait for keys.
  init?(environment: [String: String], wakeDescriptor: Int32 = -1) {
    guard isatty(STDOUT_FILENO) == 1, let term = environment["TERM"], term != "dumb", !term.isEmpty,
      let terminal = Terminal()
    else { return nil }
    self.terminal = terminal
    terminal.wakeDescriptor = wakeDescriptor
    style = TerminalStyle.detected(from: environment)
  }

  /// Draws, at most `perSecond` times a second.
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

  /// Returns the commands of pressed keys. Waits for a key until it is time to draw again.
  func takeCommands() -> [ShowCommand] {
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

  /// Whether the terminal is gone: its window was closed, or the connection broke.
  var hasHungUp: Bool { terminal.hasHungUp }

  /// Restores the terminal.
  func close() { terminal.close() }
}

/// A view of a running show on a terminal, which also reads keys: the screen of a graph, or that of a player. [control]
protocol LiveView: AnyObject {
  /// Draws; a call too soon after the last drawing does nothing.
  func show(_ status: ShowStatus, hints: [Hint])
  /// Returns the commands of pressed keys. Waits for a key until it is time to draw again.
  func takeCommands() -> [ShowCommand]
  /// Whether the terminal is gone.
  var hasHungUp: Bool { get }
  /// Restores the terminal.
  func close()
}
