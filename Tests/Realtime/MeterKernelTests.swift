import CKernelClones
import CRealtime
import TestSupport
import Testing

/// The meter's kernel, compared with a model that takes one sample at a time.
@Suite struct MeterKernelTests {
  /// The definition in the kernels' header, without blocks.
  struct Model: Equatable {
    var sums = [Float](repeating: 0, count: 32)
    var peak: Float = 0
    var bad: UInt32 = 0

    mutating func take(_ samples: UnsafePointer<Float>, _ count: Int, at position: Int) {
      for i in 0..<count {
        let x = samples[i].magnitude
        guard x.isFinite else {
          bad += 1
          continue
        }
        let clamped = min(x, 0x1p40)
        peak = max(peak, clamped)
        sums[(position + i) % 32] += clamped * clamped
      }
    }

    var sum: Double { sums.reduce(0.0) { $0 + Double($1) } }
  }

  /// The SIMD lanes as the kernel will use them next: those in the middle, and the copy before them for unaligned
  /// starts.
  static func model(of lanes: UnsafeMutablePointer<vg_lanes>, bad: UInt32) -> Model {
    withUnsafeBytes(of: &lanes.pointee.lane) { bytes in
      let all = bytes.bindMemory(to: Float.self)
      return Model(sums: Array(all[32..<64]), peak: lanes.pointee.peak, bad: bad)
    }
  }

  static var sets: [kernel_set] {
    [kernel_set_chosen()] + [1, 3, 4].filter { $0 <= vg_clone() }.map { kernel_set_of($0) }
  }

  @Test func `the lanes are the model's for every phase and count`() {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
    defer { samples.deallocate() }
    vg_white(samples, 0, 11, 0.9, 1024)
    for set in Self.sets {
      for phase in 0..<32 {
        for count in 0...200 {
          // Three runs in a row, so that every lane is loaded again after it was stored.
          let lanes = UnsafeMutablePointer<vg_lanes>.allocate(capacity: 1)
          defer { lanes.deallocate() }
          lanes.initialize(to: vg_lanes())
          var model = Model()
          var position = phase
          for run in 0..<3 {
            let start = samples + run * 211 + phase
            _ = set.meter(lanes, start, UInt32(count), UInt32(position))
            model.take(start, count, at: position)
            position += count
          }
          guard Self.model(of: lanes, bad: 0) == model else {
            Issue.record("phase \(phase), count \(count)")
            return
          }
        }
      }
    }
  }

