import Playback
import Synchronization
import TestSounds
import TestSupport

@testable import Realtime

/// A crossfade buffer with a reader that a test calls, in segments of any size.
final class CrossfadeRig {
  let buffer: CrossfadeBuffer
  let transport: HostTransport?
  private let hand: SteppedReader
  private var generation: Int64 = 0

  init(channels: Int = 1, fade: Int = 100, follows: Bool = false) {
    buffer = CrossfadeBuffer(channels: channels, minimumCapacity: 0, fade: fade)
    transport = follows ? HostTransport() : nil
    hand = SteppedReader(buffer, follows: transport?.shared)
  }

  var reader: UnsafeMutablePointer<CrossfadeReader> { hand.reader }
  /// Samples of the timeline so far.
  var sample: Int64 { hand.sample }
  /// Whether the callback did nothing that it must not do.
  var isClean: Bool { hand.isClean }

  /// Fills a free side with `sound` and offers it. Nil if no side is free.
  @discardableResult
  func offer(
    _ sound: [Float], ends: Bool = true, splice: Int64? = nil, isBeginning: Bool = true, base: Int64 = 0,
    calls: Bool = false
  ) -> Int? {
    generation += 1
    if calls { buffer.invalidate(before: generation) }
    guard let side = buffer.freeSide else { return nil }
    buffer.clear(side)
    feed(side, sound, ends: ends)
    buffer.offer(side, generation: generation, splice: splice, isBeginning: isBeginning, base: base)
    return side
  }

  /// Writes further samples into a side.
  func feed(_ side: Int, _ sound: [Float], ends: Bool) {
    let writer = buffer.side(side)
    var done = 0
    while done < sound.count {
      let at = writer.position
      let count = min(sound.count - done, writer.contiguous(from: at))
      for channel in 0..<buffer.channels {
        let target = writer.pointer(at: at) + channel * writer.stride
        for i in 0..<count { target[i] = sound[done + i] }
      }
      done += count
      if ends && done == sound.count { writer.end(at: at + Int64(count)) }
      writer.commit(to: at + Int64(count))
    }
    if ends && sound.isEmpty { writer.end(at: writer.position) }
  }

  /// Renders `count` samples in segments of at most `size`. Returns those of the last channel.
  func play(_ count: Int, by size: Int = 256) -> [Float] {
    var recorded: [Float] = []
    recorded.reserveCapacity(count)
    while recorded.count < count {
      let n = min(size, count - recorded.count)
      hand.render(n)
      if let transport, transport.shared.pointee.state.load(ordering: .relaxed) == 3 {
        _ = transport.shared.pointee.sample.wrappingAdd(Int64(n), ordering: .relaxed)
      }
      recorded += UnsafeBufferPointer(start: hand.buffers[buffer.channels - 1], count: n)
    }
    return recorded
  }

  /// Samples that show their place: the n-th is `from` + n thousandths.
  static func ramp(_ count: Int, from: Int = 0) -> [Float] {
    [Float](count: count) { Float(from + $0) / 1000 }
  }
}
