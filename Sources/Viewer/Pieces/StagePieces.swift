import NIOCore
import Nodes
import Particles

/// The stage as small files for HTTP caches between a show and any number of viewers: pieces with 0.5 s of a
/// WebSocket's messages, and states to begin with. [view]
///
/// The clock numbers the pieces; a piece never changes. A state has all that a new viewer would be sent up to the end
/// of a piece; with the pieces after it, it gives the same particles to the bit. Without requests nothing is made.
final class StagePieces: @unchecked Sendable {
  /// The length of a piece, in s.
  static let length = 0.5
  /// The time from the end of a frame until all viewers show it, in s: a piece, the network and the caches.
  static let delay = 1.5
  /// The interval of states, in s.
  private static let statePause = 1.0
  /// How many pieces are kept: a viewer may lag so far behind.
  private static let most = 24
  /// The maximum size of a piece and of a state, in bytes; what is larger is dropped.
  private static let mostBytes = 64 << 20
  /// The time without a request after which no pieces are made, in s.
  private static let rest = 10.0

  /// Identifies the pieces of a stage in this run of the program, because caches keep those of earlier ones, and
  /// another clock may give the same numbers.
  private(set) var run: String
  private var lastAsked = -Double.infinity
  /// Complete pieces, by number.
  private var pieces: [Int: ByteBuffer] = [:]
  /// States, by the number of the piece at whose end they are valid.
  private var states: [Int: ByteBuffer] = [:]
  /// The piece in progress, and its number.
  private var open: [UInt8] = []
  private(set) var number = 0
  private var description: [UInt8] = []
  private var emitters: Set<UInt16> = []
  /// Emitters of which a message was lost. Their next message in a piece must be a state.
  private var gaps: Set<UInt16> = []
  /// While a state is made: for each emitter its state and all messages since.
  private var collected: [UInt16: [UInt8]]?
  private var nextState = 0.0
  private var lastFaders: Faders?
  /// Requests that wait for the end of a piece; nil: for the first state.
  private var waiting: [(number: Int?, promise: EventLoopPromise<Void>)] = []

  init(run: String = StagePieces.newRun()) { self.run = run }

