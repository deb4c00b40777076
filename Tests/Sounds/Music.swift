import CRealtime
import Glibc

/// Synthetic drums and music for which the time of every sound is known.
public enum Music {
  private static let rate = 48_000.0

  /// Adds a sound at a time in seconds, with a fade-out of 30 ms at its end.
  public static func put(_ sound: [Double], at time: Double, in music: inout [Float]) {
    let start = Int((time * rate).rounded())
    for (i, value) in sound.enumerated() where start + i < music.count {
      music[start + i] += Float(value * min(1, Double(sound.count - i) / 1440))
    }
  }

  private static func white(_ count: Int, seed: Int) -> [Double] {
    var samples = [Float](repeating: 0, count: count)
    vg_white(&samples, 0, UInt64(seed), 1, count)
    return samples.map(Double.init)
  }

  /// A bass drum: a sine that falls from 158 to 48 Hz, with a click at its start, 0.35 s.
  public static func kick(_ amplitude: Double, seed: Int = 1) -> [Double] {
    var phase = 0.0
    let click = white(96, seed: seed)
    return (0..<16_800).map { i in
      let t = Double(i) / rate
      phase += 2 * .pi * (48 + 110 * exp(-t * 35)) / rate
      return amplitude * (sin(phase) * exp(-t * 11) + (i < 96 ? 0.3 * click[i] * exp(-Double(i) / 30) : 0))
    }
  }

  /// A snare drum: noise and a tone of 190 Hz, 0.25 s.
  public static func snare(_ amplitude: Double, seed: Int = 2) -> [Double] {
    white(12_000, seed: seed).enumerated().map { i, x in
      let t = Double(i) / rate
      return amplitude * (0.5 * sin(2 * .pi * 190 * t) * exp(-t * 25) + x * exp(-t * 20))
    }
  }

  /// A closed hi-hat: high-pass noise, 0.12 s.
  public static func hat(_ amplitude: Double, seed: Int = 3) -> [Double] {
    let x = white(5760, seed: seed)
    return (0..<5760).map { i in
      let edge = (i > 1 ? x[i] - 2 * x[i - 1] + x[i - 2] : 0)
      return amplitude * 0.4 * edge * exp(-Double(i) / rate * 60)
    }
  }

  /// A tom: a sine that falls from 154 to 110 Hz, 0.4 s.
  public static func tom(_ amplitude: Double) -> [Double] {
    var phase = 0.0
    return (0..<19_200).map { i in
      let t = Double(i) / rate
      phase += 2 * .pi * 110 * (1 + 0.4 * exp(-t * 20)) / rate
      return amplitude * sin(phase) * exp(-t * 9)
    }
  }

  /// A note with eight harmonics, a vibrato and an attack of 20 ms.
  public static func note(_ frequency: Double, seconds: Double, _ amplitude: Double) -> [Double] {
    var phase = 0.0
    return (0..<Int((seconds + 0.05) * rate)).map { i in
      let t = Double(i) / rate
      phase += 2 * .pi * frequency * exp2(0.4 / 12 * sin(2 * .pi * 5.5 * t) * min(1, t / 0.1)) / rate
      var sum = 0.0
      for harmonic in 1...8 { sum += sin(Double(harmonic) * phase) / pow(Double(harmonic), 1.2) }
      let end = t < seconds ? 1 : max(0, 1 - (t - seconds) / 0.05)
      return amplitude * sum * min(1, t / 0.02) * end * (0.75 + 0.25 * exp(-t * 6))
    }
  }

  /// Constant noise.
  public static func floor(_ count: Int, _ amplitude: Float) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    vg_white(&samples, 0, 99, amplitude, count)
    return samples
  }

  /// The F-measure of found and expected times, as in MIREX and mir_eval: each expected time is matched at most once,
  /// within `window` seconds.
  public static func score(_ found: [Double], _ expected: [Double], within window: Double) -> Double {
    var (hits, place) = (0, 0)
    for time in expected.sorted() {
      while place < found.count, found[place] < time - window { place += 1 }
      if place < found.count, found[place] <= time + window {
        hits += 1
        place += 1
      }
    }
    return 2 * Double(hits) / Double(max(1, found.count + expected.count))
  }

  /// Partials up to 16 kHz with an amplitude by their number and different phases, rising for half a second. One second
  /// of the sound repeats, because all frequencies are whole numbers of Hz.
  public static func held(
    _ frequency: Int, _ amplitude: Double, seconds: Int = 4, odd: Bool = false, shift: Int = 0
  ) -> [Float] {
    let sine = (0..<48_000).map { sin(2 * .pi * Double($0) / 48_000) }
    let partials = stride(from: 1, through: 16_000 / frequency, by: odd ? 2 : 1)
    let second = (0..<48_000).map { i in
      partials.reduce(0.0) { $0 + sine[(i * frequency + shift * $1) * $1 % 48_000] / Double($1) }
    }
    return (0..<seconds * 48_000).map { i in
      Float(amplitude * min(1, Double(i) / 24_000) * second[i % 48_000])
    }
  }
}
