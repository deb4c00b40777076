import CKernelClones
import CRealtime
import TestSupport
import Testing

/// Every clone of every kernel gives the same bytes, in one piece or in many.
@Suite struct KernelCloneTests {
  private static let count = 5000
  private typealias Kernel =
    @Sendable (kernel_set, UnsafeMutablePointer<Float>, UnsafePointer<Float>, Int, Int) -> Void

  /// By name, what is run on `count` samples from place `position` on.
  private static let kernels: [(String, Kernel)] = [
    ("add", { $0.add($1 + $3, $2 + $3, $4) }),
    ("scale", { $0.scale($1 + $3, $2 + $3, 0.333, $4) }),
    ("add_scaled", { $0.add_scaled($1 + $3, $2 + $3, -1.7, $4) }),
    ("ramp", { $0.ramp($1 + $3, $2 + $3, 0.9, 0.1, 0.7, UInt32($3), 5000, $4) }),
    ("copy_finite", { $0.copy_finite($1 + $3, $2 + $3, $4) }),
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

  @Test func `all clones give the same bytes however the signal is cut`() {
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

  @Test func `all clones count the same samples that are not finite`() {
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

  @Test func `a glide is straight, and a function of the place in the frame`() {
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

  private static func sameBytes(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Bool {
    (0..<count).allSatisfy { a[$0].bitPattern == b[$0].bitPattern }
  }
}
