import DMX
import Graphs
import Testing

@testable import Nodes

/// The slots of LEDs in universes.
@Suite struct PixelSlotsTests {
  private func slots(
    _ runs: [(Int, Int)], from address: String = "1/1", perUniverse: Int? = nil, split: Bool = false,
    aligned: Bool = false
  ) throws -> [String] {
    let filling = PixelFilling(perUniverse: perUniverse, split: split, aligned: aligned)
    let first = try #require(SlotAddress(address))
    let runs = runs.map { PixelRun(count: $0.0, bytes: $0.1) }
    let slots = try #require(PixelSlots(runs, from: first, filling))
    return zip(slots.universes, slots.pieces).map { universe, pieces in
      "\(universe): "
        + pieces.map { "\($0.bytes.lowerBound)..<\($0.bytes.upperBound) at \($0.slot + 1)" }.joined(
          separator: ", ")
    }
  }

  @Test func `a universe has 170 LEDs of three bytes, 128 of four, 102 of five, or fewer`() throws {
    #expect(try slots([(171, 3)]) == ["1: 0..<510 at 1", "2: 510..<513 at 1"])
    #expect(try slots([(129, 4)]) == ["1: 0..<512 at 1", "2: 512..<516 at 1"])
    #expect(try slots([(103, 5)]) == ["1: 0..<510 at 1", "2: 510..<515 at 1"])
    #expect(
      try slots([(120, 3)], perUniverse: 50) == [
        "1: 0..<150 at 1", "2: 150..<300 at 1", "3: 300..<360 at 1",
      ])
  }

  @Test func `LEDs begin at the address, are not split, and go on with slot 1 of the next universe`() throws {
    #expect(try slots([(5, 3)], from: "4/501") == ["4: 0..<12 at 501", "5: 12..<15 at 1"])
    // No LED fits into the rest of the universe.
    #expect(try slots([(1, 3)], from: "4/511") == ["4: ", "5: 0..<3 at 1"])
  }

  @Test func `split LEDs use every slot`() throws {
    #expect(
      try slots([(300, 3)], from: "2/510", split: true) == [
        "2: 0..<3 at 510", "3: 3..<515 at 1", "4: 515..<900 at 1",
      ])
  }

  @Test func `nodes follow each other, or each begins in its own universe`() throws {
    #expect(try slots([(10, 3), (4, 4)]) == ["1: 0..<30 at 1, 30..<46 at 31"])
    #expect(try slots([(10, 3), (4, 4)], aligned: true) == ["1: 0..<30 at 1", "2: 30..<46 at 1"])
    #expect(
      try slots([(60, 3), (60, 3)], perUniverse: 100) == [
        "1: 0..<180 at 1, 180..<300 at 181", "2: 300..<360 at 1",
      ])
  }

  @Test func `there is no room after the last universe`() {
    let last = SlotAddress(universe: 63_999, slot: 1)!
    #expect(PixelSlots([PixelRun(count: 170, bytes: 3)], from: last, PixelFilling())?.universes == [63_999])
    #expect(PixelSlots([PixelRun(count: 171, bytes: 3)], from: last, PixelFilling()) == nil)
  }

  @Test(arguments: [
    ("perUniverse: 171", "171 LEDs of 3 bytes need 513 slots, and a universe has 512"),
    (
      "perUniverse: 100, split: true", "LEDs that may lie in two universes fill them; leave `perUniverse` out"
    ),
    ("address: 63999/1", "200 LEDs from 63999/1 on have no room: the last universe is 63999"),
    ("address: 1/600", "1/600 is not the address of a slot: universes are 1…63999, slots 1…512, as in 1/1"),
  ])
  func `LEDs that do not fit are reported`(_ settings: String, _ message: String) {
    let text = """
      visgraph: 1
      nodes:
        leds: { type: pixels, layout: { strip: 200 } }
        out: { type: sacn-output, \(settings) }
      wires: [leds -> out]
      """
    let checked = Checker(Catalog(types: everyNode)).check(SourceText(path: "g.yaml", text: text))
    #expect(checked.faults.map(\.message) == [message], "\(DiagnosticText.text(checked))")
  }
}
