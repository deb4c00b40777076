import Glibc
import System
import TestSupport
import Testing

@testable import Hosts

/// Rows for a file that accepts them, accepts nothing, or is full.
@Suite(.waiting) struct BackgroundWriterTests {
  private static func row(_ number: Int) -> [UInt8] { Array("row \(number)\n".utf8) }

  /// Both ends of a pipe.
  private static func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #expect(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func text(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += bytes[..<count]
    }
  }

  @Test func `all rows are written, in order, before the file is closed`() throws {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let writer = try BackgroundWriter(writing)
    for number in 1...100 { writer.add(Self.row(number)) }
    #expect(writer.close() == BackgroundWriter.Status())
    // A second `close` changes nothing.
    #expect(writer.close(within: 0) == BackgroundWriter.Status())
    #expect(Self.text(reading) == (1...100).map { "row \($0)\n" }.joined())
  }

  @Test
  func
    `if the file accepts nothing, rows wait up to the limit, whole rows are dropped above it, and the end comes`()
    throws
  {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let wide = [UInt8](repeating: UInt8(ascii: "x"), count: 99) + [10]
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    while write(writing, wide, wide.count) > 0 {}
    let writer = try BackgroundWriter(writing, most: 1000)
    for _ in 1...11 { writer.add(wide) }
    #expect(writer.now.waiting == 1000)
    #expect(writer.now.leftOut == 1)
    for _ in 1...50 { writer.add(wide) }
    #expect(writer.now.leftOut == 51)
    let status = writer.close(within: 0)
    #expect(status.error == 0)
    // Rows that still waited are lost, too. All rows that an unfinished thread holds count as one.
    #expect((52...62).contains(status.leftOut))
    // All written rows but the last are whole.
    let rows = Self.text(reading).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.dropLast().allSatisfy { $0.count == 99 })
  }

  @Test func `a reader that starts late gets every row that waited`() throws {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let writer = try BackgroundWriter(writing)
    let count = 20_000
    for number in 1...count { writer.add(Self.row(number)) }
    let reader = TextReader(reading)
    // The end would give up on a reader that takes nothing for seconds, as may happen on a busy machine.
    #expect(poll { writer.now.waiting == 0 })
    #expect(writer.close() == BackgroundWriter.Status())
    #expect(poll { reader.text != nil })
    #expect(reader.text == (1...count).map { "row \($0)\n" }.joined())
  }

  @Test func `a full disk is reported while it is full, and the lost rows are counted`() throws {
    let writer = try BackgroundWriter(open("/dev/full", O_WRONLY | O_CLOEXEC))
    for number in 1...3 { writer.add(Self.row(number)) }
    #expect(poll { writer.now.error == ENOSPC })
    let status = writer.close()
    #expect(status.error == ENOSPC)
    #expect(status.leftOut == 3)
  }

  @Test func `a file that accepts nothing for seconds is reported, and the end does not wait for it`() throws
  {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let wide = [UInt8](repeating: UInt8(ascii: "x"), count: 4095) + [10]
    while write(writing, wide, wide.count) > 0 {}
    let writer = try BackgroundWriter(writing)
    #expect(stays(for: 0.2) { writer.now.idle == 0 })
    let start = now()
    writer.add(Self.row(1))
    writer.add(Self.row(2))
    #expect(poll { writer.now.isStuck })
    #expect(now() - start >= BackgroundWriter.stallTimeout)
    let idle = Int(writer.now.idle)
    let fault = writer.now.fault(of: "a.csv", "levels") { "\($0) rows are missing" }
    #expect(fault?.hasPrefix("a.csv has taken nothing for ") == true)
    #expect(fault?.hasSuffix(" s; levels wait") == true)
    #expect(idle >= 5 && writer.now.error == 0 && writer.now.leftOut == 0)
    // While the file accepts nothing the end does not wait any longer.
    let status = writer.close()
    // Two rows, or one if an unfinished thread holds both.
    #expect(status.leftOut >= 1 && status.error == 0)
    #expect(Self.text(reading).utf8.count > 0)
  }

  @Test func `a file that accepts nothing, loses rows or is written again is reported once each`() {
    var (status, news) = (BackgroundWriter.Status(), BackgroundWriter.News())
    func fault() -> String? { status.fault(of: "a.csv", "levels") { "\($0) rows are missing" } }
    func line(at time: Double) -> String? {
      news.take(status, of: "a.csv", "levels", at: time) { "\($0) rows are missing" }
    }
    #expect(fault() == nil && line(at: 0) == nil)
    status.idle = 4.9
    #expect(fault() == nil && line(at: 0) == nil)
    status.idle = 5.9
    #expect(fault() == "a.csv has taken nothing for 5 s; levels wait")
    #expect(line(at: 0) == fault() && line(at: 20) == nil)
    status = BackgroundWriter.Status()
    #expect(fault() == nil && line(at: 30) == "a.csv is written again")
    (status.error, status.idle, status.leftOut) = (ENOSPC, 60, 3)
    #expect(fault() == "a.csv: No space left on device; levels wait for room; 3 rows are missing")
    #expect(line(at: 40) == fault())
    (status.error, status.idle) = (0, 0)
    #expect(fault() == "a.csv: 3 rows are missing")
    #expect(line(at: 50) == "a.csv is written again; 3 rows are missing")
    status.leftOut = 4
    #expect(line(at: 60) == "a.csv is not read fast enough; 4 rows are missing")
  }

  /// Reads to the end of the file on a thread of its own.
  private final class TextReader: Sendable {
    private let found = Locked<String?>(nil)
    var text: String? { found.withLock { $0 } }

    init(_ descriptor: Int32) {
      _ = TestThread { [self] in
        let text = BackgroundWriterTests.text(descriptor)
        found.withLock { $0 = text }
      }
    }
  }
}
