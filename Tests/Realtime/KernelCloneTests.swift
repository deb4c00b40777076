import CKernelClones
import CRealtime
import TestSupport
import Testing

/// Every clone of every kernel gives the same bytes, in one piece or in many.
@Suite struct KernelCloneTests {
  private static let count = 5000
  private typealias Kernel =
    @Sendable (kernel_set, UnsafeMutablePointer<Float>, UnsafePointer<Float>, Int, Int) -> Void

  /// Kernels by name, each run on `count` samples from sample `position` on.
  private static let kernels: [(String, Kernel)] = [
    ("add", { $0.add($1 + $3, $2 + $3, $4) }),
    ("scale", { $0.scale($1 + $3, $2 + $3, 0.333, $4) }),
    ("add_scaled", { $0.add_scaled($1 + $3, $2 + $3, -1.7, $4) }),
    ("ramp", { $0.ramp($1 + $3, $2 + $3, 0.9, 0.1, 0.7, UInt32($3), 5000, $4) }),
    ("copy_finite", { $0.copy_finite($1 + $3, $2 + $3, $4) }),
    ("dim_levels", { $0.dim_levels($1 + $3, $2 + $3, 0.37, $4) }),
    (
      "sine",
      {
        let turn: UInt64 = 384_307_168_202_282_325
        $0.sine($1 + $3, (UInt64($3) + 123_456_789) &* turn, turn, 0.7, $4)
      }
    ),
    (
      "impulses",
      {
        let turn: UInt64 = 18_446_744_073_709_551
        $0.impulses($1 + $3, UInt64($3) &* turn, turn, 0.5, $4)
      }
    ),
    ("white", { $0.white($1 + $3, Int64($3) - 2500, 77, 0.5, $4) }),
    ("pink", { $0.pink($1 + $3, Int64($3) + (1 << 40), 77, 0.5, $4) }),
  ]

  @Test func `all clones give the same bytes at any cycle length`() {
    let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    let expected = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    defer {
      input.deallocate()
      expected.deallocate()
      output.deallocate()
    }
    vg_white(input, 0, 21, 1, Self.count)
    let odd: [Float] = [
      .nan, .infinity, -.infinity, 3e38, -0.0, 0, .leastNonzeroMagnitude, .leastNormalMagnitude / 4,
    ]
    for (i, value) in odd.enumerated() { for k in 0..<30 { input[i * 17 + k * 161] = value } }
    var dice = Dice(4)
    for (name, run) in Self.kernels {
      vg_white(expected, 0, 22, 0.25, Self.count)
      run(kernel_set_of(1), expected, input, 0, Self.count)
      for set in MeterKernelTests.sets {
        for _ in 0..<20 {
          vg_white(output, 0, 22, 0.25, Self.count)
          var position = 0
          while position < Self.count {
            let count = min(Self.count - position, dice.cycle(upTo: 512))
            run(set, output, input, position, count)
            position += count
          }
          #expect(Self.sameBytes(expected, output), "\(name)")
        }
      }
    }
  }

