import CRealtime
import Glibc
import TestSupport
import Testing

/// The test signals against their definitions.
@Suite struct ToneKernelTests {
  private static func made(
    _ count: Int, _ make: (UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, done in
      make(buffer.baseAddress!)
      done = count
    }
  }

  @Test func `a sine is within 1.7e-7 of the exact one`() {
    var worst = 0.0
    for (sample, turn) in [
      (0, 384_307_168_202_282_325), (1 << 40, 123_456_789_012_345_678), (7, 4_294_967_297),
      (99, UInt64(1) << 63 - 12_345),
    ] as [(Int64, UInt64)] {
      let sine = Self.made(50_000) { vg_sine($0, UInt64(sample) &* turn, turn, 1, 50_000) }
      for i in 0..<50_000 {
        let phase = (UInt64(bitPattern: sample) &+ UInt64(i)) &* turn
        let truth = sin(2 * Double.pi * Double(phase) * 0x1p-64)
        worst = max(worst, abs(Double(sine[i]) - truth))
      }
    }
    #expect(worst < 1.7e-7, "worst error \(worst)")
  }

  @Test func `a sine reaches its level within a millionth of a decibel, and its zeros exactly`() {
    let turn = UInt64(1) << 62  // a quarter of a period
    let almost: Float = 0.9999999
    #expect(Self.made(5) { vg_sine($0, 0, turn, 1, 5) } == [0, almost, 0, -almost, 0])
    #expect(Self.made(3) { vg_sine($0, turn, turn, 0.25, 3) } == [almost / 4, 0, -almost / 4])
  }

  @Test func `a glide keeps its phase, in one piece or in many`() {
    let (phase, turn) = (UInt64(7) << 58, UInt64(1) << 58)
    for step in [Int64(1) << 50, -(1 << 49), 0] {
      let whole = Self.made(800) { vg_sine_glide($0, phase, turn, step, 1, 800) }
      var sum = phase
      for i in 0..<800 {
        if i > 0 { sum = sum &+ turn &+ UInt64(bitPattern: step &* Int64(i)) }
        #expect(abs(Double(whole[i]) - sin(2 * Double.pi * Double(sum) * 0x1p-64)) < 1.7e-7)
      }
    }
    // From 64 samples a period to 32: 18.7 periods in 800 samples.
    let fast = Self.made(800) { vg_impulses_glide($0, 0, turn, Int64(turn / 800), 1, 800) }
    #expect(fast.filter { $0 == 1 }.count == 19)
    let steady = Self.made(800) { vg_impulses_glide($0, 0, turn, 0, 1, 800) }
    #expect(steady == Self.made(800) { vg_impulses($0, 0, turn, 1, 800) })
  }

  @Test func `impulses are at the first sample of each period and nowhere else`() {
    let turn = UInt64(1) << 58  // 64 samples
    for start in [Int64(0), 5, 64, 1 << 40] {
      let impulses = Self.made(1000) { vg_impulses($0, UInt64(start) &* turn, turn, 0.5, 1000) }
      for i in 0..<1000 { #expect(impulses[i] == ((Int(start) + i) % 64 == 0 ? 0.5 : 0)) }
    }
    #expect(Self.made(10) { vg_impulses($0, 0, 0, 0.5, 10) }.allSatisfy { $0 == 0 })
  }

  @Test func `white noise is uniform, and channels are uncorrelated`() {
    let count = 1 << 18
    let white = Self.made(count) { vg_white($0, 0, 1, 1, count) }
    let other = Self.made(count) { vg_white($0, 0, 1 ^ 0x9e37_79b9_7f4a_7c15, 1, count) }
    var (sum, squares, product, next) = (0.0, 0.0, 0.0, 0.0)
    var bins = [Int](repeating: 0, count: 16)
    for i in 0..<count {
      let x = Double(white[i])
      sum += x
      squares += x * x
      product += x * Double(other[i])
      next += x * Double(white[(i + 1) % count])
      bins[min(15, Int((x + 1) * 8))] += 1
    }
    let n = Double(count)
    #expect(white.allSatisfy { $0.magnitude <= 1 })
    #expect(abs(sum / n) < 0.005)
    #expect(abs(squares / n - 1 / 3.0) < 0.003)
    #expect(abs(product / n) < 0.003)
    #expect(abs(next / n) < 0.003)
    for bin in bins { #expect(abs(Double(bin) / (n / 16) - 1) < 0.04) }
  }

  @Test func `pink noise falls by three decibels an octave`() {
    let count = 1 << 17
    let pink = Self.made(count) { vg_pink($0, 0, 1, 1, count) }
    #expect(pink.allSatisfy { $0.magnitude <= 1 })
    let spectrum = powers(pink)
    // In pink noise all octaves have the same power: bins k…2k, from 50 periods in the window on.
    var octaves: [Double] = []
    var low = 64
    while low * 2 <= count / 4 {
      octaves.append(10 * log10(spectrum[low..<(2 * low)].reduce(0, +)))
      low *= 2
    }
    let mean = octaves.reduce(0, +) / Double(octaves.count)
    for octave in octaves { #expect(abs(octave - mean) < 2, "\(octaves)") }
  }

  @Test func `white noise has the same power at all frequencies`() {
    let count = 1 << 17
    let spectrum = powers(Self.made(count) { vg_white($0, 0, 1, 1, count) })
    let bands = (0..<8).map { (band: Int) -> Double in
      spectrum[(band * count / 16)..<((band + 1) * count / 16)].reduce(0, +)
    }
    let mean: Double = bands.reduce(0, +) / 8
    for band in bands { #expect(abs(band / mean - 1) < 0.08) }
  }

  /// The power of each frequency, by a plain fast Fourier transform.
  private func powers(_ signal: [Float]) -> ArraySlice<Double> {
    let count = signal.count
    var real = signal.map(Double.init)
    var imaginary = [Double](repeating: 0, count: count)
    var j = 0
    for i in 1..<count {
      var bit = count >> 1
      while j & bit != 0 {
        j ^= bit
        bit >>= 1
      }
      j |= bit
      if i < j { real.swapAt(i, j) }
    }
    var length = 2
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        while length <= count {
          let half = length / 2
          for k in 0..<half {
            let angle = -2 * Double.pi * Double(k) / Double(length)
            let (c, s) = (cos(angle), sin(angle))
            var i = k
            while i < count {
              let (a, b) = (real[i + half], imaginary[i + half])
              let x: Double = a * c - b * s
              let y: Double = a * s + b * c
              real[i + half] = real[i] - x
              imaginary[i + half] = imaginary[i] - y
              real[i] += x
              imaginary[i] += y
              i += length
            }
          }
          length *= 2
        }
      }
    }
    let powers = zip(real, imaginary).map { (real: Double, imaginary: Double) -> Double in
      real * real + imaginary * imaginary
    }
    return powers[..<(count / 2)]
  }
}
