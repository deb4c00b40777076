import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// `visgraph play` on a terminal of its own.
@Suite(.serialized, .blocking) struct PlayTerminalTests {
  private let folder: TemporaryFolder
  private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  init() throws {
    folder = try TemporaryFolder()
    let second = Sounds.sine(0.05, level: 0.25, count: 48_000)
    for (name, seconds) in [("1 first", 30), ("2 second", 30), ("3 third", 1)] {
      let samples = second.repeated(seconds)
      try folder.write(Wave.bytes([samples]), to: name + ".wav")
    }
  }

  private func shown(_ words: String..., expecting text: String) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 90, rows: 20)
    var environment = ["TERM=xterm", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
    }
    try terminal.start(
      [Visgraph.path, "play", folder.path, "--host", "clock", "--control", "off"] + words, environment,
      prints: true)
    try #require(terminal.shows(text), "\(terminal.output)")
    return terminal
  }

  private func expectClean(_ terminal: PseudoTerminal, _ comment: Comment) {
    #expect(terminal.isCooked, comment)
    let output = terminal.output
    #expect(output.components(separatedBy: Self.leave).count == 2, comment)
    // What is written after it is plain text.
    #expect(output.components(separatedBy: Self.leave).last?.contains("\u{1B}") == false, comment)
  }

  @Test func `keys play, pause and step, and q restores the terminal`() throws {
    let terminal = try shown(expecting: "1 first")
    #expect(terminal.shows("playing"))
    #expect(terminal.shows("1 of 3"))
    #expect(terminal.shows("dB"))
    terminal.type(" ")
    #expect(terminal.shows("paused"))
    terminal.clear()
    terminal.type("n ")
    #expect(terminal.shows("2 of 3"))
    terminal.type("\u{1B}[B\u{1B}[B")
    #expect(terminal.shows("90 %"))
    terminal.type("]")
    #expect(terminal.shows("1.05"))
    terminal.type("?")
    #expect(terminal.shows("keep the pitch"))
    terminal.type("x")
    terminal.type("q")
    #expect(terminal.end() == 0)
    expectClean(terminal, "q")
  }

  @Test func `the picker filters, plays and goes back`() throws {
    let terminal = try shown("--pick", expecting: "type words of a title")
    terminal.type("THIRD")
    #expect(terminal.shows("1 of 3"))
    terminal.clear()
    terminal.type("\r")
    // A second of sound may be over before a busy machine draws it.
    #expect(terminal.shows(anyOf: ["playing", "played to the end"]))
    // It stays when all has been played, and can be heard again.
    #expect(terminal.shows("played to the end"))
    terminal.type("/")
    #expect(terminal.shows("type words of a title"))
    terminal.clear()
    terminal.type("\u{1B}")
    #expect(terminal.shows("played to the end"))
    terminal.type("q")
    #expect(terminal.end() == 0)
    expectClean(terminal, "picker")
  }

  @Test func `after a change of size the screen is drawn anew`() throws {
    let terminal = try shown(expecting: "1 first")
    terminal.clear()
    terminal.resize(columns: 40, rows: 6)
    kill(terminal.process, SIGWINCH)
    #expect(terminal.shows("\u{1B}[2J"))
    #expect(terminal.shows("\u{1B}[6;1H"))
    terminal.type("q")
    #expect(terminal.end() == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the player and restores the terminal`(signal: Int32) throws {
    let terminal = try shown(expecting: "1 first")
    kill(terminal.process, signal)
    #expect(terminal.end() == 0)
    expectClean(terminal, "signal \(signal)")
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGQUIT])
  func `a crash restores the terminal`(signal: Int32) throws {
    let terminal = try shown(expecting: "1 first")
    kill(terminal.process, signal)
    #expect(terminal.end() == -signal)
    expectClean(terminal, "signal \(signal)")
  }

  @Test func `closing the window ends the player`() throws {
    let terminal = try shown(expecting: "1 first")
    terminal.hangUp()
    #expect(terminal.end() != nil)
  }
}