  @Test func `all clones count the same samples that are infinite or not a number`() {
    let input = UnsafeMutablePointer<Float>.allocate(capacity: 300)
    defer { input.deallocate() }
    var dice = Dice(6)
    for _ in 0..<200 {
      vg_white(input, 0, 21, 1, 300)
      var bad: Set<Int> = []
      for _ in 0..<Int.random(in: 0...30, using: &dice) {
        let place = Int.random(in: 0..<300, using: &dice)
        bad.insert(place)
        input[place] = [.nan, .infinity, -.infinity].randomElement(using: &dice)!
      }
      for set in MeterKernelTests.sets { #expect(set.count_not_finite(input, 300) == UInt32(bad.count)) }
    }
  }

  @Test func `all clones write the same levels into slots, and report whether any changed`() {
    var dice = Dice(9)
    let levels: [Float] =
      [.nan, .infinity, -.infinity, -0.0, 0, 1, 1.5, -1, 0.5 / 255, 0.499_999 / 255, 254.5 / 255]
      + (0..<600).map { _ in Float.random(in: -0.1...1.1, using: &dice) }
    let old = levels.map { _ in UInt8.random(in: 0...255, using: &dice) }
    // Rounded level by level.
    let expected = zip(levels, old).map { level, old in
      level.isNaN ? old : UInt8(max(0, min(1, level)) * 255 + 0.5)
    }
    #expect(Array(expected[..<11]) == [old[0], 255, 0, 0, 0, 255, 255, 0, 1, 0, 255])
    for set in MeterKernelTests.sets {
      for _ in 0..<50 {
        let start = Int.random(in: 0..<levels.count, using: &dice)
        let end = Int.random(in: start...levels.count, using: &dice)
        var slots = old
        let fill = {
          slots.withUnsafeMutableBufferPointer { slots in
            levels.withUnsafeBufferPointer {
              set.fill_slots(slots.baseAddress! + start, $0.baseAddress! + start, end - start)
            }
          }
        }
        #expect((fill() != 0) == (old[start..<end] != expected[start..<end]))
        #expect(fill() == 0)
        #expect(slots == Array(old[..<start] + expected[start..<end] + old[end...]))
      }
    }
  }

  @Test func `a ramp is straight, and a function of the place in the frame`() {
    let (input, output) = (
      UnsafeMutablePointer<Float>.allocate(capacity: 800), UnsafeMutablePointer<Float>.allocate(capacity: 800)
    )
    defer {
      input.deallocate()
      output.deallocate()
    }
    input.initialize(repeating: 1, count: 800)
    vg_ramp(output, input, 1, 0.25, 0.75, 0, 800, 800)
    for i in 0..<800 { #expect(abs(Double(output[i]) - (0.25 + 0.5 * Double(i + 1) / 800)) < 1e-6) }
    #expect(output[799] == 0.75)
  }

  @Test func `all clones find the same true peaks and band powers at any cycle length`() {
    let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    defer { input.deallocate() }
    vg_white(input, 0, 33, 0.9, Self.count)
    for (place, odd) in [Float.nan, .infinity, -.infinity, 3e38, .leastNonzeroMagnitude].enumerated() {
      input[1000 * place + 517] = odd
    }
    var filter = vg_interpolation()
    withUnsafeMutableBytes(of: &filter.tap) { bytes in
      for i in 0..<36 { bytes.storeBytes(of: Float(i % 7) * 0.1 - 0.3, toByteOffset: 4 * i, as: Float.self) }
    }
    var bands = vg_bands()
    func fill(_ table: UnsafeMutableRawBufferPointer, _ value: (Int) -> Double) {
      for i in 0..<32 { table.storeBytes(of: value(i), toByteOffset: 8 * i, as: Double.self) }
    }
    withUnsafeMutableBytes(of: &bands.gain) { fill($0) { 0.1 + 0.01 * Double($0) } }
    withUnsafeMutableBytes(of: &bands.a1) { fill($0) { -1.8 + 0.05 * Double($0) } }
    withUnsafeMutableBytes(of: &bands.a2) { fill($0) { _ in 0.9 } }
    func run(_ set: kernel_set, _ cut: () -> Int) -> [UInt64] {
      var (peak, state) = (vg_true_peak_state(), vg_bands_state())
      var position = 0
      while position < Self.count {
        let count = min(Self.count - position, cut())
        set.true_peak(&peak, &filter, input + position, UInt32(count))
        set.filter_bands(&state, &bands, input + position, UInt32(count))
        position += count
      }
      return withUnsafeBytes(of: &state) { Array($0.bindMemory(to: UInt64.self)) } + [
        UInt64(peak.top.bitPattern)
      ]
    }
    let expected = run(kernel_set_of(1)) { Self.count }
    var dice = Dice(8)
    for set in MeterKernelTests.sets {
      for _ in 0..<5 { #expect(run(set) { dice.cycle(upTo: 700) } == expected) }
    }
  }

  @Test func `all clones compute the same spectrum`() {
    let input = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    let twiddles = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    let work = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    let powers = UnsafeMutablePointer<Float>.allocate(capacity: 1025)
    defer { for memory in [input, twiddles, work, powers] { memory.deallocate() } }
    vg_white(input, 0, 34, 0.9, Self.count)
    for (place, odd) in [Float.nan, .infinity, -.infinity, 3e38, .leastNonzeroMagnitude].enumerated() {
      input[97 * place + 2500] = odd
    }
    // The values of the twiddle factors do not matter here.
    vg_white(twiddles, 0, 35, 1, 4096)
    for length in [64, 128, 512, 1024, 2048] {
      func run(_ set: kernel_set) -> [UInt64] {
        var fourier = vg_fourier(
          length: Int64(length), window: input, twiddles: twiddles, work: work, scale: 0.01)
        set.power_spectrum(&fourier, input + 2300, powers)
        let sum = set.weighted_sum(powers, input + 7, Int64(length / 2 - 3))
        return (0...length / 2).map { UInt64(powers[$0].bitPattern) } + [sum.bitPattern]
      }
      let expected = run(kernel_set_of(1))
      for set in MeterKernelTests.sets { #expect(run(set) == expected, "\(length)") }
    }
  }

  private static func sameBytes(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Bool {
    (0..<count).allSatisfy { a[$0].bitPattern == b[$0].bitPattern }
  }
}
