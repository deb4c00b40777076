import Glibc
import System
import TestSupport
import Testing

@testable import Rendering

/// Pipes to ffmpeg whose other end reads nothing, or is closed.
@Suite(.waiting) struct FFmpegPipeTests {
  /// More than a pipe holds.
  private static let picture = [UInt8](repeating: 7, count: 1 << 20)

  private static func pipe(to descriptor: Int32, isStuck: Bool) throws -> FFmpegPipe<[UInt8]> {
    try FFmpegPipe(descriptor, room: 2, isStuck: { isStuck }) { bytes, write in
      bytes.withUnsafeBytes { write($0) }
    }
  }

  @Test func `writing ends once a reader that takes nothing counts as stuck, and later elements are dropped`()
    throws
  {
    let ends = try ChildPipe()
    defer { close(ends.reading) }
    let pipe = try Self.pipe(to: ends.writing, isStuck: true)
    pipe.add(Self.picture)
    #expect(poll(within: 20) { pipe.isGivenUp })
    #expect(pipe.isBroken)
    for _ in 0..<8 { pipe.add(Self.picture) }
    pipe.finish()
  }

  @Test func `a reader that has gone is no reader that is stuck`() throws {
    let ends = try ChildPipe()
    let pipe = try Self.pipe(to: ends.writing, isStuck: false)
    close(ends.reading)
    pipe.add(Self.picture)
    #expect(poll(within: 20) { pipe.isBroken })
    #expect(!pipe.isGivenUp)
    pipe.finish()
  }
}
