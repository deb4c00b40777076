import Glibc
import Testing

@testable import Metering

/// Apple's MeterTable, compared bit by bit.
@Suite struct MeterTableTests {
  /// Computed by a separate C program, which rounds as the original does and is not kept here.
  static let golden: [(decibels: Float, bits: UInt32)] = [
    (3, 0x3f80_0000), (0, 0x3f80_0000), (-0.0, 0x3f80_0000), (-0.1, 0x3f80_0000), (-0.2, 0x3f80_0000),
    (-0.25, 0x3f7d_0fdf), (-1, 0x3f74_72de), (-3, 0x3f59_cc97), (-6, 0x3f37_2baf), (-10, 0x3f11_67c4),
    (-20, 0x3ea3_3e80), (-30, 0x3e37_2321), (-40, 0x3dcc_f993), (-50, 0x3d63_b0bf), (-60, 0x3cf6_8fae),
    (-70, 0x3c71_7131), (-79.9, 0x3ac8_4e42), (-80, 0), (-80.00001, 0), (-81, 0), (-120, 0), (-160, 0),
    (-.infinity, 0), (.infinity, 0x3f80_0000), (.nan, 0), (-.nan, 0), (.greatestFiniteMagnitude, 0x3f80_0000),
    (-.greatestFiniteMagnitude, 0), (.leastNonzeroMagnitude, 0x3f80_0000),
    (-.leastNonzeroMagnitude, 0x3f80_0000),
  ]

  @Test func `a table with the defaults gives the values of the original, to the bit`() throws {
    let table = try #require(MeterTable())
    #expect(table.minimum == -80 && table.size == 400 && table.root == 2)
    for (decibels, bits) in Self.golden { #expect(table.value(decibels).bitPattern == bits, "\(decibels)") }
  }

  @Test(arguments: [
    (Float(-80), 400, Float(1), Float(-20), Float(0.101656519)), (-80, 400, 3, -20, 0.466707826),
    (-60, 400, 2, -20, 0.314800143), (-60, 400, 2, -40, 0.0949158221), (-80, 800, 1.5, -20, 0.216560006),
  ])
  func `other tables give the values of the original`(
    minimum: Float, size: Int, root: Float, decibels: Float, expected: Float
  ) throws {
    #expect(try #require(MeterTable(minimum: minimum, size: size, root: root)).value(decibels) == expected)
  }

  @Test func `the curve rises, begins at 0 and ends at 1`() throws {
    let table = try #require(MeterTable())
    var last: Float = 0
    for step in 0...8100 {
      let value = table.value(-80.5 + Float(step) / 100)
      #expect(value >= last)
      last = value
    }
    #expect(last == 1)
  }

  @Test func `no table of 2 to 1024 entries has an entry that is not a number`() throws {
    // Pairs of size and minimum whose last product rounds to below the minimum.
    let roundingPairs: [(Int, [Int])] = [
      (400, [27, 54, 57, 108, 111, 114, 117]), (800, [31, 55, 62, 63, 109, 110, 111, 124, 125, 126]),
    ]
    for (size, minimums) in roundingPairs {
      for minimum in minimums {
        let table = try #require(MeterTable(minimum: Float(-minimum), size: size, root: 2))
        // Rounding may give the entry before the last, so the value is small but not always 0.
        #expect((0..<0.03).contains(table.value(Float(-minimum))))
        #expect((0..<0.03).contains(table.value(Float(-minimum).nextUp)))
      }
    }
    // Every 97th pair of minimum -1…-160 dB and size 2…1024.
    for pair in stride(from: 0, to: 160 * 1023, by: 97) {
      let (minimum, size) = (Float(-1 - pair / 1023), 2 + pair % 1023)
      let table = try #require(MeterTable(minimum: minimum, size: size))
      var isInRange = true
      for step in 0...40 {
        let value = table.value(minimum * Float(step) / 40)
        isInRange = isInRange && value >= 0 && value <= 1
      }
      #expect(isInRange, "\(minimum) dB, \(size) entries")
    }
  }

  @Test func `a minimum, size or root outside the allowed range is refused`() {
    for (minimum, size, root) in [
      (Float(0), 400, Float(2)), (3, 400, 2), (-80, 1, 2), (-80, 0, 2), (-80, 400, 0), (-80, 400, -1),
      (.nan, 400, 2), (-.infinity, 400, 2), (-80, 400, .nan), (-80, 400, .infinity),
    ] {
      #expect(MeterTable(minimum: minimum, size: size, root: root) == nil, "\(minimum) \(size) \(root)")
    }
  }

  @Test func `a table with a minimum just below 0 dB has finite values`() throws {
    let tiny: [Float] = [
      -Float.leastNonzeroMagnitude, -Float.leastNormalMagnitude / 1024, -1e-30, -1e-6,
    ]
    for minimum in tiny {
      let table = try #require(MeterTable(minimum: minimum, size: 400, root: 2))
      #expect(table.value(minimum).isFinite)
      #expect(table.value(minimum.nextDown) == 0)
      #expect(table.value(0) == 1)
    }
  }
}
