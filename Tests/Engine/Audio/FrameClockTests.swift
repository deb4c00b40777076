import Engine
import Realtime
import Testing

/// The ends of frames, compared with their formula.
@Suite struct FrameClockTests {
  /// round(n × rate × seconds ÷ frames), half up, in whole numbers.
  private func end(_ n: Int, rate: Int, frames: Int, seconds: Int) -> Int64 {
    Int64((2 * n * rate * seconds + frames) / (2 * frames))
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000])
  func `frames end where the formula says, over a million frames`(rate: Int) {
    for (frames, seconds) in [(24, 1), (25, 1), (30_000, 1001), (60, 1), (1000, 1), (7, 1)] {
      var clock = FrameClock(
        frame: 1, sample: 0, rate: Int64(rate), frames: Int64(frames), seconds: Int64(seconds))
      var begin: Int64 = 0
      var isRight = true
      for n in 1...1_000_000 {
        let end = end(n, rate: rate, frames: frames, seconds: seconds)
        isRight =
          isRight && clock.frame == Int64(n) && clock.begin == begin && clock.end == end
          && clock.length == UInt32(end - begin)
        begin = end
        clock.next()
      }
      #expect(isRight, "\(frames)/\(seconds)")
    }
  }

  @Test func `an epoch counts from its own frame and sample`() {
    var clock = FrameClock(frame: 1000, sample: 777, rate: 44_100, frames: 60, seconds: 1)
    for n in 0..<1000 {
      #expect(clock.frame == Int64(1000 + n))
      #expect(clock.begin == 777 + Int64(735 * n))
      clock.next()
    }
  }

  @Test func `a half is rounded up`() {
    // 3 samples in 2 frames: 1.5 rounds to 2.
    var clock = FrameClock(frame: 1, sample: 0, rate: 3, frames: 2, seconds: 1)
    #expect(clock.end == 2)
    clock.next()
    #expect(clock.end == 3)
  }

  @Test func `the slowest and the fastest frame clocks do not overflow`() {
    var clock = FrameClock(frame: 1, sample: 0, rate: 1 << 30, frames: 1, seconds: 1 << 20)
    #expect(clock.end == 1 << 50)
    clock = FrameClock(frame: 1, sample: 0, rate: 1, frames: 1 << 20, seconds: 1)
    var ends = 0
    for _ in 0..<(1 << 20) {
      ends += clock.end > clock.begin ? 1 : 0
      clock.next()
    }
    #expect(ends == 1)
  }
}
