import Glibc
import TestSounds
import Testing

@testable import Metering

/// What is heard of chords for bars.
@Suite struct BeatHarmonyTests {
  /// The last levels of a sound.
  private func levels(_ sound: [Float], rate: Double = 48_000, hop: Int = 256) -> [Float] {
    let semitones = SemitoneLevels(rate: rate, hop: hop)
    sound.withUnsafeBufferPointer { sound in
      for place in stride(from: 0, through: sound.count - hop, by: hop) {
        _ = semitones.take(sound.baseAddress! + place)
      }
    }
    return semitones.levels
  }

  private func sine(_ frequency: Double, rate: Double = 48_000) -> [Float] {
    [Float](count: 16_384) { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  @Test func `a semitone higher is a band further from 196 Hz on, at any sample rate`() throws {
    for (rate, hop) in [(44_100.0, 256), (48_000, 256), (96_000, 512), (192_000, 1024)] {
      // The tones in the middle of bands are semitones above 80 Hz.
      let places = (16..<50).map { semitone in
        let found = levels(sine(80 * exp2(Double(semitone) / 12), rate: rate), rate: rate, hop: hop)
        return found.indices.max { found[$0] < found[$1] } ?? -1
      }
      let steps = zip(places.dropFirst(), places).map { $0 - $1 }
      #expect(steps.allSatisfy { $0 == 1 }, "\(rate) Hz: \(places)")
    }
  }

  @Test func `there are levels every eight hops, and those of silence are 0`() {
    let semitones = SemitoneLevels(rate: 48_000, hop: 256)
    let silence = [Float](repeating: 0, count: 256)
    #expect((1...24).filter { _ in semitones.take(silence) }.count == 3)
    #expect(semitones.levels.count == 50)
    #expect(semitones.levels.allSatisfy { $0 == 0 })
    #expect(semitones.lateness == 2048.0 / 48_000)
  }

  @Test func `a beat with another chord is far from the last, and one with the same is near`() {
    let chords = [220.0, 330, 247, 294].map { levels(sine($0)) }
    var harmony = BeatHarmony()
    // Bars of two beats, each with a chord of its own.
    let changes = (0..<8).map { beat in
      for _ in 0..<3 { harmony.take(chords[beat / 2]) }
      return harmony.end()
    }
    for bar in 1..<4 {
      let (first, second) = (changes[2 * bar], changes[2 * bar + 1])
      #expect(first.x > 1 && first.y > 1 && first.z < 1e-4)
      #expect(second.x < 1e-4 && second.y > 1 && second.z > 1)
    }
  }

  @Test func `a beat of which nothing was heard says nothing`() {
    var harmony = BeatHarmony()
    #expect(harmony.end() == .zero)
    harmony.take(levels(sine(220)))
    #expect(harmony.end() == .zero)
    #expect(harmony.end() == .zero)
  }
}
