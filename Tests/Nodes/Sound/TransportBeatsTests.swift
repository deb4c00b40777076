import Realtime
import Testing

@testable import Nodes

/// Beats of a transport, by the times that a timebase master states.
@Suite struct TransportBeatsTests {
  private typealias Beat = TransportBeats.Beat

  /// A time in 4/4.
  private static func time(_ beats: Double, tempo: Double = 120, ticks: Double = 1920, bar: Double = 4)
    -> TransportTime
  {
    TransportTime(
      beats: beats, barBeats: beats.truncatingRemainder(dividingBy: bar), beatsPerBar: bar, tempo: tempo,
      ticksPerBeat: ticks)
  }

  /// A frame of 800 samples at 48 kHz, 1/30 of a beat at 120 beats a minute.
  private static func take(_ beats: inout TransportBeats, _ time: TransportTime, rolled: Double = 800)
    -> [Beat]
  {
    beats.take(time, rolled: rolled, step: time.tempo / 60 / 48_000)
  }

  @Test func `a beat at the first sample is reported, and one at the last sample with the next frame`() {
    var beats = TransportBeats()
    #expect(Self.take(&beats, Self.time(1 / 30.0)) == [Beat(number: 0, ago: 800, isBar: true)])
    #expect(Self.take(&beats, Self.time(2 / 30.0)) == [])
    var second = TransportBeats()
    #expect(Self.take(&second, Self.time(1)) == [])
    #expect(Self.take(&second, Self.time(1 + 1 / 30.0)) == [Beat(number: 1, ago: 800, isBar: false)])
    var third = TransportBeats()
    #expect(Self.take(&third, Self.time(4.01)) == [Beat(number: 4, ago: 240, isBar: true)])
    // A jump to another time and back: that is another beat.
    #expect(Self.take(&third, Self.time(2.01)) == [Beat(number: 2, ago: 240, isBar: false)])
    #expect(Self.take(&third, Self.time(4.01)) == [Beat(number: 4, ago: 240, isBar: true)])
  }

  @Test func `with 48 ticks a beat no beat is lost or reported twice between two ticks`() {
    // The cycle of the first frame began one sample before beat 1, and so a tick too low; that of the next frame after
    // it.
    var late = TransportBeats()
    _ = Self.take(&late, Self.time(1 - 1 / 30.0 + 0.0100, ticks: 48))
    #expect(Self.take(&late, Self.time(0.9892, ticks: 48)) == [])
    #expect(
      Self.take(&late, Self.time(1.0423, ticks: 48)) == [Beat(number: 1, ago: 800, isBar: false)])
    // The opposite case.
    var early = TransportBeats()
    _ = Self.take(&early, Self.time(0.98, ticks: 48))
    #expect(Self.take(&early, Self.time(1.0133, ticks: 48)) == [Beat(number: 1, ago: 319, isBar: false)])
    #expect(Self.take(&early, Self.time(1.0258, ticks: 48)) == [])
    // Ticks as long as frames: the time stands still, and goes back.
    var coarse = TransportBeats()
    _ = Self.take(&coarse, Self.time(0.99, ticks: 24))
    #expect(Self.take(&coarse, Self.time(1.0200, ticks: 24)) == [Beat(number: 1, ago: 480, isBar: false)])
    #expect(Self.take(&coarse, Self.time(0.9950, ticks: 24)) == [])
    #expect(Self.take(&coarse, Self.time(1.0300, ticks: 24)) == [])
  }

  @Test(arguments: [1, 4, 24, 48, 96, 480, 1920], [16, 64, 256, 1024, 8192])
  func `every beat is reported once, at most a tick late, at any ticks a beat`(ticks: Int, cycle: Int) {
    for (tempo, start) in [(60, 0), (120, 1), (117.3, 7777), (174, 23_871)] as [(Double, Int)] {
      let step = tempo / 60 / 48_000
      var beats = TransportBeats()
      var numbers: [Int] = []
      var newest = -Double.infinity
      for end in stride(from: start + 800, through: start + 30 * 48_000, by: 800) {
        let begin = start + (end - 1 - start) / cycle * cycle
        // The beat by ticks, which is not the exact one.
        let counted = (Double(begin) * step * Double(ticks)).rounded(.down) / Double(ticks)
        let time = Self.time(counted + Double(end - begin) * step, tempo: tempo, ticks: Double(ticks))
        newest = max(newest, time.beats)
        for beat in Self.take(&beats, time) {
          numbers.append(beat.number)
          let late = Double(end) - Double(beat.ago) - Double(beat.number) / step
          #expect((-1...(1 / Double(ticks) + 0.005) / step + 1).contains(late), "beat \(beat.number)")
        }
      }
      // The first beat counted from the tick in which the transport began to roll.
      let begin = (Double(start) * step * Double(ticks)).rounded(.down) / Double(ticks)
      let first = Int((begin - 0.005).rounded(.up))
      #expect(numbers == Array(first..<Int((newest - 0.005).rounded(.up))), "\(tempo) from \(start)")
    }
  }

  @Test func `a frame has at most a thousand beats, all within it`() {
    var beats = TransportBeats()
    let all = beats.take(Self.time(0x1p40, tempo: 10_000), rolled: 1e12, step: 10_000 / 60 / 48_000)
    #expect(all.count == 1000 && all.allSatisfy { (0...1_000_000_000_000).contains($0.ago) })
    var still = TransportBeats()
    #expect(still.take(Self.time(4.99, ticks: 48), rolled: 0, step: 1e-300) == [])
    #expect(
      still.take(Self.time(5.01, ticks: 48), rolled: 0, step: 1e-300)
        == [Beat(number: 5, ago: 0, isBar: false)])
  }
}
