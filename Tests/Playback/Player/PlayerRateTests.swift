import Glibc
import Realtime
import TestSounds
import Testing

@testable import Playback

/// Other sample rates of files, and other playing rates.
@Suite struct PlayerRateTests {
  let folder = Folder()

  private func sine(_ frequency: Double, rate: Int, seconds: Int = 6, level: Double = 1) -> String {
    let samples = [Float](count: rate * seconds) {
      Float(level * sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
    return folder.write(Wave.bytes(samples, channels: 1, rate: rate), "sine\(frequency)-\(rate).wav")
  }

  /// A frequency in cycles a sample, by the phase of a sine over a long stretch.
  private func frequency(_ samples: ArraySlice<Float>, near: Double) -> Double {
    let window = 8192
    func phase(_ begin: Int) -> Double {
      var re = 0.0
      var im = 0.0
      for i in 0..<window {
        let w = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(window))
        let x = Double(samples[begin + i]) * w
        re += x * cos(2 * .pi * near * Double(begin + i - samples.startIndex))
        im -= x * sin(2 * .pi * near * Double(begin + i - samples.startIndex))
      }
      return atan2(im, re)
    }
    // Small steps, so that no period is missed. The median leaves out the seams of the time stretch.
    let hop = 512
    var turns: [Double] = []
    var begin = samples.startIndex
    var before = phase(begin)
    while begin + hop + window < samples.endIndex {
      begin += hop
      let now = phase(begin)
      var turn = now - before
      if turn > .pi { turn -= 2 * .pi }
      if turn < -.pi { turn += 2 * .pi }
      turns.append(turn)
      before = now
    }
    turns.sort()
    return near + turns[turns.count / 2] / (2 * .pi * Double(hop))
  }

  @Test(arguments: [0.5, 0.8, 1.5, 2.0]) func `another playing rate keeps pitch, level and length`(
    _ rate: Double
  )
    throws
  {
    var settings = PlayerSettings()
    settings.rate = rate
    let rig = try PlayerRig([sine(997, rate: 48000, level: 0.5)], settings: settings)
    let length = Int((288_000 / rate).rounded())
    let recorded = rig.play(length + 5000)[0]
    #expect(rig.player.end == Int64(length))
    #expect(rig.player.snapshot.isOver)
    #expect(abs(rig.player.snapshot.currentTime - 6) < 0.01)
    let middle = recorded[20_000..<length - 20_000]
    let cents = 1200 * log2(frequency(middle, near: 997 / 48000.0) * 48000 / 997)
    #expect(abs(cents) < 1, "\(cents) cents")
    let mean = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
    let level = 10 * log10(mean / 0.125)
    #expect(abs(level) < 0.5, "\(level) dB")
  }

  @Test func `in varispeed the pitch follows the rate`() throws {
    var settings = PlayerSettings()
    settings.rate = 1.5
    settings.pitch = .varispeed
    let rig = try PlayerRig([sine(997, rate: 48000)], settings: settings)
    let recorded = rig.play(195_000)[0]
    #expect(rig.player.end == 192_000)
    let cents =
      1200 * log2(frequency(recorded[20_000..<170_000], near: 1.5 * 997 / 48000) * 48000 / 997 / 1.5)
    #expect(abs(cents) < 0.1)
  }

  @Test func `a full-scale sine is resampled to the host's rate with everything else 110 dB below`() throws {
    let rig = try PlayerRig([sine(997, rate: 44100)])
    let recorded = rig.play(250_000)[0]
    #expect(residue(recorded[48_000..<48_000 + 192_000], 997 / 48000.0) < -110)
    // The same after a seek, when the filter starts in the middle of the sound.
    rig.player.perform(.seek(1))
    let again = rig.play(220_000)[0]
    #expect(residue(again[480..<480 + 192_000], 997 / 48000.0) < -110)
  }

  /// The residue of a sound without its sine, relative to the sine, in dB.
  private func residue(_ samples: ArraySlice<Float>, _ cycles: Double) -> Double {
    var (ss, cc, xs, xc, sc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (i, x) in samples.enumerated() {
      let (s, c) = (sin(2 * .pi * cycles * Double(i)), cos(2 * .pi * cycles * Double(i)))
      ss += s * s
      cc += c * c
      sc += s * c
      xs += Double(x) * s
      xc += Double(x) * c
    }
    let d = ss * cc - sc * sc
    let (a, b) = ((xs * cc - xc * sc) / d, (xc * ss - xs * sc) / d)
    var left = 0.0
    for (i, x) in samples.enumerated() {
      let y = a * sin(2 * .pi * cycles * Double(i)) + b * cos(2 * .pi * cycles * Double(i))
      left += (Double(x) - y) * (Double(x) - y)
    }
    return 10 * log10(left / (Double(samples.count) * (a * a + b * b) / 2))
  }

  @Test func `a list of several sample rates has no gap and its exact length`() throws {
    let files = [
      sine(441, rate: 44100, seconds: 1), sine(441, rate: 48000, seconds: 1),
      sine(441, rate: 96000, seconds: 1),
    ]
    let rig = try PlayerRig(files)
    let recorded = rig.play(150_000)[0]
    #expect(rig.player.end == 144_000)
    // 441 whole periods a second: the sine is continuous over the joins; each filter rings a little at its file's
    // edges.
    #expect(recorded.bends[1000..<143_900].max()! < 0.012)
    #expect(rig.player.snapshot.track == 2)
  }

  @Test func `a change of the rate goes on at the same place`() throws {
    let rig = try PlayerRig([sine(100, rate: 48000)])
    rig.play(48_000)
    rig.player.perform(.rate(2))
    rig.play(96_000)
    // 1/16 s passed before the new rate was heard.
    #expect(abs(rig.player.snapshot.currentTime - (1 + 4 - 0.0625)) < 0.02)
    rig.player.perform(.rate(1))
    rig.play(9600)
    let steps = zip(rig.recorded[0], rig.recorded[0].dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! < 0.03)
  }
}
