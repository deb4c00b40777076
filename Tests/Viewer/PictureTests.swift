import NIOCore
import NIOEmbedded
import System
import TestSupport
import Testing

@testable import Viewer

/// The pictures of a stage: under which addresses a show has them, and what a relay asks it for.
@Suite struct PictureTests {
  @Test func `a picture that was changed gets another address, found by another thread`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", to: "a.png")
    let other = try folder.write("b", to: "b.png")
    let pictures = StagePictures()
    let (first, second) = (pictures.address(of: path), pictures.address(of: other))
    let changes = Locked(0)
    _ = try folder.write("another", to: "a.png")
    // A thread that holds this lock is not kept by what is told of the files.
    let told = Latch(resets: .never)
    let held = Lock()
    held.withLock {
      for _ in 0..<100 {
        pictures.renew {
          held.withLock { changes.withLock { $0 += 1 } }
          told.set()
        }
      }
    }
    #expect(told.wait(until: .after(seconds: 60)))
    #expect(changes.withLock { $0 } == 1)
    #expect(pictures.bytes(at: "/\(first)") == nil)
    #expect(pictures.address(of: path) != first && pictures.address(of: other) == second)
    #expect(pictures.bytes(at: "/\(pictures.address(of: path))") == ByteBuffer(string: "another"))
  }

  @Test func `a relay asks no more for some seconds where there was none`() throws {
    let loop = EmbeddedEventLoop()
    let asked = Locked<[EventLoopPromise<ByteBuffer?>]>([])
    let pictures = RelayPictures(on: loop) { _ in
      let promise = loop.makePromise(of: ByteBuffer?.self)
      asked.withLock { $0.append(promise) }
      return promise.futureResult
    }
    func picture(_ name: String) throws -> ByteBuffer? {
      try #require(pictures.picture(at: "/pictures/\(name)")).wait()?.bytes
    }
    func ask(_ name: String, _ answer: ByteBuffer?) throws -> ByteBuffer? {
      let found = try #require(pictures.picture(at: "/pictures/\(name)"))
      asked.withLock { $0.last }?.succeed(answer)
      return try found.wait()?.bytes
    }
    #expect(try ask("abc", nil) == nil)
    for _ in 0..<10 { #expect(try picture("abc") == nil) }
    #expect(asked.withLock { $0.count } == 1)
    // Others are asked for all the same.
    #expect(try ask("def", ByteBuffer(string: "def")) == ByteBuffer(string: "def"))
    #expect(try picture("def") == ByteBuffer(string: "def"))
    #expect(asked.withLock { $0.count } == 2)
    loop.advanceTime(by: .seconds(6))
    #expect(try ask("abc", ByteBuffer(string: "abc")) == ByteBuffer(string: "abc"))
    #expect(asked.withLock { $0.count } == 3)
  }
}
