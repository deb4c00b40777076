import Glibc
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
  func `a screen that is shown until told otherwise`() throws {
    let manner = Self.environment["VISGRAPH_SCREEN_FIXTURE"] ?? ""
    guard let terminal = Terminal() else { exit(3) }
    let look = Look.told(by: Self.environment)
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
        ScreenText(columns: size.columns, rows: size.rows, look: look).lines(status, hints: hints),
        look.colours)
      for key in terminal.keys(within: 0.05) {
        switch key {
        case .character("q"):
          terminal.close()
          exit(0)
        case .character("x"): exit(0)
        case .character("c"): fatalError("on purpose")
        case .character(let other): status.name = "pressed \(other)"
        case .control("l"): terminal.redraw()
        default: status.name = "pressed \(key)"
        }
      }
      status.timeline += 0.05
    }
  }
}
