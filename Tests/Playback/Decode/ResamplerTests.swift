import Glibc
import TestSounds
import Testing

@testable import Playback

/// Samples in memory as a source.
private final class Samples: SampleSource {
  let values: [[Float]]
  var position = 0
  var fault: AudioError?
  var channels: Int { values.count }
  init(_ values: [[Float]]) { self.values = values }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    let given = min(count, values[0].count - position)
    for channel in 0..<channels {
      for index in 0..<given { destination[channel][index] = values[channel][position + index] }
    }
    position += given
    return given
  }
}

private func resampled(_ values: [[Float]], _ from: Int, _ to: Int, pieces: [Int] = [1000]) throws
  -> [[Float]]
{
  all(of: try Resampler(Samples(values), from: from, to: to, path: "x"), pieces: pieces)
}

private func sine(_ frequency: Double, rate: Double, count: Int) -> [Float] {
  [Float](count: count) { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
}

/// The level of everything but the fitted sine, below that sine, in dB; amplitude and phase are fitted.
private func distortion(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Double) -> Double {
  // Least squares for sine and cosine. Over many whole periods the two are nearly orthogonal, so one iteration is
  // enough.
  var residue = samples.map(Double.init)
  let angle = 2 * .pi * frequency / rate
  var power = 0.0
  for _ in 0..<3 {
    var inPhase = 0.0
    var quadrature = 0.0
    for index in residue.indices {
      inPhase += residue[index] * sin(angle * Double(index))
      quadrature += residue[index] * cos(angle * Double(index))
    }
    inPhase *= 2 / Double(residue.count)
    quadrature *= 2 / Double(residue.count)
    power = max(power, (inPhase * inPhase + quadrature * quadrature) / 2)
    for index in residue.indices {
      residue[index] -= inPhase * sin(angle * Double(index)) + quadrature * cos(angle * Double(index))
    }
  }
  return 10 * log10(residue.reduce(0) { $0 + $1 * $1 } / Double(residue.count) / power)
}

@Suite struct ResamplerTests {
  @Test func `a length at another rate is rounded half up and never overflows`() {
    #expect(Resampler.length(of: 441, from: 44100, to: 48000) == 480)
    #expect(Resampler.length(of: 1, from: 44100, to: 48000) == 1)
    #expect(Resampler.length(of: 1, from: 48000, to: 24000) == 1)  // 0.5
    #expect(Resampler.length(of: 1, from: 48000, to: 16000) == 0)  // 0.33
    #expect(Resampler.length(of: 3, from: 48000, to: 24000) == 2)  // 1.5
    #expect(Resampler.length(of: 0, from: 44100, to: 48000) == 0)
    #expect(Resampler.length(of: 441_000_000_000_000, from: 44100, to: 48000) == 480_000_000_000_000)
  }

  @Test(arguments: [
    (44100, 48000), (48000, 44100), (44100, 96000), (96000, 44100), (22050, 48000), (8000, 48000),
    (11024, 48000),
    (1000, 768_000), (768_000, 1000), (48000, 47999),
  ])
  func `a sound has exactly its length at the other rate`(_ from: Int, _ to: Int) throws {
    for count in [1, 2, 441, 4095, 4096, 4097, 30_011] {
      let length = try resampled([noise(count)], from, to)[0].count
      #expect(Int64(length) == Resampler.length(of: Int64(count), from: from, to: to))
    }
  }

  @Test func `an impulse is at its exact time`() throws {
    var impulse = [Float](repeating: 0, count: 44100)
    for second in [0, 147, 14700, 43953] { impulse[second] = 1 }
    let output = try resampled([impulse], 44100, 48000)[0]
    for sample in [0, 160, 16000, 47840] {
      let around = max(0, sample - 20)...min(output.count - 1, sample + 20)
      #expect(around.max { abs(output[$0]) < abs(output[$1]) } == sample)
    }
  }

  @Test(arguments: [997.0, 10_007, 18_000])
  func `a sine is resampled with everything else 110 dB below it`(_ frequency: Double) throws {
    let output = try resampled([sine(frequency, rate: 44100, count: 132_300)], 44100, 48000)[0]
    #expect(output.count == 144_000)
    #expect(distortion(output[24_000..<120_000], frequency, rate: 48000) < -110)
    // The amplitude and phase are exact, too: the fit above would not show a shift.
    let wanted = sine(frequency, rate: 48000, count: 144_000)
    #expect((24_000..<120_000).allSatisfy { abs(output[$0] - wanted[$0]) < 2e-4 })
  }

  @Test func `the output does not depend on the sizes of requests`() throws {
    let sound = [noise(50_000), noise(50_000, seed: 2)]
    let whole = try resampled(sound, 44100, 48000, pieces: [60_000])
    for pieces in [[1], [63, 1024, 7], [4096], [5000, 1]] {
      #expect(try resampled(sound, 44100, 48000, pieces: pieces) == whole)
    }
  }

  @Test func `channels do not affect each other`() throws {
    let silence = [Float](repeating: 0, count: 10_000)
    let output = try resampled([silence, noise(10_000), silence], 44100, 48000)
    #expect(output[0].allSatisfy { $0 == 0 })
    #expect(output[2].allSatisfy { $0 == 0 })
    #expect(try output[1] == resampled([noise(10_000)], 44100, 48000)[0])
  }

  @Test func `invalid rates and speeds are refused, and the reason names them`() {
    #expect(throws: AudioError(.rate, path: "x", reason: "0 Hz to 48000 Hz")) {
      _ = try Resampler(Samples([[0]]), from: 0, to: 48000, path: "x")
    }
    #expect(throws: AudioError(.rate, path: "x", reason: "44100 Hz to 48000 Hz at speed 5.0")) {
      _ = try Resampler(Samples([[0]]), from: 44100, to: 48000, speed: 5, path: "x")
    }
  }

  @Test func `the source's fault is passed on`() throws {
    let source = Samples([[0]])
    let resampler = try Resampler(source, from: 44100, to: 48000, path: "x")
    #expect(resampler.fault == nil)
    source.fault = AudioError(.truncated, path: "y")
    #expect(resampler.fault == source.fault)
  }
}
