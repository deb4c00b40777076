import Testing

@testable import Graphs

@Suite struct QuantityTests {
  @Test(arguments: [
    ("250 ms", Unit.seconds, 0.25), ("2.1ms", .seconds, 2.1e-3), ("1 frame", .seconds, 0.04),
    ("2 frames", .seconds, 0.08), ("2 min", .seconds, 120), ("-6 dB", .decibels, -6), ("2 kHz", .hertz, 2000),
    ("0.3 kHz", .hertz, 300), ("90 deg", .radians, Double.pi / 2), ("180°", .radians, Double.pi),
    ("1 turn", .radians, 2 * Double.pi), ("10 %", .ratio, 0.1), ("35%", .ratio, 0.35),
    ("80 /s", .perSecond, 80),
    ("10 %", .pointsAcross, 128), ("10 %", .pointsDown, 72), ("5 pt", .points, 5), ("+1.5e3", .none, 1500),
    (".5", .none, 0.5), ("5.", .none, 5), ("1E-3", .none, 0.001), ("010", .none, 10),
  ])
  func `a number with a unit is exact`(text: String, unit: Unit, expected: Double) throws {
    let quantity = try #require(Quantity(text))
    #expect(unit.value(of: quantity, fps: FrameRate(25), stage: Stage()) == expected)
  }

  @Test(arguments: [
    "", "fast", "nan", "inf", "-inf", "0x10", "1_000", "1,5", "1e999", "1e99999999999999999999", "1.2.3",
    "1280x720",
    "30000/1001", "--1", "+", ".", "e5", "٣",
  ])
  func `a text that is no decimal number is refused`(text: String) {
    let quantity = Quantity(text)
    #expect(quantity == nil || Unit.none.value(of: quantity!, fps: FrameRate(25), stage: Stage()) == nil)
  }

  @Test(arguments: [
    ("0:22", 22.0), ("1:30", 90), ("1:02:03.5", 3723.5), ("90:00", 5400), (" 1:05 ", 65), ("1:5", 65),
  ])
  func `a time may be written as minutes and seconds`(text: String, seconds: Double) {
    #expect(Quantity.clock(text)?.number == seconds && Quantity.clock(text)?.unit == "s")
    let graph = check(
      "visgraph: 1\nnodes: { t: { type: gauge, hold: \(text) }, s: { type: tone } }\nwires: [s -> t]")
    let isInRange = seconds <= 10
    #expect((graph.graph != nil) == isInRange)
    if !isInRange { #expect(graph.faults.map(\.code) == ["out-of-range"]) }
  }

  @Test(arguments: [
    "1:60", "1::2", ":1", "1:2:3:4", "1.5:00", "-1:00", "1:-2", "a:b", "1:2 s", "", ":", "1:",
  ])
  func `other texts with a colon are not times`(text: String) { #expect(Quantity.clock(text) == nil) }

  @Test func `a quantity with a unit of the caller's own can be split`() throws {
    let quantity = try #require(Quantity("-20.5 dB/s"))
    #expect(quantity.number == -20.5 && quantity.unit == "dB/s")
  }

  @Test func `the smallest and largest 64-bit integers are written like any other`() {
    #expect(shortest(-0x1p63) == "-9.223372036854776e+18")
    #expect(shortest(0x1p63) == "9.223372036854776e+18")
    #expect(shortest(-0x1p53) == "-9007199254740992.0")
    #expect(shortest(-0x1p53 + 1) == "-9007199254740991")
  }

  @Test(arguments: [(60.0, "60"), (0.1, "0.1"), (-0.5, "-0.5"), (1e300, "1e+300")])
  func `numbers are written in the shortest form that reads back`(number: Double, text: String) {
    #expect(shortest(number) == text)
    #expect(Quantity(text)?.number == number)
  }
}
