import Foundation
import Glibc
import TestSupport
import Testing

@testable import visgraph

/// What is written to stderr while a screen is shown.
@Suite(.serialized, .blocking, .disabled(if: getenv("VISGRAPH_SCREEN_FIXTURE") != nil))
struct StderrCaptureTests {
  private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private func shown() throws -> PseudoTerminal {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var all = [
      "VISGRAPH_SCREEN_FIXTURE=small", "TERM=xterm", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { all.append("\(name)=\(String(cString: value))") }
    }
    let terminal = try PseudoTerminal()
    try terminal.start(
      [own, "--testing-library", "swift-testing", "--filter", "ScreenFixture"], all, prints: true)
    try #require(terminal.shows("Stereo sparks"))
    return terminal
  }

  @Test func `messages of a library are not written into the screen`() throws {
    let terminal = try shown()
    terminal.type("e")
    #expect(terminal.shows("pressed e"))
    // More than is kept.
    for _ in 0..<20 { terminal.type("E") }
    #expect(terminal.shows("pressed E"))
    terminal.type("q")
    #expect(terminal.end() == 0)
    #expect(!terminal.output.contains("broken frame"))
    #expect(terminal.isCooked)
  }

  @Test func `the trace of a crash appears below the restored terminal`() throws {
    let terminal = try shown()
    terminal.type("e")
    #expect(terminal.shows("pressed e"))
    terminal.type("c")
    let end = terminal.end()
    #expect(end == -SIGILL || end == -SIGTRAP)
    let parts = terminal.output.components(separatedBy: Self.leave)
    try #require(parts.count == 2)
    #expect(!parts[0].contains("on purpose"))
    #expect(parts[1].contains("broken frame"))
    #expect(parts[1].contains("Fatal error: on purpose"), "\(parts[1])")
  }

  /// Where a program falls while it takes memory, a handler that asks for some waits for ever.
  @Test func `the signal handler allocates nothing and takes no lock`() throws {
    let terminal = try shown()
    terminal.type("e")
    #expect(terminal.shows("pressed e"))
    terminal.type("h")
    #expect(terminal.end() == 0)
    let told = terminal.output.components(separatedBy: Self.leave).last ?? ""
    #expect(told.contains("broken frame"))
    #expect(told.contains("memory 0, locks 0, globals 0, calls true"), "\(told)")
  }

  @Test func `a signal from another process prints nothing`() throws {
    let terminal = try shown()
    terminal.type("e")
    #expect(terminal.shows("pressed e"))
    kill(terminal.process, SIGTERM)
    #expect(terminal.end() == -SIGTERM)
    #expect(terminal.output.hasSuffix(Self.leave))
  }
}
