import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// The player's screen in a window that a user resizes, and over libraries that complain.
@Suite(.serialized, .blocking) struct PlayStormTests {
  private static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let second = Sounds.sine(0.05, level: 0.25, count: 48_000)
    for name in ["1 first", "2 sécond 夜の歌", "3 third"] {
      let samples = second.repeated(60)
      try folder.write(Wave.bytes([samples, samples]), to: name + ".wav")
    }
  }

  private func shown(_ path: String, columns: UInt16 = 90, rows: UInt16 = 20) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    var environment = ["TERM=xterm", "LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
    }
    try terminal.start(
      [Visgraph.path, "play", path, "--host", "clock", "--control", "off"], environment, prints: true)
    return terminal
  }

  /// The rows that cursor moves since the last clearing of the screen went to.
  private func rows(of output: String) -> [Int] {
    let last = output.components(separatedBy: "\u{1B}[2J").last ?? ""
    return last.components(separatedBy: "\u{1B}[").compactMap { part in
      guard let end = part.firstIndex(of: ";"), part[end...].hasPrefix(";1H") else { return nil }
      return Int(part[..<end])
    }
  }

  @Test func `windows of every size are drawn within their bounds, however fast they change`() throws {
    let terminal = try shown(folder.path)
    try #require(terminal.shows("1 first"), "\(terminal.output)")
    var dice = Dice(8)
    let pages = [" ", "n", "/", "\u{1B}", "?", "x", "]", "[", "\u{1B}[B", "l", "s"]
    for turn in 0..<300 {
      terminal.resize(
        columns: UInt16(20 + Int.random(in: 0..<181, using: &dice)),
        rows: UInt16(turn % 50 == 7 ? 1 : 5 + Int.random(in: 0..<56, using: &dice)))
      kill(terminal.process, SIGWINCH)
      if turn % 10 == 0 { terminal.type(pages[Int.random(in: 0..<pages.count, using: &dice)]) }
      usleep(3000)
    }
    // Back on the first page, whichever it was.
    for (columns, rows) in [(20, 5), (200, 60), (21, 6), (40, 5), (80, 24)] as [(UInt16, UInt16)] {
      terminal.clear()
      terminal.resize(columns: columns, rows: rows)
      // What was on its way is of the size before.
      #expect(
        poll(within: 20) {
          terminal.shows("\u{1B}[2J", within: 1) && self.rows(of: terminal.output).max() == Int(rows)
        },
        "\(columns) × \(rows)")
    }
    kill(terminal.process, SIGSEGV)
    #expect(terminal.end() == -SIGSEGV)
    #expect(terminal.isCooked)
    #expect(terminal.output.components(separatedBy: Self.leave).count == 2)
  }

  @Test func `a library that complains of a broken file does not write into the screen`() throws {
    let wave = folder.file("noise.wav")
    var state: UInt32 = 1
    let noise = [Float](count: 48_000 * 20) { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / 8_388_608 - 1) * 0.3
    }
    try folder.write(Wave.bytes([noise]), to: "noise.wav")
    let broken = folder.file("broken.mp3")
    let lame = try Child(["lame", "--quiet", wave, broken])
    try #require(lame.exitCode() == 0, "\(lame.notes)")
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: broken)))
    // The first two seconds are whole.
    for index in stride(from: 20_000, to: bytes.count, by: 1_999) { bytes[index] ^= 0x5A }
    try Data(bytes).write(to: URL(fileURLWithPath: broken))
    let terminal = try shown(broken)
    try #require(terminal.shows("broken"), "\(terminal.output)")
    // A busy machine shows not every second.
    let later = (7..<15).map { String(format: "0:%02d", $0) }
    #expect(terminal.shows(anyOf: later), "\(terminal.output)")
    terminal.type("q")
    #expect(terminal.end() == 0)
    let screen = terminal.output.components(separatedBy: "\u{1B}[?1049h").last ?? ""
    #expect(!screen.contains("mpg123") && !screen.contains("resync"), "\(screen)")
    #expect(terminal.isCooked)
  }
}
