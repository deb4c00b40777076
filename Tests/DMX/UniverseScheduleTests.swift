import DMX
import Testing

/// The times at which packets of a universe are sent.
@Suite struct UniverseScheduleTests {
  /// The times at which frames of `fps` send a universe whose slots change in some frames.
  private func times(fps: Double, rate: Double = 44, frames: Int, index: Int = 0, changes: Set<Int>) -> [Int]
  {
    var schedule = UniverseSchedule(index: index)
    let interval = UniverseSchedule.interval(rate: rate, fps: fps)
    return (0..<frames).filter { frame in
      if changes.contains(frame) { schedule.change() }
      let time = Double(frame) / fps
      guard schedule.isDue(at: time, interval: interval, frame: 1 / fps) else { return false }
      schedule.note(sentAt: time)
      return true
    }
  }

  @Test func `a change is sent at once, then three equal packets, then nothing for 0.8 s`() {
    #expect(times(fps: 40, frames: 70, changes: [30]) == [0, 1, 2, 3, 30, 31, 32, 33, 67])
  }

  @Test func `frames faster than DMX are thinned out evenly`() {
    #expect(times(fps: 60, frames: 12, changes: Set(0..<12)) == [0, 2, 4, 6, 8, 10])
    #expect(times(fps: 1000, frames: 70, changes: Set(0..<70)) == [0, 23, 46, 69])
    #expect(times(fps: 44, frames: 4, changes: Set(0..<4)) == [0, 1, 2, 3])
    #expect(times(fps: 60, rate: 60, frames: 4, changes: Set(0..<4)) == [0, 1, 2, 3])
  }

  @Test(arguments: [8000, 44_100, 48_000, 192_000])
  func `frames of whole samples, and so not of equal length, are all sent`(rate: Int) {
    for (fps, step) in [(44.0, 1), (50, 2), (120, 3), (1000, 23)] {
      var schedule = UniverseSchedule(index: 0)
      let interval = UniverseSchedule.interval(rate: 44, fps: fps)
      let sent = (1...2200).filter { frame in
        schedule.change()
        let time = (Double(frame * rate) / fps).rounded() / Double(rate)
        guard schedule.isDue(at: time, interval: interval, frame: 1 / fps) else { return false }
        schedule.note(sentAt: time)
        return true
      }
      #expect(sent == Array(stride(from: 1, through: 2200, by: step)), "\(fps) fps")
    }
  }

  @Test
  func `an unchanged universe is sent every 0.8 to 1 s, at any frame rate, and not in one burst with others`()
  {
    var moments: Set<Int> = []
    for fps in [5.0, 8, 24, 25, 29.97, 44, 60, 1000] {
      for index in 0..<100 {
        let sent = times(fps: fps, frames: Int(30 * fps), index: index, changes: []).dropFirst(4)
        let gaps = zip(sent, sent.dropFirst()).map { Double($1 - $0) / fps }
        #expect(gaps.allSatisfy { $0 >= 0.8 - 1e-9 && $0 <= 1 + 1e-9 }, "\(fps) fps: \(gaps)")
        if fps == 60, let first = sent.first { moments.insert(first) }
      }
    }
    #expect(moments.count >= 7)
  }
}

/// Slots as in a patch.
@Suite struct SlotAddressTests {
  @Test func `an address is a universe and a slot, both from 1`() {
    #expect(SlotAddress("1/1") == SlotAddress(universe: 1, slot: 1))
    #expect(SlotAddress("63999/512")?.description == "63999/512")
    for text in ["0/1", "1/0", "1/513", "64000/1", "1", "1/1/1", "/", "+1/1", "1/-1", " 1/1", "1.1", ""] {
      #expect(SlotAddress(text) == nil, "\(text)")
    }
  }

  @Test func `channels go on in the following universes`() {
    let first = SlotAddress("3/511")
    #expect(first?.advanced(by: 1)?.description == "3/512")
    #expect(first?.advanced(by: 2)?.description == "4/1")
    #expect(first?.advanced(by: 1026)?.description == "6/1")
    #expect(SlotAddress("63999/512")?.advanced(by: 1) == nil)
  }

  @Test func `a level is a byte, rounded`() {
    #expect(
      [0, 0.001, 0.002, 0.5, 0.998, 0.999, 1, 2, -1].map { SlotAddress.byte(of: $0) } == [
        0, 0, 1, 128, 254, 255, 255, 255, 0,
      ])
  }
}
