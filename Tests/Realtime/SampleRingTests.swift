import Glibc
import Testing

@testable import Realtime

@Suite struct SampleRingTests {
  @Test func `a capacity is rounded up to a power of two`() {
    #expect(SampleRing(channels: 1, minimumCapacity: 65).capacity == 128)
    #expect(SampleRing(channels: 1, minimumCapacity: 128).capacity == 128)
    #expect(SampleRing(channels: 0, minimumCapacity: -5).capacity == 64)
    #expect(SampleRing(channels: 0, minimumCapacity: 0).channels == 1)
  }

  @Test func `samples come out of every channel as they were written, also across the ring's end`() {
    let ring = SampleRing(channels: 3, minimumCapacity: 64)
    var written: Int64 = 0
    for count in [50, 50, 64, 1, 63, 7] {
      for index in 0..<count {
        for channel in 0..<3 { put(ring, written + Int64(index), channel) }
      }
      written += Int64(count)
      ring.writer.commit(to: written)
      #expect(ring.writer.filled == count)
      #expect(ring.writer.free == ring.capacity - count)
      #expect(ring.reader.request(count) == count)
      for channel in 0..<3 {
        #expect(take(ring.reader, channel, count) == expected(from: written - Int64(count), count, channel))
      }
      ring.reader.consume(count)
    }
    #expect(ring.reader.position == written)
    #expect(ring.reader.available == 0)
    #expect(ring.writer.underruns == (0, 0))
  }

  @Test func `written samples are not visible before they are committed`() {
    let ring = SampleRing(channels: 1, minimumCapacity: 64)
    put(ring, 0, 0)
    #expect(ring.reader.available == 0)
    ring.writer.commit(to: 1)
    #expect(ring.reader.available == 1)
  }

  @Test func `a request for more than exists counts as one underrun with the missing samples`() {
    let ring = SampleRing(channels: 1, minimumCapacity: 64)
    ring.writer.commit(to: 10)
    #expect(ring.reader.request(16) == 10)
    #expect(ring.writer.underruns == (1, 6))
    ring.reader.consume(10)
    #expect(ring.reader.request(16) == 0)
    #expect(ring.writer.underruns == (2, 22))
    #expect(ring.reader.request(0) == 0)
    #expect(ring.reader.request(-3) == 0)
    #expect(ring.writer.underruns == (2, 22))
  }

  @Test func `the last samples of a stream are no underrun`() {
    let ring = SampleRing(channels: 1, minimumCapacity: 64)
    #expect(ring.reader.end == nil)
    ring.writer.end(at: 10)
    #expect(ring.reader.request(16) == 0)  // the end is known, but its samples are late
    #expect(ring.writer.underruns.count == 1)
    ring.writer.commit(to: 10)
    #expect(ring.reader.request(16) == 10)
    #expect(ring.writer.underruns.count == 1)
    #expect(!ring.reader.isEnded)
    ring.reader.consume(10)
    #expect(ring.reader.isEnded)
    #expect(ring.reader.end == 10)
    #expect(ring.writer.end == 10)
    #expect(ring.reader.request(16) == 0)
    #expect(ring.writer.underruns.count == 1)
  }

  @Test func `an empty stream ends at its start`() {
    let ring = SampleRing(channels: 1, minimumCapacity: 64)
    #expect(!ring.reader.isEnded)
    ring.writer.end(at: 0)
    #expect(ring.reader.isEnded)
  }

  @Test func `two threads pass a million samples in random pieces without a loss`() {
    let total: Int64 = 1_000_000
    let ring = SampleRing(channels: 2, minimumCapacity: 1024)
    let producer = Producer(ring: ring, total: total)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Producer>.fromOpaque(argument!).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(producer).toOpaque())
    var random = Pieces(state: 7)
    var position: Int64 = 0
    var wrong = 0
    let room = UnsafeMutablePointer<Float>.allocate(capacity: 2048)
    defer { room.deallocate() }
    while !ring.reader.isEnded {
      let there = min(ring.reader.available, random.next(700))
      if there == 0 { sched_yield() }
      for channel in 0..<2 {
        ring.reader.read(channel: channel, into: room, count: there)
        for index in 0..<there where room[index] != value(position + Int64(index), channel) { wrong += 1 }
      }
      ring.reader.consume(there)
      position += Int64(there)
    }
    pthread_join(thread, nil)
    #expect(wrong == 0)
    #expect(position == total)
  }

  @Test func `the callback's end passes the audit`() {
    let ring = SampleRing(channels: 1, minimumCapacity: 64)
    ring.writer.end(at: 3)
    ring.writer.commit(to: 3)
    let room = UnsafeMutablePointer<Float>.allocate(capacity: 64)
    defer { room.deallocate() }
    #expect(callback(ring.reader, room) == 3)
    #expect(sampleRingAudit(ring.reader, room))
  }
}

/// Defined in another module than the ring, like a node. The build fails if the reader could allocate or lock.
@_noLocks
private func callback(_ reader: SampleRingReader, _ room: UnsafeMutablePointer<Float>) -> Int {
  let there = reader.request(16)
  for channel in 0..<reader.channels { reader.read(channel: channel, into: room, count: there) }
  reader.consume(there)
  return reader.isEnded && reader.end == reader.position ? there : -1
}

/// The value of a sample: exact in a float, different in each channel.
private func value(_ position: Int64, _ channel: Int) -> Float { Float(position * 4 + Int64(channel)) }

private func put(_ ring: SampleRing, _ position: Int64, _ channel: Int) {
  ring.writer.pointer(at: position)[channel * ring.writer.stride] = value(position, channel)
}

private func take(_ reader: SampleRingReader, _ channel: Int, _ count: Int) -> [Float] {
  [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
    reader.read(channel: channel, into: buffer.baseAddress!, count: count)
    initialized = count
  }
}

private func expected(from position: Int64, _ count: Int, _ channel: Int) -> [Float] {
  (0..<Int64(count)).map { value(position + $0, channel) }
}

/// Random numbers that are the same in every run.
private struct Pieces {
  var state: UInt64
  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return 1 + Int(state >> 33) % limit
  }
}

/// Writes a known sequence in random pieces.
private final class Producer: Sendable {
  let ring: SampleRing
  let total: Int64
  init(ring: SampleRing, total: Int64) {
    self.ring = ring
    self.total = total
  }

  func run() {
    var random = Pieces(state: 1)
    let writer = ring.writer
    var position: Int64 = 0
    while position < total {
      let count = min(
        writer.free, random.next(900), writer.contiguous(from: position), Int(total - position))
      if count == 0 {
        sched_yield()
        continue
      }
      let destination = writer.pointer(at: position)
      for channel in 0..<2 {
        for index in 0..<count {
          destination[channel * writer.stride + index] = value(position + Int64(index), channel)
        }
      }
      position += Int64(count)
      if position == total { writer.end(at: total) }
      writer.commit(to: position)
    }
  }
}