  private static func newRun() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }

  /// Whether there was a request within the last 10 s.
  private(set) var isWanted = false
  /// The number of the newest state; nil: there is none yet.
  var newestState: Int? { states.keys.max() }
  /// The emitters whose state is needed.
  var wanted: Set<UInt16> {
    guard isWanted else { return [] }
    return gaps.union(collected.map { emitters.subtracting($0.keys) } ?? [])
  }

  // MARK: - Requests

  /// Notes a request at `time`, in s. From now on pieces are made.
  func ask(at time: Double) {
    lastAsked = time
    guard !isWanted else { return }
    isWanted = true
    (pieces, states, collected, open, lastFaders) = ([:], [:], nil, [], nil)
    (number, nextState, gaps) = (Self.number(at: time), time, emitters)
  }

  /// The number of the piece at `time`, in s.
  static func number(at time: Double) -> Int { Int((time / length).rounded(.down)) }

  /// A complete piece.
  func piece(_ number: Int) -> ByteBuffer? { pieces[number] }

  /// A state.
  func state(after number: Int) -> ByteBuffer? { states[number] }

  /// Waits for the end of a piece; nil: for the first state.
  func wait(for number: Int?, on loop: any EventLoop) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    waiting.append((number, promise))
    return promise.futureResult
  }

  // MARK: - Messages of the stage

  /// Takes the description of the stage, a record, and the numbers of its emitters.
  func describe(_ bytes: [UInt8], emitters numbers: Set<UInt16>) {
    let new = numbers.subtracting(emitters)
    (description, emitters) = (bytes, numbers)
    gaps = gaps.intersection(numbers).union(new)
    guard isWanted else { return }
    open += bytes
    // The states collected so far belong to the previous stage.
    if collected != nil { collected = [:] }
  }

  /// Forgets the stage, because there is none any more. The next one may have an earlier clock, so its pieces are
  /// others, from the first request on.
  func forget() {
    (description, emitters, gaps) = ([], [], [])
    stop()
    run = Self.newRun()
  }

  /// Makes no pieces until the next request.
  private func stop() {
    isWanted = false
    (pieces, states, collected, open) = ([:], [:], nil, [])
    close()
  }

  /// Takes a message of an emitter.
  func take(_ packet: StagePacket) {
    let number = packet.emitter
    guard isWanted, emitters.contains(number) else { return }
    switch packet.audience {
    case .following:
      guard !gaps.contains(number) else { return }
      open += packet.bytes
      if collected?[number] != nil { collected?[number]? += packet.bytes }
    case .all:
      gaps.remove(number)
      open += packet.bytes
      if collected != nil { collected?[number] = packet.bytes }
    case .waiting:
      let state = Self.forAll(packet.bytes)
      if gaps.remove(number) != nil { open += state }
      if collected != nil, collected?[number] == nil { collected?[number] = state }
    }
  }

  /// The state with the mark that every receiver must take it.
  private static func forAll(_ state: [UInt8]) -> [UInt8] {
    var state = state
    if state.indices.contains(StageRecord.headSize) { state[StageRecord.headSize] = 1 }
    return state
  }

  /// Takes a message that belongs to no emitter.
  func tell(_ bytes: [UInt8]) { if isWanted { open += bytes } }

  /// Notes that a message of an emitter was lost.
  func lose(_ number: UInt16) {
    guard emitters.contains(number) else { return }
    gaps.insert(number)
    collected?[number] = nil
  }

  /// Takes the master, 0…1, and the blackout.
  func note(master: Float, isDark: Bool) {
    let faders = Faders(master: master, blackout: isDark ? 1 : 0)
    guard isWanted, lastFaders != faders else { return }
    lastFaders = faders
    open += Self.record(faders)
  }

  private static func record(_ faders: Faders) -> [UInt8] {
    var faders = faders
    return PageRecord.faders.bytes { faders.code(&$0) }
  }

  /// Completes the pieces that end by `time`, in s.
  func advance(to time: Double) {
    guard isWanted else { return }
    if time - lastAsked > Self.rest { return stop() }
    if Self.number(at: time) - number > Self.most {
      // The clock has jumped, for instance because the machine was asleep: older pieces are useless.
      number = Self.number(at: time)
      gaps = emitters
      (open, collected) = ([], nil)
    }
    while Self.number(at: time) > number { end() }
    if collected == nil, time >= nextState, !description.isEmpty {
      collected = [:]
      nextState = time + Self.statePause
    }
  }

  /// Completes the piece in progress.
  private func end() {
    if open.count > Self.mostBytes {
      open = []
      gaps = emitters
    }
    pieces[number] = ByteBuffer(bytes: open)
    open = []
    if let all = collected, emitters.isSubset(of: all.keys), !description.isEmpty {
      var state = description
      if let lastFaders { state += Self.record(lastFaders) }
      for emitter in emitters.sorted() { state += all[emitter] ?? [] }
      if state.count <= Self.mostBytes { states[number] = ByteBuffer(bytes: state) }
      collected = nil
    }
    pieces = pieces.filter { $0.key > number - Self.most }
    states = states.filter { $0.key > number - Self.most }
    number += 1
    let (ended, hasState) = (number, !states.isEmpty)
    answer { number in number.map { $0 < ended } ?? hasState }
  }

  /// Ends all waits.
  func close() { answer { _ in true } }

  private func answer(_ isDue: (_ number: Int?) -> Bool) {
    let due = waiting.filter { isDue($0.number) }
    waiting.removeAll { isDue($0.number) }
    for (_, promise) in due { promise.succeed() }
  }
}
