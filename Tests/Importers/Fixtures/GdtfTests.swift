import Graphs
import Testing

@testable import Importers

/// Fixtures in GDTF, and rigs in MVR.
@Suite struct GdtfTests {
  private let files: ZipFiles
  init() throws { files = try ZipFiles() }

  @Test func `functions and channel sets become ranges in their units, and geometry references pixels`()
    throws
  {
    let fixture = try FixtureFiles.fixture(try files.gdtf(), as: "Spot.gdtf")
    for line in [
      "name: Spot of Nobody", "manufacturer: Nobody", "  Dimmer: { is: dimmer }",
      "  Pan: { is: pan, range: [-260 deg, 260 deg], default: 128 }",
      "      - { slots: [0, 19], name: Closed }",
      "      - { slots: [20, 49], to: 0 Hz, name: Open }",
      "      - { slots: [50, 255], to: [1 Hz, 12 Hz], name: Strobe }",
      "      - { slots: [0, 127], to: 1, name: Open, color: \"#ffffff\" }",
      "      - { slots: [128, 255], to: 2, name: Red, color: \"#ff0000\" }",
    ] {
      #expect(fixture.text.contains("\n\(line)\n"), "\(line) in \(fixture.text)")
    }
    let modes = try #require(fixture.text.split(separator: "\nmodes:\n").last)
    #expect(
      modes == """
          Basic:
            - Dimmer
          Full:
            - Pan
            - Pan fine
            - Dimmer
            - Shutter1
            - Color1
            - none
            - none
            - ColorAdd_R
            - ColorAdd_B
            - ColorAdd_R
            - ColorAdd_B

        """)
    #expect(FixtureFiles.faults(fixture.text).isEmpty)
    #expect(fixture.notes.contains { $0.text == "Head: a virtual channel without slots" })
    let none = FixtureFiles.gdtf.replacing("Offset=\"\"", with: "Offset=\"None\"")
    let named = try FixtureFiles.fixture(try files.gdtf(none), as: "Spot.gdtf")
    #expect(named.text == fixture.text && named.notes.map(\.text) == fixture.notes.map(\.text))
  }

  @Test func `channels of a geometry behind two references are left out, and not put over others`() throws {
    let text = FixtureFiles.gdtf
      .replacing("Name=\"P2\" Geometry=\"Pixel\"", with: "Name=\"P2\" Geometry=\"Module\"")
      .replacing(
        "<Beam Name=\"Pixel\"/>",
        with: "<Beam Name=\"Pixel\"/><Beam Name=\"Dot\"/><Geometry Name=\"Module\">"
          + "<GeometryReference Name=\"P3\" Geometry=\"Dot\"/></Geometry>"
      )
      .replacing("Offset=\"2\" Geometry=\"Pixel\"", with: "Offset=\"2\" Geometry=\"Dot\"")
    let fixture = try FixtureFiles.fixture(try files.gdtf(text), as: "Spot.gdtf", mode: "Full")
    #expect(fixture.text.contains("    - Color1\n    - none\n    - none\n    - ColorAdd_R\n"))
    #expect(!fixture.text.contains("ColorAdd_B"), "\(fixture.text)")
    #expect(
      fixture.notes.contains {
        $0.text == "Dot: a channel of a geometry that a referenced geometry refers to"
      })
    #expect(!fixture.notes.contains { $0.text.contains("two channels have one slot") })
  }

  @Test func `of a geometry that occurs too often, the first occurrences remain, and a note names the rest`()
    throws
  {
    // A third reference. Each of the three has one occurrence more than breaks: the last break is `Overwrite`, too.
    func fixture(occurrences: Int) throws -> FixtureImport {
      let breaks = String(repeating: "<Break DMXBreak=\"9\"/>", count: occurrences - 5)
      let third = "<GeometryReference Name=\"P3\" Geometry=\"Pixel\">\(breaks)</GeometryReference>"
      let text = FixtureFiles.gdtf.replacing("   </Geometry>\n", with: third + "</Geometry>\n")
      return try FixtureFiles.fixture(try files.gdtf(text), as: "Spot.gdtf", mode: "Full")
    }
    func cuts(_ fixture: FixtureImport) -> [String] {
      fixture.notes.map(\.text).filter { $0.contains("occurrences of geometries") }
    }
    #expect(try cuts(fixture(occurrences: 4096)) == [])
    let cut = try fixture(occurrences: 4097)
    #expect(cuts(cut) == ["Full: occurrences of geometries beyond the first 4096"])
    #expect(cut.text.contains("    - ColorAdd_R\n    - ColorAdd_B\n    - ColorAdd_R\n    - ColorAdd_B\n"))
  }

  @Test func `a shutter is open where its physical value is 1, in any language and with any decimals`() throws
  {
    let text = FixtureFiles.gdtf.replacing(
      "<ChannelSet Name=\"Open\" DMXFrom=\"20/1\"/>",
      with: "<ChannelSet Name=\"Offen\" DMXFrom=\"20/1\" PhysicalFrom=\"1.000000\"/>")
    let fixture = try FixtureFiles.fixture(try files.gdtf(text), as: "Spot.gdtf")
    #expect(fixture.text.contains("      - { slots: [20, 49], to: 0 Hz, name: Offen }\n"), "\(fixture.text)")
  }

  @Test func `only the requested mode is imported`() throws {
    let bytes = try files.gdtf()
    let fixture = try FixtureFiles.fixture(bytes, as: "Spot.gdtf", mode: "Basic")
    #expect(
      fixture.modes == ["Basic"] && fixture.text.contains("\n  Basic:\n    - Dimmer\n")
        && !fixture.text.contains("Pan"))
    #expect(throws: ImportError.self) { try FixtureFiles.fixture(bytes, as: "Spot.gdtf", mode: "Other") }
  }

  @Test func `a rig becomes a patch with a file for each fixture type, and losses are named`() throws {
    let bytes = try files.archive(scene: FixtureFiles.scene, lamp: try files.gdtf())
    let rig = try #require(try MvrImport.read(bytes, path: "/in/rig.mvr", called: "rig.mvr", stem: "show"))
    #expect(rig.fixtures.map(\.file) == ["show-spot.yaml", "show-spot-2.yaml"])
    for line in [
      "  - { name: Spot 1, fixture: show-spot.yaml, mode: Full, address: 1/1, groups: [Spot, Front truss] }",
      "  - { name: Spot 2, fixture: show-spot.yaml, mode: Full, address: 2/20, groups: [Spot, Front truss] }",
      "  - { name: Spot-3, fixture: show-spot-2.yaml, mode: Basic, address: 3/1, groups: [Spot, Front truss] }",
      "  dmx: { type: sacn-output }",
    ] {
      #expect(rig.text.contains("\n\(line)\n"), "\(line) in \(rig.text)")
    }
    let notes = rig.notes.map(\.text)
    for note in [
      "Dark: a fixture without an address", "Spot/3: its mode is none of its file; Basic stands in",
      "Gone: a fixture whose file ../../gone.gdtf the archive does not have, or cannot be read",
    ] {
      #expect(notes.contains(note), "\(notes)")
    }
  }
}
