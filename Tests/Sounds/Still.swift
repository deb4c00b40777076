import CRealtime
import Glibc

/// Sounds without a beat: speech and swelling chords.
extension Music {
  /// Pseudorandom numbers, 0…1, the same in every run.
  private static func chances(_ count: Int, seed: Int) -> [Double] {
    var samples = [Float](repeating: 0, count: count)
    vg_white(&samples, 0, UInt64(seed), 1, count)
    return samples.map { Double(abs($0)) }
  }

  /// Adds up to `count` partials of a frequency, each with the amplitude of its number to the power `slope`.
  private static func partials(_ frequency: Double, _ count: Int, slope: Double, _ samples: Range<Int>)
    -> [Double]
  {
    var sound = [Double](repeating: 0, count: samples.count)
    for partial in 1...count {
      let (step, level) = (2 * .pi * frequency * Double(partial) / 48_000, pow(Double(partial), -slope))
      // sin(x + step) = 2 cos(step) sin(x) − sin(x − step); the sine of each sample would take most of the time of tests.
      var (now, before) = (sin(step * Double(samples.lowerBound)), sin(step * Double(samples.lowerBound - 1)))
      let factor = 2 * cos(step)
      for i in sound.indices {
        sound[i] += level * now
        (now, before) = (factor * now - before, now)
      }
    }
    return sound
  }

  /// Syllables of 0.12 to 0.3 s, each a buzz, with occasional pauses.
  public static func speech(_ amplitude: Double, seconds: Double, seed: Int) -> [Float] {
    var sound = [Float](repeating: 0, count: Int(seconds * 48_000))
    let chances = chances(Int(seconds) * 40, seed: seed)
    var (place, start) = (0, 0.2)
    while start < seconds - 1 {
      let length = 0.12 + 0.18 * chances[place]
      let count = Int(length * 48_000)
      let buzz = partials(95 + 45 * chances[place + 1], 24, slope: 0.8, 0..<count)
      let level = amplitude * (0.4 + 0.6 * chances[place + 2])
      let first = Int(start * 48_000)
      for i in 0..<count {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(count))
        sound[first + i] += Float(0.3 * level * buzz[i] * window)
      }
      let pause =
        chances[place + 3] < 0.15 ? 0.3 + 0.6 * chances[place + 4] : 0.01 + 0.07 * chances[place + 4]
      start += length + pause
      place += 5
    }
    return sound
  }

  /// Detuned chords of 4 to 7 s that crossfade.
  public static func pad(_ amplitude: Double, seconds: Double, seed: Int) -> [Float] {
    var sound = [Float](repeating: 0, count: Int(seconds * 48_000))
    let chances = chances(200, seed: seed)
    var (place, start) = (0, 0.0)
    while start < seconds {
      let length = 4 + 3 * chances[place]
      let root = [110, 123.5, 130.8, 146.8, 164.8][Int(4.99 * chances[place + 1])]
      let first = Int(start * 48_000)
      let last = min(sound.count, Int((start + length + 1.5) * 48_000))
      for tone in [root, root * 1.5, root * 2.4] {
        for detuned in [0.997, 1.003] {
          let part = partials(tone * detuned, Int(6000 / tone), slope: 1, first..<last)
          for (i, value) in part.enumerated() {
            let time = Double(i) / 48_000
            let level = max(0, min(1, min(time, length + 1.5 - time) / 1.5))
            sound[first + i] += Float(0.1 * amplitude * level * value)
          }
        }
      }
      start += length
      place += 2
    }
    return sound
  }
}
