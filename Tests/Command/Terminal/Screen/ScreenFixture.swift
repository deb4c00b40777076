import CGuard
import Glibc
import Playback
import Testing

@testable import visgraph

/// What the terminal tests run in a process of its own: started by them with `VISGRAPH_SCREEN_FIXTURE` set.
@Suite struct ScreenFixture {
  static var environment: [String: String] {
    var result: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "LANG", "LC_ALL", "NO_COLOR", "VISGRAPH_SCREEN_FIXTURE"] {
      if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
  }

  @Test(.enabled(if: getenv("VISGRAPH_SCREEN_FIXTURE") != nil))
  func `a screen is shown unless switched off`() throws {
    let manner = Self.environment["VISGRAPH_SCREEN_FIXTURE"] ?? ""
    if manner == "refused" { try refuse() }
    guard let terminal = Terminal() else { exit(3) }
    let style = TerminalStyle.detected(from: Self.environment)
    if manner.hasPrefix("player") { playPlayer(manner, terminal, style) }
    let stage: ShowStatus =
      switch manner {
      case "large": Stages.large
      case "wide": Stages.wide(32)
      default: Stages.small
      }
    var (status, hints) = Stages.later(stage)
    if manner == "early" { hints = [] }
    while true {
      if terminal.hasHungUp { exit(4) }
      let size = terminal.size
      terminal.draw(
        ScreenText(columns: size.columns, rows: size.rows, style: style).lines(status, hints: hints),
        style.colors)
      for key in terminal.keys(within: 0.05) {
        switch key {
        case .character("q"):
          terminal.close()
          exit(0)
        case .character("x"): exit(0)
        case .character("c"): fatalError("on purpose")
        case .character("h"): tellHandler()
        case .character(let other) where other == "e" || other == "E":
          // As libmpg123 does.
          let line = "[layer3.c] error: broken frame\n"
          let text = String(repeating: line, count: other == "e" ? 1 : 1000)
          _ = write(STDERR_FILENO, text, text.utf8.count)
          status.name = "pressed \(other)"
        case .character(let other): status.name = "pressed \(other)"
        case .control("l"): terminal.redraw()
        default: status.name = "pressed \(key)"
        }
      }
      status.timeline += 0.05
    }
  }

  /// Opens a terminal that is not the one of this process, which refuses.
  private func refuse() throws {
    let other = try PseudoTerminal()
    let isRefused = withExtendedLifetime(other) { Terminal(path: other.name) == nil }
    if !isRefused { exit(5) }
  }

  /// Does what a handler does when the program crashes, at its first use, and says what that took.
  private func tellHandler() -> Never {
    guard_enter()
    TerminalSignals.guarded?.pointee.hide(isFault: true)
    let counts = guard_leave()
    let memory = counts.allocations + counts.frees + counts.objects + counts.metadata
    let text = "memory \(memory), locks \(counts.locks), globals \(counts.onces), calls \(counts.calls > 0)\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    exit(0)
  }

  /// The player's pages, with facts that stand still but for the time.
  private func playPlayer(_ manner: String, _ terminal: Terminal, _ style: TerminalStyle) -> Never {
    var (snapshot, status, library) = PlayerStages.playing
    if manner == "player-picker" { library = PlayerStages.library }
    snapshot.tracks = library.count
    var view = PlayerView(library, startsInPicker: manner == "player-picker")
    while true {
      if terminal.hasHungUp { exit(4) }
      let size = terminal.size
      view.update(snapshot, status, files: library.map(\.path), events: [])
      let text = PlayerText(columns: size.columns, rows: size.rows, style: style)
      terminal.draw(view.lines(text, hints: []), style.colors)
      for key in terminal.keys(within: 0.05) {
        for wish in view.press(key, rows: size.rows, columns: size.columns, seed: 1) {
          switch wish {
          case .quit:
            terminal.close()
            exit(0)
          case .player(.track(let track)):
            snapshot.track = track
            snapshot.path = library[track].path
          case .player(let command): status.messages.append(LogLine(text: "\(command)"))
          default: break
          }
        }
      }
      snapshot.currentTime += 0.05
    }
  }
}
