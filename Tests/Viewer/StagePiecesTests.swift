import NIOCore
import NIOEmbedded
import Nodes
import System
import Testing

@testable import Viewer

/// The stage as small files for caches.
@Suite struct StagePiecesTests {
  private let loop = EmbeddedEventLoop()

  /// A record of an emitter with a body of two bytes; the first byte of a state says whether it has to be taken.
  private static func record(_ kind: UInt8, _ emitter: UInt8, _ body: UInt8, must: UInt8 = 0) -> [UInt8] {
    [kind, 1, emitter, 0, 2, 0, 0, 0, must, body]
  }
  private static func frame(_ number: UInt8, of emitter: UInt8 = 1) -> StagePacket {
    StagePacket(emitter: UInt16(emitter), audience: .following, bytes: record(4, emitter, number))
  }
  private static func state(_ number: UInt8, of emitter: UInt8 = 1, all: Bool = false) -> StagePacket {
    StagePacket(
      emitter: UInt16(emitter), audience: all ? .all : .waiting,
      bytes: record(2, emitter, number, must: all ? 1 : 0))
  }
  private static let description = record(1, 0, 100)

  /// The bodies as kind and number.
  private static func words(_ bytes: ByteBuffer?) -> String? {
    guard let bytes = bytes.map({ Array($0.readableBytesView) }) else { return nil }
    var (words, at): ([String], Int) = ([], 0)
    while at < bytes.count {
      if bytes[at] == 11 {
        words.append("f\(bytes[at + 12])")
      } else {
        words.append("\(["", "stage", "state", "", "frame"][Int(bytes[at])])\(bytes[at + 9])")
        if bytes[at] == 2, bytes[at + 8] == 1 { words.append("!") }
      }
      at += 8 + Int(bytes[at + 4])
    }
    return words.joined(separator: " ")
  }

  /// Pieces of a stage with emitters, requested at the 10th second.
  private func pieces(_ emitters: Set<UInt16> = [1]) -> StagePieces {
    let pieces = StagePieces(run: "a")
    pieces.describe(Self.description, emitters: emitters)
    pieces.ask(at: 10)
    return pieces
  }

  @Test func `a state and the pieces after it are all that a late viewer needs`() {
    let pieces = pieces()
    #expect(pieces.number == 20 && pieces.wanted == [1])
    pieces.advance(to: 10.1)
    // No viewer can use pieces before a state.
    for packet in [Self.frame(1), Self.state(1), Self.frame(2)] { pieces.take(packet) }
    #expect(pieces.wanted.isEmpty)
    pieces.advance(to: 10.5)
    #expect(pieces.newestState == 20)
    #expect(Self.words(pieces.state(after: 20)) == "stage100 state1 ! frame2")
    #expect(Self.words(pieces.piece(20)) == "state1 ! frame2" && pieces.piece(21) == nil)
    for packet in [Self.frame(3), Self.frame(4)] { pieces.take(packet) }
    pieces.advance(to: 11)
    #expect(Self.words(pieces.piece(21)) == "frame3 frame4")
    // A second later there is another state; the pieces do not depend on it.
    pieces.advance(to: 11.2)
    #expect(pieces.wanted == [1])
    for packet in [Self.frame(5), Self.state(5), Self.frame(6)] { pieces.take(packet) }
    pieces.advance(to: 11.5)
    #expect(Self.words(pieces.piece(22)) == "frame5 frame6")
    #expect(pieces.newestState == 22 && Self.words(pieces.state(after: 22)) == "stage100 state5 ! frame6")
  }

