import NIOCore
import Nodes
import Particles

/// The stage as a row of small files, for caches that stand between a show and any number of viewers: pieces of half a second
/// of what a WebSocket would be sent, and now and then all that a viewer needs to begin. [view]
///
/// A piece is numbered by the clock and never changes. A state is what one who joined would be sent up to the end of a piece:
/// taken with the pieces behind it, it gives the same particles to the bit. Nothing is made while nobody asks.
final class StagePieces: @unchecked Sendable {
  /// How long a piece is, in seconds.
  static let length = 0.5
  /// Seconds from the end of a frame until all who look on show it: a piece, the way, and what caches need.
  static let delay = 1.5
  /// Seconds from one state to the next.
  private static let statePause = 1.0
  /// How many pieces are kept: what a viewer may lag behind.
  private static let most = 24
  /// The most bytes of a piece, and of a state; what has more begins anew.
  private static let mostBytes = 64 << 20
  /// Seconds without a question after which nothing is made any more.
  private static let rest = 10.0
  /// The kind of the record that states the master fader and the blackout; StageRecord has none for it.
  private static let faders: UInt8 = 11

  /// Tells this run of the program from all others: caches keep what they have.
  let run: String
  private var lastAsked = -Double.infinity
  /// By number.
  private var pieces: [Int: ByteBuffer] = [:]
  /// By the number of the piece at whose end they are right.
  private var states: [Int: ByteBuffer] = [:]
  /// The piece that is being made, and its number.
  private var open: [UInt8] = []
  private(set) var number = 0
  private var description: [UInt8] = []
  private var emitters: Set<UInt16> = []
  /// Emitters of which something was lost: their next state is a part of the piece, and nothing is before it.
  private var gaps: Set<UInt16> = []
  /// While a state is being made: of each emitter its state and all that has come since.
  private var collected: [UInt16: [UInt8]]?
  private var nextState = 0.0
  private var told: (master: Float, isDark: Bool)?
  /// Those who wait for the end of a piece, or for the first state.
  private var waiting: [(number: Int?, promise: EventLoopPromise<Void>)] = []

  init(run: String = String(UInt64.random(in: .min ... .max), radix: 16)) { self.run = run }

  /// Whether anybody asks for pieces, or has of late.
  private(set) var isWanted = false
  /// The piece at whose end the newest state is right; nil: there is none yet.
  var newestState: Int? { states.keys.max() }
  /// The emitters whose state is needed.
  var wanted: Set<UInt16> {
    guard isWanted else { return [] }
    return gaps.union(collected.map { emitters.subtracting($0.keys) } ?? [])
  }

  // MARK: - What is asked for

  /// A client asks, at a time in seconds of the clock: pieces are made from now on.
  func ask(at time: Double) {
    lastAsked = time
    guard !isWanted else { return }
    isWanted = true
    (pieces, states, collected, open, told) = ([:], [:], nil, [], nil)
    (number, nextState, gaps) = (Self.number(at: time), time, emitters)
  }

  /// The piece that is made at a time.
  static func number(at time: Double) -> Int { Int((time / length).rounded(.down)) }

  /// A piece that is whole.
  func piece(_ number: Int) -> ByteBuffer? { pieces[number] }

  /// A state.
  func state(after number: Int) -> ByteBuffer? { states[number] }

  /// Waits for the end of a piece, or, where none is named, for the first state.
  func wait(for number: Int?, on loop: any EventLoop) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    waiting.append((number, promise))
    return promise.futureResult
  }

  // MARK: - What has come

  /// What the stage is, a record, and its emitters.
  func describe(_ bytes: [UInt8], emitters numbers: Set<UInt16>) {
    let new = numbers.subtracting(emitters)
    (description, emitters) = (bytes, numbers)
    gaps = gaps.intersection(numbers).union(new)
    guard isWanted else { return }
    open += bytes
    // What was collected was of another stage.
    if collected != nil { collected = [:] }
  }

  /// There is no stage any more.
  func forget() { (description, emitters, gaps, collected) = ([], [], [], nil) }

  /// What has come of an emitter.
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

  /// A state that has to be taken, whatever one has.
  private static func forAll(_ state: [UInt8]) -> [UInt8] {
    var state = state
    if state.indices.contains(StageRecord.headSize) { state[StageRecord.headSize] = 1 }
    return state
  }

  /// What is of no emitter.
  func tell(_ bytes: [UInt8]) { if isWanted { open += bytes } }

  /// Something of an emitter was lost on the way.
  func lose(_ number: UInt16) {
    guard emitters.contains(number) else { return }
    gaps.insert(number)
    collected?[number] = nil
  }

  /// The master fader, 0…1, and the blackout, as they stand.
  func note(master: Float, isDark: Bool) {
    guard isWanted, told?.master != master || told?.isDark != isDark else { return }
    told = (master, isDark)
    open += Self.record(master, isDark)
  }

  private static func record(_ master: Float, _ isDark: Bool) -> [UInt8] {
    let head: [UInt8] = [faders, StageRecord.version, 0, 0, 5, 0, 0, 0]
    return head + withUnsafeBytes(of: master.bitPattern.littleEndian) { Array($0) } + [isDark ? 1 : 0]
  }

  /// Ends the pieces that are over at a time.
  func advance(to time: Double) {
    guard isWanted else { return }
    if time - lastAsked > Self.rest {
      isWanted = false
      (pieces, states, collected, open) = ([:], [:], nil, [])
      return close()
    }
    if Self.number(at: time) - number > Self.most {
      // The clock was away, with the machine asleep for one: what is old is of no use.
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

  /// Ends the piece that is being made.
  private func end() {
    if open.count > Self.mostBytes {
      open = []
      gaps = emitters
    }
    pieces[number] = ByteBuffer(bytes: open)
    open = []
    if let all = collected, emitters.isSubset(of: all.keys), !description.isEmpty {
      var state = description
      if let told { state += Self.record(told.master, told.isDark) }
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

  /// Nobody waits any more.
  func close() { answer { _ in true } }

  private func answer(_ isDue: (_ number: Int?) -> Bool) {
    let due = waiting.filter { isDue($0.number) }
    waiting.removeAll { isDue($0.number) }
    for (_, promise) in due { promise.succeed() }
  }
}
