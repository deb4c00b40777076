import Playback
import Synchronization
import TestSupport

@testable import Realtime

/// A deck with a voice that is driven by hand, in segments of any size.
final class DeckRig {
  let deck: Deck
  let transport: HostTransport?
  private let hand: HandTurnedVoice
  private var turn: Int64 = 0

  init(channels: Int = 1, fade: Int = 100, follows: Bool = false) {
    deck = Deck(channels: channels, minimumCapacity: 0, fade: fade)
    transport = follows ? HostTransport() : nil
    hand = HandTurnedVoice(deck, follows: transport?.words)
  }

  /// The voice.
  var voice: UnsafeMutablePointer<DeckVoice> { hand.voice }
  /// Samples of the timeline so far.
  var sample: Int64 { hand.sample }
  /// The callback did nothing forbidden.
  var isClean: Bool { hand.isClean }

  /// Fills a free lane with `sound` and offers it; nil where no lane is free.
  @discardableResult
  func offer(
    _ sound: [Float], ends: Bool = true, splice: Int64? = nil, isBeginning: Bool = true, base: Int64 = 0,
    calls: Bool = false
  ) -> Int? {
    turn += 1
    if calls { deck.call(turn: turn) }
    guard let lane = deck.freeLane else { return nil }
    deck.clear(lane)
    feed(lane, sound, ends: ends)
    deck.offer(lane, turn: turn, splice: splice, isBeginning: isBeginning, base: base)
    return lane
  }

  /// Writes further samples into a lane.
  func feed(_ lane: Int, _ sound: [Float], ends: Bool) {
    let writer = deck.lane(lane)
    var done = 0
    while done < sound.count {
      let at = writer.position
      let count = min(sound.count - done, writer.contiguous(from: at))
      for channel in 0..<deck.channels {
        let target = writer.pointer(at: at) + channel * writer.stride
        for i in 0..<count { target[i] = sound[done + i] }
      }
      done += count
      if ends && done == sound.count { writer.end(at: at + Int64(count)) }
      writer.commit(to: at + Int64(count))
    }
    if ends && sound.isEmpty { writer.end(at: writer.position) }
  }

  /// Renders so many samples in segments of at most `size`; gives the last channel's.
  func play(_ count: Int, by size: Int = 256) -> [Float] {
    var heard: [Float] = []
    heard.reserveCapacity(count)
    while heard.count < count {
      let n = min(size, count - heard.count)
      hand.turn(n)
      if let transport, transport.words.pointee.state.load(ordering: .relaxed) == 3 {
        _ = transport.words.pointee.frame.wrappingAdd(Int64(n), ordering: .relaxed)
      }
      heard += UnsafeBufferPointer(start: hand.buffers[deck.channels - 1], count: n)
    }
    return heard
  }

  /// Samples that tell where they are from: the n-th is `from` + n thousandths.
  static func ramp(_ count: Int, from: Int = 0) -> [Float] { (0..<count).map { Float(from + $0) / 1000 } }
}