  @Test func `a state contains those of all emitters, each with the frames after it`() {
    let pieces = pieces([1, 2])
    pieces.advance(to: 10.1)
    for packet in [Self.state(1), Self.frame(2)] { pieces.take(packet) }
    pieces.advance(to: 10.6)
    #expect(pieces.newestState == nil && pieces.wanted == [2])
    for packet in [Self.frame(3), Self.state(7, of: 2), Self.frame(8, of: 2)] { pieces.take(packet) }
    pieces.advance(to: 11)
    #expect(
      Self.words(pieces.state(after: 21)) == "stage100 state1 ! frame2 frame3 state7 ! frame8")
  }

  @Test func `after a loss nothing precedes a state that all viewers have to take`() {
    let pieces = pieces()
    pieces.advance(to: 10.1)
    pieces.take(Self.state(1))
    pieces.lose(1)
    #expect(pieces.wanted == [1])
    for packet in [Self.frame(3), Self.state(3), Self.frame(4)] { pieces.take(packet) }
    pieces.advance(to: 10.5)
    #expect(Self.words(pieces.piece(20)) == "state1 ! state3 ! frame4")
    #expect(Self.words(pieces.state(after: 20)) == "stage100 state3 ! frame4")
  }

  @Test func `an emitter that starts anew and another stage are part of the pieces`() {
    let pieces = pieces()
    pieces.advance(to: 10.1)
    pieces.take(Self.state(1, all: true))
    pieces.describe(Self.record(1, 0, 101), emitters: [1, 2])
    pieces.take(Self.state(9, of: 2, all: true))
    pieces.advance(to: 10.5)
    #expect(Self.words(pieces.piece(20)) == "state1 ! stage101 state9 !")
    // The collected pieces were of another stage.
    #expect(pieces.newestState == nil && pieces.wanted == [1])
  }

  @Test func `the faders are sent when they change, and with each state`() {
    let pieces = pieces()
    pieces.advance(to: 10.1)
    pieces.note(master: 1, isDark: false)
    pieces.take(Self.state(1))
    pieces.note(master: 1, isDark: false)
    pieces.note(master: 1, isDark: true)
    pieces.advance(to: 10.5)
    #expect(Self.words(pieces.piece(20)) == "f0 state1 ! f1")
    #expect(Self.words(pieces.state(after: 20)) == "stage100 f1 state1 !")
  }

  @Test func `old pieces are dropped, and without a request for ten seconds none are made`() {
    let pieces = pieces()
    pieces.take(Self.state(1))
    for step in 0..<40 {
      pieces.ask(at: 10 + Double(step) / 2)
      pieces.advance(to: 10.5 + Double(step) / 2)
    }
    #expect(pieces.piece(59) != nil && pieces.piece(36) != nil && pieces.piece(35) == nil)
    pieces.advance(to: 39.6)
    #expect(!pieces.isWanted && pieces.piece(59) == nil && pieces.wanted.isEmpty)
  }

  @Test func `another show's clock begins its own pieces`() {
    let pieces = pieces()
    pieces.advance(to: 10.1)
    pieces.take(Self.state(1))
    pieces.advance(to: 10.5)
    let answered = Locked(false)
    pieces.wait(for: 21, on: loop).whenComplete { _ in answered.withLock { $0 = true } }
    pieces.forget()
    #expect(answered.withLock { $0 } && !pieces.isWanted && pieces.run != "a")
    #expect(pieces.newestState == nil && pieces.piece(20) == nil)
    // Its machine has started later.
    pieces.describe(Self.record(1, 0, 101), emitters: [1])
    pieces.ask(at: 2)
    #expect(pieces.number == 4 && pieces.wanted == [1])
    pieces.advance(to: 2.1)
    for packet in [Self.state(7), Self.frame(8)] { pieces.take(packet) }
    pieces.advance(to: 2.5)
    #expect(pieces.newestState == 4 && Self.words(pieces.piece(4)) == "state7 ! frame8")
    #expect(Self.words(pieces.state(after: 4)) == "stage101 state7 ! frame8")
    pieces.close()
  }

  @Test func `answers state how long caches may keep them, and an early request waits`() throws {
    let pieces = pieces()
    func ask(_ path: String, at time: Double) throws -> EventLoopFuture<StageFile> {
      try #require(PieceAnswers(pieces: pieces, loop: loop, time: time).file(at: path))
    }
    let first = try ask("/stream/now", at: 10)
    pieces.advance(to: 10.1)
    pieces.take(Self.state(1))
    let early = try ask("/stream/a/20", at: 10.2)
    pieces.advance(to: 10.5)
    let (now, piece) = (try first.wait(), try early.wait())
    #expect(
      String(buffer: now.bytes) == "{\"run\":\"a\",\"piece\":0.5,\"delay\":1.5,\"state\":20}\n"
        && now.cache == "public, max-age=1, stale-while-revalidate=1")
    #expect(piece.cache == "public, max-age=60, immutable" && Self.words(piece.bytes) == "state1 !")
    let state = try ask("/stream/a/state-20", at: 10.6).wait()
    #expect(state.cache == piece.cache && Self.words(state.bytes) == "stage100 state1 !")
    let clock = try ask("/stream/clock", at: 10.75).wait()
    #expect(String(buffer: clock.bytes) == "{\"clock\":10.75}\n" && clock.cache == "no-store")
    for path in ["a/19", "a/30", "b/20", "a/state-19", "a/x", "a", "", "a/20/x"] {
      let missing = try ask("/stream/\(path)", at: 10.6).wait()
      #expect(missing.isMissing && missing.cache == "public, max-age=1", "\(path)")
    }
    let other = PieceAnswers(pieces: pieces, loop: loop, time: 10).file(at: "/streams")
    #expect(other == nil)
    pieces.close()
  }
}