  @Test func `frames cut anywhere give the same sums and peaks in every clone`() {
    var dice = Dice(1)
    let pool = 1 << 20
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: pool + 4096)
    defer { samples.deallocate() }
    vg_white(samples, 0, 3, 1, pool + 4096)
    let lanes = UnsafeMutablePointer<vg_lanes>.allocate(capacity: 1)
    defer { lanes.deallocate() }
    lanes.initialize(to: vg_lanes())
    let sets = Self.sets
    var different = 0
    for frame in 0..<5000 {
      let length = frame % 2 == 0 ? 735 : Int.random(in: 1...4000, using: &dice)
      let start = samples + Int.random(in: 0..<pool, using: &dice)
      var peak: Float = 0
      _ = sets[0].meter(lanes, start, UInt32(length), 0)
      let whole = sets[0].meter_finish(lanes, &peak).bitPattern
      let highest = peak.bitPattern
      for set in sets {
        var position = 0
        while position < length {
          let count = min(length - position, dice.cycle(upTo: 1024))
          _ = set.meter(lanes, start + position, UInt32(count), UInt32(position))
          position += count
        }
        if set.meter_finish(lanes, &peak).bitPattern != whole || peak.bitPattern != highest { different += 1 }
      }
    }
    #expect(different == 0)
  }

  @Test func `samples that are infinite or not a number count as 0 and are counted, at any cycle length`() {
    var dice = Dice(2)
    let odd: [Float] = [
      .nan, -.nan, .signalingNaN, .infinity, -.infinity, 0x1p40, -0x1p40, 0x1.000002p40, -3e38,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNormalMagnitude, 0, -0.0, 1e-30,
    ]
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 735)
    defer { samples.deallocate() }
    let lanes = UnsafeMutablePointer<vg_lanes>.allocate(capacity: 1)
    defer { lanes.deallocate() }
    for flush in [false, true] {
      let before = vg_flush_denormals()
      if !flush { vg_restore_denormals(before) }
      for frame in 0..<200 {
        vg_white(samples, Int64(frame) * 735, 5, 0.5, 735)
        for _ in 0..<(frame % 40) {
          samples[Int.random(in: 0..<735, using: &dice)] = odd.randomElement(using: &dice)!
        }
        var model = Model()
        model.take(samples, 735, at: 0)
        for set in Self.sets {
          lanes.initialize(to: vg_lanes())
          var bad: UInt32 = 0
          var position = 0
          while position < 735 {
            let count = min(735 - position, dice.cycle(upTo: 512))
            bad += set.meter(lanes, samples + position, UInt32(count), UInt32(position))
            position += count
          }
          #expect(Self.model(of: lanes, bad: bad) == model, "frame \(frame)")
          var peak: Float = 0
          #expect(set.meter_finish(lanes, &peak) == model.sum)
          #expect(peak == model.peak && peak <= 0x1p40)
          #expect(model.sum.isFinite)
        }
      }
      vg_restore_denormals(before)
    }
  }

  @Test func `a frame of the largest numbers has a finite sum`() {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 192_000)
    defer { samples.deallocate() }
    samples.initialize(repeating: -.greatestFiniteMagnitude, count: 192_000)
    var lanes = vg_lanes()
    var peak: Float = 0
    #expect(vg_meter(&lanes, samples, 192_000, 0) == 0)
    #expect(vg_meter_finish(&lanes, &peak) == 192_000 * 0x1p80)
    #expect(peak == 0x1p40)
  }

  @Test func `finishing a frame starts a new one`() {
    var lanes = vg_lanes()
    var peak: Float = 9
    var samples: [Float] = [0.5, -0.75]
    _ = vg_meter(&lanes, &samples, 2, 0)
    #expect(vg_meter_finish(&lanes, &peak) == 0.25 + 0.5625)
    #expect(peak == 0.75)
    #expect(vg_meter_finish(&lanes, &peak) == 0)
    #expect(peak == 0)
  }

  @Test func `the mean square with a time constant does not depend on the cycle length`() {
    var dice = Dice(3)
    let count = 50_000
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer { samples.deallocate() }
    vg_white(samples, 0, 9, 0.7, count)
    samples[100] = .nan
    samples[40_000] = -.infinity
    samples[41_000] = 3e38
    var whole = (mean: 0.0, peak: Float(0))
    var bad = vg_mean_square(&whole.mean, &whole.peak, samples, UInt32(count), 0.001)
    #expect(bad == 2)
    #expect(whole.peak == 0x1p40)
    var cut = (mean: 0.0, peak: Float(0))
    bad = 0
    var position = 0
    while position < count {
      let length = min(count - position, dice.cycle())
      bad += vg_mean_square(&cut.mean, &cut.peak, samples + position, UInt32(length), 0.001)
      position += length
    }
    #expect(bad == 2)
    #expect(cut.mean.bitPattern == whole.mean.bitPattern)
    #expect(cut.peak == whole.peak)
    // A square wave of 1 reaches 63 % of its power after the time constant of 1000 samples.
    samples.initialize(repeating: 1, count: count)
    var (mean, peak) = (0.0, Float(0))
    _ = vg_mean_square(&mean, &peak, samples, 1000, 0.001)
    #expect(abs(mean - 0.6323) < 1e-3)
  }
}
