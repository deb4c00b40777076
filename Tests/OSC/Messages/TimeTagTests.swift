import Testing

@testable import OSC

@Suite struct TimeTagTests {
  @Test(arguments: [
    (0.0, UInt64(0)), (1.5, 0x0000_0001_8000_0000), (1.0 / 60, 71_582_788), (-1, 0), (.nan, 0),
    (.infinity, .max), (5e9, .max),
  ])
  func `seconds become 32.32 fixed point`(seconds: Double, raw: UInt64) {
    #expect(TimeTag(seconds: seconds).rawValue == raw)
  }

  @Test func `the time tag of immediately is 1`() {
    #expect(TimeTag.immediate.rawValue == 1)
    #expect(TimeTag(rawValue: 0x0000_0002_4000_0000).seconds == 2.25)
  }
}
