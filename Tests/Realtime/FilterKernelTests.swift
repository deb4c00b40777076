import CRealtime
import Glibc
import TestSupport
import Testing

/// The filter's kernel: its response, and its output while coefficients change.
@Suite struct FilterKernelTests {
  private enum Pass: CaseIterable { case low, high, band }
  private static let rate = 48_000.0
  private static let frame: UInt32 = 800

  private static func goal(_ pass: Pass, _ frequency: Double, _ q: Double) -> vg_filter_goal {
    let g = tan(Double.pi * frequency / rate)
    let parts =
      switch pass {
      case .low: vg_filter_parts(input: 0, band: 0, low: 1)
      case .high: vg_filter_parts(input: 1, band: -1, low: -1)
      case .band: vg_filter_parts(input: 0, band: 1, low: 0)
      }
    return vg_filter_goal(g: g, corner: log2(g), k: 1 / q, damping: log2(1 / q), parts: parts)
  }

  /// Memory for a signal.
  private final class Samples {
    let start: UnsafeMutablePointer<Float>
    let count: Int
    init(_ count: Int) {
      self.count = count
      start = .allocate(capacity: count)
      start.initialize(repeating: 0, count: count)
    }
    deinit { start.deallocate() }
    func peak(from first: Int, _ count: Int) -> Float {
      var sides = vg_lanes()
      _ = vg_meter(&sides, start + first, UInt32(count), 0)
      return sides.peak
    }
    /// The largest second difference from sample `first` on.
    func bend(from first: Int) -> Float {
      let scratch = Samples(count - first - 2)
      vg_copy(scratch.start, start + first + 2, scratch.count)
      vg_add_scaled(scratch.start, start + first + 1, -2, scratch.count)
      vg_add(scratch.start, start + first, scratch.count)
      return scratch.peak(from: 0, scratch.count)
    }
  }

  private static func tone(_ frequency: Double, _ count: Int, phase: UInt64 = 0) -> Samples {
    let samples = Samples(count)
    vg_sine(samples.start, phase, UInt64(frequency / rate * 0x1p64), 1, count)
    return samples
  }

  /// Runs frames from sample `first` on.
  private static func run(
    _ state: inout vg_filter_state, _ goal: vg_filter_goal, _ output: Samples, _ input: Samples,
    frames: Range<Int>
  ) {
    var goal = goal
    for n in frames {
      let place = n * Int(frame)
      vg_filter_begin(&state, &goal, frame)
      vg_filter(&state, &goal, output.start + place, input.start + place, 0, frame, Int(frame))
    }
  }

  /// The response of a section of the RBJ cookbook.
  private static func cookbook(_ pass: Pass, _ frequency: Double, _ q: Double, at tone: Double) -> Double {
    let (w, c) = (2 * Double.pi * frequency / rate, cos(2 * Double.pi * frequency / rate))
    let alpha = sin(w) / (2 * q)
    let b: [Double] =
      switch pass {
      case .low: [(1 - c) / 2, 1 - c, (1 - c) / 2]
      case .high: [(1 + c) / 2, -(1 + c), (1 + c) / 2]
      case .band: [alpha, 0, -alpha]
      }
    let a = [1 + alpha, -2 * c, 1 - alpha]
    func power(_ part: [Double]) -> Double {
      let v = 2 * Double.pi * tone / rate
      let real = part[0] + part[1] * cos(v) + part[2] * cos(2 * v)
      let imaginary = part[1] * sin(v) + part[2] * sin(2 * v)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(b) / power(a))
  }

  @Test func `the response is the cookbook's within a hundredth of a decibel down to -100 dB`() {
    // The response to one impulse, by a plain Fourier sum. Filters that ring longer than a second are left out.
    let count = 48_000
    let (impulse, output) = (Samples(count), Samples(count))
    impulse.start[0] = 1
    var compared = 0
    for pass in Pass.allCases {
      for frequency in [20.0, 100, 997, 5000, 15_000, 23_500] {
        for q in [0.05, 0.5, 0.7071, 3, 20] where frequency * min(q, 1 / q) > 4 {
          var state = vg_filter_state()
          Self.run(&state, Self.goal(pass, frequency, q), output, impulse, frames: 0..<60)
          for tone in [10.0, 50, 220, 1000, 4000, 12_000, 23_000] {
            let truth = Self.cookbook(pass, frequency, q, at: tone)
            guard truth > -100 else { continue }
            let turn = 2 * Double.pi * tone / Self.rate
            var (real, imaginary) = (0.0, 0.0)
            for i in 0..<count {
              real += Double(output.start[i]) * cos(turn * Double(i))
              imaginary += Double(output.start[i]) * sin(turn * Double(i))
            }
            let measured = 10 * log10(real * real + imaginary * imaginary)
            #expect(abs(measured - truth) < 0.01, "\(pass) \(frequency) q \(q) at \(tone)")
            compared += 1
          }
        }
      }
    }
    #expect(compared > 300)
  }

  @Test func `no change of the cutoff frequency is louder than the filter itself by 3 dB`() {
    let corners = [1.0, 10, 100, 300, 1000, 3000, 10_000, 23_900]
    let qs = [0.05, 0.3, 0.7071, 1, 3, 100]
    let output = Samples(55 * 800)
    var worst = -Double.infinity
    for tone in [20.0, 220, 997] {
      for phase in [UInt64(0), 1 << 62] {
        let input = Self.tone(tone, 55 * 800, phase: phase)
        for pass in Pass.allCases {
          for q in qs {
            // The gain of the filter at its resonance.
            let top = pass == .band || q * q <= 0.5 ? 1 : q * q / (q * q - 0.25).squareRoot()
            for from in corners {
              var begun = vg_filter_state()
              Self.run(&begun, Self.goal(pass, from, q), output, input, frames: 0..<15)
              for to in corners where to != from {
                var state = begun
                Self.run(&state, Self.goal(pass, to, q), output, input, frames: 15..<55)
                let peak = Double(output.peak(from: 12_000, 32_000))
                let above = 20 * log10(peak / top)
                worst = max(worst, above)
                if above > 3 {
                  Issue.record("\(pass) q \(q), \(tone) Hz: \(from) to \(to) Hz is \(above) dB up")
                }
              }
            }
          }
        }
      }
    }
    #expect(worst < 2.6, "\(worst)")
  }

