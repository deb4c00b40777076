import CJack
import Testing

/// Bars and beats of another program, the timebase master, in beats.
@Suite struct JackTimeTests {
  /// Half a beat after the third beat of the fifth bar, in 4/4 at 120 beats a minute, with a change. Returns beats
  /// since the first bar and since this one, beats in a bar, tempo, and ticks in a beat.
  private static func time(_ change: (inout jack_position_t) -> Void = { _ in }) -> [Double] {
    var position = jack_position_t()
    position.valid = JackPositionBBT
    position.frame_rate = 48_000
    (position.bar, position.beat, position.tick) = (5, 3, 960)
    (position.beats_per_bar, position.ticks_per_beat, position.beats_per_minute) = (4, 1920, 120)
    change(&position)
    let time = vg_jack_bars_and_beats(&position)
    return [time.beats, time.bar_beats, time.beats_per_bar, time.tempo, time.ticks_per_beat]
  }

  private static let noTimebase: [Double] = [0, 0, 0, 0, 0]

  @Test func `bars, beats and ticks are beats since the first bar, plus the time since the timebase was set`()
  {
    #expect(Self.time() == [18.5, 2.5, 4, 120, 1920])
    #expect(Self.time { ($0.bar, $0.beat, $0.tick) = (1, 1, 0) } == [0, 0, 4, 120, 1920])
    #expect(Self.time { $0.beats_per_bar = 3.5 } == [16.5, 2.5, 3.5, 120, 1920])
    // 0.25 s is half a beat.
    func late(_ samples: UInt32, of rate: UInt32 = 48_000) -> [Double] {
      Self.time {
        $0.valid = jack_position_bits_t(JackPositionBBT.rawValue | JackBBTFrameOffset.rawValue)
        ($0.bbt_offset, $0.frame_rate) = (samples, rate)
      }
    }
    #expect(late(12_000) == [19, 3, 4, 120, 1920])
    #expect(late(96_000) == [22.5, 6.5, 4, 120, 1920])
    #expect(
      late(96_001) == Self.noTimebase && late(.max) == Self.noTimebase && late(.max, of: 1) == Self.noTimebase
    )
    // A rate of 0 gives no time.
    #expect(late(12_000, of: 0) == [18.5, 2.5, 4, 120, 1920])
  }

  @Test func `the smallest and largest values of music are accepted`() {
    #expect(Self.time { $0.beats_per_minute = 1 } == [18.5, 2.5, 4, 1, 1920])
    #expect(Self.time { $0.beats_per_minute = 10_000 } == [18.5, 2.5, 4, 10_000, 1920])
    #expect(
      Self.time { ($0.beats_per_bar, $0.bar, $0.beat) = (1000, 1 << 24, 1000) }
        == [16_777_215_999.5, 999.5, 1000, 120, 1920])
    #expect(Self.time { ($0.ticks_per_beat, $0.tick) = (1, 1) } == [19, 3, 4, 120, 1])
    #expect(Self.time { ($0.ticks_per_beat, $0.tick) = (1e9, 500_000_000) } == [18.5, 2.5, 4, 120, 1e9])
  }

  @Test func `values that music does not have count as no timebase`() {
    #expect(Self.time { $0.valid = jack_position_bits_t(0) } == Self.noTimebase)
    // Memory that was never set is usually a denormal number.
    let numbers: [Double] = [
      .nan, .infinity, -.infinity, 0, -0.0, -1, .leastNormalMagnitude / 4, .leastNonzeroMagnitude, 0.999,
      0x1p53, 1e300,
    ]
    for number in numbers {
      #expect(Self.time { $0.beats_per_minute = number } == Self.noTimebase, "\(number) beats a minute")
      #expect(Self.time { $0.ticks_per_beat = number } == Self.noTimebase, "\(number) ticks")
      #expect(Self.time { $0.beats_per_bar = Float(number) } == Self.noTimebase, "\(number) beats in a bar")
    }
    for number in [.leastNonzeroMagnitude, Float(1000).nextUp, 3e38] as [Float] {
      #expect(Self.time { $0.beats_per_bar = number } == Self.noTimebase, "\(number) beats in a bar")
    }
    #expect(Self.time { $0.beats_per_minute = 10_000.nextUp } == Self.noTimebase)
    for number in [Int32.min, -1, 0, 1 << 24 + 1, .max] {
      #expect(Self.time { $0.bar = number } == Self.noTimebase, "bar \(number)")
    }
    for number in [Int32.min, -1, 0, 1001, .max] {
      #expect(Self.time { $0.beat = number } == Self.noTimebase, "beat \(number)")
    }
    for number in [Int32.min, -1, 1921, .max] {
      #expect(Self.time { $0.tick = number } == Self.noTimebase, "tick \(number)")
    }
  }
}
