import NIOCore
import NIOEmbedded
import System
import TestSupport
import Testing

@testable import Viewer

/// The pictures of a stage and the covers of players: their addresses in a show, and a relay's requests for them.
@Suite struct PictureTests {
  @Test func `a changed picture gets another address, found by another thread`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", to: "a.png")
    let other = try folder.write("b", to: "b.png")
    let pictures = StagePictures()
    let (first, second) = (pictures.address(of: path), pictures.address(of: other))
    let changes = Locked(0)
    _ = try folder.write("another", to: "a.png")
    // A thread that holds this lock is not delayed by reports about files.
    let reported = Latch(resets: .never)
    let held = Lock()
    held.withLock {
      for _ in 0..<100 {
        pictures.renew {
          held.withLock { changes.withLock { $0 += 1 } }
          reported.set()
        }
      }
    }
    #expect(reported.wait(until: .after(seconds: 60)))
    #expect(changes.withLock { $0 } == 1)
    #expect(!pictures.contains("/\(first)") && pictures.picture(at: "/\(first)") == nil)
    #expect(pictures.address(of: path) != first && pictures.address(of: other) == second)
    #expect(pictures.picture(at: "/\(pictures.address(of: path))")?.bytes == ByteBuffer(string: "another"))
  }

  @Test func `bytes read from a file that has changed since are not kept under its old address`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", to: "a.png")
    let pictures = StagePictures()
    let address = "/\(pictures.address(of: path))"
    #expect(pictures.contains(address) && !pictures.contains("/pictures/0"))
    let before = try #require(pictures.picture(at: address))
    #expect(before.bytes == ByteBuffer(string: "a") && before.isLasting)
    _ = try folder.write("another", to: "a.png")
    let after = try #require(pictures.picture(at: address))
    #expect(after.bytes == ByteBuffer(string: "another") && !after.isLasting)
  }

  @Test func `a picture is fetched once for all requests, and kept unless it is marked as temporary`() throws
  {
    let loop = EmbeddedEventLoop()
    let pictures = KeptPictures(on: loop)
    func answer(_ text: String, isLasting: Bool) throws {
      let promise = loop.makePromise(of: PagePicture?.self)
      let first = pictures.keep(promise.futureResult, "a")
      let second = try #require(pictures.known("a"))
      #expect(pictures.coming == 1)
      promise.succeed(PagePicture(type: "", bytes: ByteBuffer(string: text), isLasting: isLasting))
      #expect(try first.wait()?.bytes == ByteBuffer(string: text))
      #expect(try second.wait()?.bytes == ByteBuffer(string: text))
      #expect(pictures.coming == 0)
    }
    #expect(pictures.known("a") == nil)
    try answer("old", isLasting: false)
    #expect(pictures.known("a") == nil)
    try answer("new", isLasting: true)
    #expect(try #require(pictures.known("a")).wait()?.bytes == ByteBuffer(string: "new"))
  }

  @Test func `the cover of another file has another address`() {
    #expect(PlayerFacts.address(of: "songs", "/a/one.flac") == "/covers/songs/737ca98ca9ff9c26")
    #expect(PlayerFacts.address(of: "songs", "/b/one.flac") == "/covers/songs/daf3f40584541c0d")
  }

  @Test func `a relay repeats no request for a missing picture for some seconds`() throws {
    let loop = EmbeddedEventLoop()
    let requested = Locked<[EventLoopPromise<ByteBuffer?>]>([])
    let pictures = RelayPictures(on: loop) { _ in
      let promise = loop.makePromise(of: ByteBuffer?.self)
      requested.withLock { $0.append(promise) }
      return promise.futureResult
    }
    func picture(_ name: String) throws -> ByteBuffer? {
      try #require(pictures.picture(at: "/pictures/\(name)")).wait()?.bytes
    }
    func ask(_ name: String, _ answer: ByteBuffer?) throws -> ByteBuffer? {
      let found = try #require(pictures.picture(at: "/pictures/\(name)"))
      requested.withLock { $0.last }?.succeed(answer)
      return try found.wait()?.bytes
    }
    #expect(try ask("abc", nil) == nil)
    for _ in 0..<10 { #expect(try picture("abc") == nil) }
    #expect(requested.withLock { $0.count } == 1)
    // Other pictures are requested all the same.
    #expect(try ask("def", ByteBuffer(string: "def")) == ByteBuffer(string: "def"))
    #expect(try picture("def") == ByteBuffer(string: "def"))
    #expect(requested.withLock { $0.count } == 2)
    loop.advanceTime(by: .seconds(6))
    #expect(try ask("abc", ByteBuffer(string: "abc")) == ByteBuffer(string: "abc"))
    #expect(requested.withLock { $0.count } == 3)
  }
}