  @Test func `a changed q or pass is no louder either, and does not click`() {
    // The sine's own second difference, and the corners of ramps from one end of full scale to the other and back in a
    // frame.
    let ramps = 5.0 / Double(Self.frame)
    let (before, all) = (40 * 800, 80 * 800)
    for tone in [50.0, 220, 997] {
      let input = Self.tone(tone, all)
      let own = Double(input.bend(from: 0))
      for frequency in [30.0, 220, 1000, 8000] {
        var settings: [(Pass, Double, Double)] = []
        for pass in Pass.allCases {
          for q in [0.05, 1] { settings += [(pass, frequency, q), (pass, frequency * 1.2, q)] }
        }
        for from in settings {
          let output = Samples(all)
          var begun = vg_filter_state()
          Self.run(&begun, Self.goal(from.0, from.1, from.2), output, input, frames: 0..<40)
          for to in settings {
            var state = begun
            Self.run(&state, Self.goal(to.0, to.1, to.2), output, input, frames: 40..<80)
            #expect(output.peak(from: before, all - before) < 1.5, "\(tone) Hz: \(from) to \(to)")
            let bend = Double(output.bend(from: before - 800))
            #expect(bend < 1.3 * own + ramps, "\(tone) Hz: \(from) to \(to)")
          }
        }
      }
    }
  }

  @Test func `a loud resonance is not damped faster than its decay`() {
    // 100 times the amplitude of the impulse; with q set to 0.05 at once the transient would be 2000 times.
    for frequency in [10.0, 100, 1000] {
      let frames = Int(200 * Self.rate / frequency) / Int(Self.frame)
      let length = frames * Int(Self.frame)
      let (input, output) = (Self.tone(frequency, 2 * length), Samples(2 * length))
      for pass in Pass.allCases {
        var state = vg_filter_state()
        Self.run(&state, Self.goal(pass, frequency, 100), output, input, frames: 0..<frames)
        #expect(output.peak(from: 0, length) > (pass == .band ? 0.98 : 98))
        Self.run(&state, Self.goal(pass, frequency, 0.05), output, input, frames: frames..<2 * frames)
        #expect(output.peak(from: length, length) < (pass == .band ? 1.41 : 141), "\(pass) \(frequency)")
        #expect(output.peak(from: 2 * length - length / 16, length / 16) < 1.1)
      }
    }
  }

  @Test func `a gliding filter is the same at any cycle length`() {
    let count = 40 * 800
    let (input, whole, output) = (Samples(count), Samples(count), Samples(count))
    vg_white(input.start, 0, 5, 1, count)
    let goals = [
      Self.goal(.low, 3000, 2), Self.goal(.low, 2, 2), Self.goal(.band, 900, 0.1), Self.goal(.high, 900, 30),
    ]
    var state = vg_filter_state()
    for (n, goal) in goals.enumerated() { Self.run(&state, goal, whole, input, frames: n * 10..<n * 10 + 10) }
    var dice = Dice(8)
    state = vg_filter_state()
    for n in 0..<40 {
      var goal = goals[n / 10]
      var position = 0
      vg_filter_begin(&state, &goal, Self.frame)
      while position < 800 {
        let length = min(800 - position, dice.cycle(upTo: 512))
        let place = n * 800 + position
        vg_filter(
          &state, &goal, output.start + place, input.start + place, UInt32(position), Self.frame, length)
        position += length
      }
    }
    #expect((0..<count).allSatisfy { whole.start[$0].bitPattern == output.start[$0].bitPattern })
  }

  @Test
  func
    `the filter takes infinite samples and those that are not a number as 0, and stays finite with the largest numbers`()
  {
    var goal = Self.goal(.low, 1000, 0.7)
    let (odd, plain, output, expected) = (Samples(100), Samples(100), Samples(100), Samples(100))
    vg_white(plain.start, 0, 1, 0.5, 100)
    odd.start.update(from: plain.start, count: 100)
    for (place, value, heard) in [
      (3, Float.nan, Float(0)), (10, .infinity, 0), (20, -.infinity, 0), (30, 3e38, 0x1p40),
      (40, -1e30, -0x1p40),
    ] {
      odd.start[place] = value
      plain.start[place] = heard
    }
    var (one, other) = (vg_filter_state(), vg_filter_state())
    vg_filter_begin(&one, &goal, 100)
    vg_filter_begin(&other, &goal, 100)
    vg_filter(&one, &goal, output.start, odd.start, 0, 100, 100)
    vg_filter(&other, &goal, expected.start, plain.start, 0, 100, 100)
    for i in 0..<100 {
      #expect(output.start[i].bitPattern == expected.start[i].bitPattern && output.start[i].isFinite)
    }
    odd.start.update(repeating: .greatestFiniteMagnitude, count: 100)
    for _ in 0..<1000 { vg_filter(&one, &goal, output.start, odd.start, 0, 100, 100) }
    #expect(one.s1.isFinite && one.s2.isFinite && output.start[99].isFinite)
    odd.start.update(repeating: 0, count: 100)
    for _ in 0..<100 { vg_filter(&one, &goal, output.start, odd.start, 0, 100, 100) }
    #expect(output.start[99].magnitude < 1e-30)
  }
}
