import Glibc
import System
import TestSupport
import Testing

@testable import Hosts

/// Rows for a file that takes them, takes nothing, or is full.
@Suite struct BackgroundWriterTests {
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

  @Test func `all rows are written, in order, before it is closed`() {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let writer = BackgroundWriter(writing)
    for number in 1...100 { writer.add(Self.row(number)) }
    #expect(writer.close() == BackgroundWriter.Status())
    // A second end changes nothing.
    #expect(writer.close(within: 0) == BackgroundWriter.Status())
    #expect(Self.text(reading) == (1...100).map { "row \($0)\n" }.joined())
  }

  @Test func `where nobody reads so much waits, whole rows are left out, and the end comes`() {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let wide = [UInt8](repeating: UInt8(ascii: "x"), count: 99) + [10]
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    while write(writing, wide, wide.count) > 0 {}
    let writer = BackgroundWriter(writing, most: 1000)
    for _ in 1...11 { writer.add(wide) }
    #expect(writer.now.waiting == 1000)
    #expect(writer.now.leftOut == 1)
    for _ in 1...50 { writer.add(wide) }
    #expect(writer.now.leftOut == 51)
    let status = writer.close(within: 0)
    #expect(status.error == 0)
    // What still waited is lost too; a thread that has not ended yet may hold one more.
    #expect(status.leftOut == 61 || status.leftOut == 62)
    // What was written is whole up to the last row.
    let rows = Self.text(reading).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.dropLast().allSatisfy { $0.count == 99 })
  }

  @Test func `a reader that begins at last gets every row that was kept`() {
    let (reading, writing) = Self.makePipe()
    defer { close(reading) }
    let writer = BackgroundWriter(writing)
    let count = 20_000
    for number in 1...count { writer.add(Self.row(number)) }
    let reader = TextReader(reading)
    #expect(writer.close() == BackgroundWriter.Status())
    #expect(poll { reader.text != nil })
    #expect(reader.text == (1...count).map { "row \($0)\n" }.joined())
  }

  @Test func `a full disk is known while it is full, and its rows are counted`() {
    let writer = BackgroundWriter(open("/dev/full", O_WRONLY | O_CLOEXEC))
    for number in 1...3 { writer.add(Self.row(number)) }
    #expect(poll { writer.now.error == ENOSPC })
    let status = writer.close()
    #expect(status.error == ENOSPC)
    #expect(status.leftOut == 3)
  }

  /// Reads to the end on a thread of its own.
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
