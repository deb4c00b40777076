import Realtime
import Testing

/// Samples on their way to the frame thread.
@Suite struct SampleTapTests {
  private func write(_ tap: SampleTap, at place: Int64, _ samples: [Float]) -> Bool {
    guard tap.writer.begin(at: place, samples.count) else { return false }
    tap.writer.write(channel: 0, samples, count: samples.count)
    tap.writer.commit(samples.count)
    return true
  }

  private func read(_ tap: SampleTap, at place: Int64, _ count: Int) -> [Float] {
    var samples = [Float](repeating: -1, count: count)
    tap.reader.read(channel: 0, at: place, into: &samples, count: count)
    return samples
  }

  @Test func `samples are read at their places, again and again, and silence where there are none`() {
    let tap = SampleTap(channels: 2, minimumCapacity: 64)
    #expect(tap.reader.places.isEmpty)
    #expect(write(tap, at: 1000, [1, 2, 3]))
    #expect(write(tap, at: 1003, [4, 5]))
    #expect(tap.reader.places == 1000..<1005)
    #expect(read(tap, at: 998, 9) == [0, 0, 1, 2, 3, 4, 5, 0, 0])
    tap.reader.release(before: 1003)
    #expect(tap.reader.places == 1003..<1005)
    #expect(read(tap, at: 1001, 4) == [0, 0, 4, 5])
  }

  @Test func `a ring wraps around, and keeps the samples that its reader reads again`() {
    let tap = SampleTap(channels: 1, minimumCapacity: 64)
    var place: Int64 = 0
    for piece in 0..<100 {
      let samples = (0..<13).map { Float(Int(place) + $0) }
      #expect(write(tap, at: place, samples), "\(piece)")
      place += 13
      let expected = (0..<40).map { Float(max(0, Int(place) - 40 + $0)) }
      #expect(read(tap, at: place - 40, 40) == expected)
      tap.reader.release(before: place - 40)
    }
  }

  @Test func `a late reader loses later samples, and starts anew when it has read the rest`() {
    let tap = SampleTap(channels: 1, minimumCapacity: 64)
    #expect(write(tap, at: 0, Array(repeating: 1, count: 60)))
    #expect(!write(tap, at: 60, Array(repeating: 2, count: 10)))
    // There is room for these samples, but they would not follow the existing ones.
    tap.reader.release(before: 30)
    #expect(!write(tap, at: 70, [3]))
    #expect(tap.reader.places == 30..<60)
    tap.reader.release(before: 100)
    #expect(write(tap, at: 71, [4, 5]))
    #expect(tap.reader.places == 71..<73)
    #expect(read(tap, at: 69, 5) == [0, 0, 4, 5, 0])
  }
}
