import Glibc
import TestSupport
import Testing

@testable import visgraph

/// A screen on a real terminal, in a process of its own.
@Suite(.serialized, .blocking, .disabled(if: getenv("VISGRAPH_SCREEN_FIXTURE") != nil)) struct TerminalTests {
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private static let program: [String] = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return [own, "--testing-library", "swift-testing", "--filter", "ScreenFixture"]
  }()

  /// The program as a shell takes it.
  private static var command: String { program.map { "'\($0)'" }.joined(separator: " ") }

  private static func environment(_ fixture: String) -> [String] {
    var all = [
      "VISGRAPH_SCREEN_FIXTURE=\(fixture)", "TERM=xterm", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { all.append("\(name)=\(String(cString: value))") }
    }
    return all
  }

  private func shown(_ fixture: String = "small") throws -> PseudoTerminal {
    let terminal = try PseudoTerminal()
    #expect(terminal.isCooked)
    try terminal.start(Self.program, Self.environment(fixture))
    try #require(terminal.shows("Stereo sparks"))
    #expect(terminal.output.hasPrefix(Self.enter))
    #expect(!terminal.isCooked)
    return terminal
  }

  private func expectRestored(_ terminal: PseudoTerminal, _ comment: Comment) {
    #expect(terminal.isCooked, comment)
    #expect(terminal.output.hasSuffix(Self.leave), comment)
    #expect(terminal.output.components(of: Self.leave) == 1, comment)
  }

  @Test func `keys arrive one by one, and closing puts the terminal back`() throws {
    let terminal = try shown()
    terminal.type("z")
    #expect(terminal.shows("pressed z"))
    terminal.type("q")
    #expect(terminal.end() == 0)
    expectRestored(terminal, "closed")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS])
  func `a signal that ends the process puts the terminal back`(signal: Int32) throws {
    let terminal = try shown()
    kill(terminal.process, signal)
    #expect(terminal.end() == -signal)
    expectRestored(terminal, "signal \(signal)")
  }

  @Test func `a terminal that refuses leaves no signal handler behind`() throws {
    let terminal = try shown("refused")
    // A handler that was left behind would raise the signal again and again, until the stack overflows.
    kill(terminal.process, SIGQUIT)
    #expect(terminal.end() == -SIGQUIT)
    expectRestored(terminal, "after a refusal")
  }

  @Test func `a trap of the program puts the terminal back`() throws {
    let terminal = try shown()
    terminal.type("c")
    let end = terminal.end()
    #expect(end == -SIGILL || end == -SIGTRAP)
    expectRestored(terminal, "trap")
  }

  @Test func `exit puts the terminal back`() throws {
    let terminal = try shown()
    terminal.type("x")
    #expect(terminal.end() == 0)
    expectRestored(terminal, "exit")
  }

  @Test func `control-C ends the program as anywhere else`() throws {
    let terminal = try shown()
    terminal.type("\u{3}")
    #expect(terminal.end() == -SIGINT)
    expectRestored(terminal, "control-C")
  }

  @Test func `a window that is closed is noticed where the hang-up signal does something else`() throws {
    let terminal = try PseudoTerminal()
    try terminal.start(["/bin/sh", "-c", "trap '' HUP; \(Self.command)"], Self.environment("small"))
    try #require(terminal.shows("Stereo sparks"))
    terminal.hangUp()
    #expect(terminal.end() == 4)
  }

  @Test func `another size is drawn anew`() throws {
    let terminal = try shown()
    terminal.clear()
    terminal.resize(columns: 40, rows: 6)
    #expect(terminal.shows("\u{1B}[2J"))
    #expect(terminal.shows("\u{1B}[6;1H"))
  }

  @Test func `only what changed is written`() throws {
    let terminal = try shown()
    let time = "\u{1B}[1;1H"
    // The rest of the first picture may come late; the second one comes after it.
    #expect(poll { terminal.shows(time) && terminal.output.components(of: time) > 1 })
    terminal.clear()
    #expect(terminal.shows(time))
    #expect(!terminal.output.contains("rig"))
    #expect(!terminal.output.contains("\u{1B}[2J"))
  }

  @Test func `control-Z gives the terminal back to the shell, and fg the screen`() throws {
    let terminal = try PseudoTerminal()
    // A shell with job control: it goes on when its job stops.
    let script = "\(Self.command); echo STOPPED >/dev/tty; fg >/dev/null; echo ENDED >/dev/tty"
    try terminal.start(["/bin/sh", "-m", "-c", script], Self.environment("small"))
    try #require(terminal.shows("Stereo sparks"))
    terminal.type("\u{1A}")
    #expect(terminal.shows(Self.leave))
    #expect(terminal.shows("STOPPED"))
    #expect(terminal.shows("STOPPED\r\n" + Self.enter))
    terminal.clear()
    terminal.type("z")
    #expect(terminal.shows("pressed z"))
    terminal.type("q")
    #expect(terminal.shows("ENDED"))
    #expect(terminal.end() == 0)
    #expect(terminal.isCooked)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
