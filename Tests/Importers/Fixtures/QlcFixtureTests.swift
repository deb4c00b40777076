import Graphs
import Testing

@testable import Importers

/// Lamps of QLC+.
@Suite struct QlcFixtureTests {
  private func fixture(_ text: String = FixtureFiles.qxf, mode: String? = nil) throws -> FixtureImport {
    try FixtureFiles.fixture(Array(text.utf8), as: "Wanderer.qxf", mode: mode)
  }

  @Test func `presets and groups become what fixture files say, in their units`() throws {
    let text = try fixture().text
    for line in [
      "name: Wanderer 7", "manufacturer: \"Nobody & Sons\"", "  Pan: { is: pan, range: [-270 deg, 270 deg] }",
      "  Tilt: { is: tilt, range: [-130 deg, 130 deg], default: 128 }", "  Brightness: { is: dimmer }",
      "  Pace: { is: speed, range: [100 %, 0 %], default: 0 }",
      "  Beam: { is: zoom, range: [30 deg, 4 deg] }",
      "    is: strobe", "      - { slots: [0, 9], name: Closed }",
      "      - { slots: [10, 99], to: [0.5 Hz, 20 Hz], name: Strobe }",
      "      - { slots: [200, 255], to: 0 Hz, name: Open }", "    is: color wheel",
      "      - { slots: [0, 9], to: 1, name: Open, color: \"#ffffff\" }",
      "      - { slots: [10, 19], to: 2, name: Red, color: \"#ff0000\" }",
      "      - { slots: [20, 29], to: 3, name: \"Red/Blue\", color: \"#ff0000\" }",
      "      - { slots: [30, 255], name: Rainbow }", "    is: gobo",
      "      - { slots: [20, 29], name: Dots shaking }",
      "      - { slots: [30, 39], to: 3, name: Stars }",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    #expect(FixtureFiles.faults(text).isEmpty)
  }

  @Test func `modes have their slots by number, finer bytes behind coarser ones, and none where nothing is`()
    throws
  {
    let text = try fixture().text
    let modes = try #require(text.split(separator: "\nmodes:\n").last)
    #expect(
      modes == """
          Short:
            - Pan
            - Tilt
            - none
            - Brightness
          Long:
            - Pan
            - Tilt
            - Pan fine
            - Brightness
            - Pace
            - Beam
            - none
            - Shutter
            - Filters
            - Stencils
            - Lamp
            - none

        """)
  }

  @Test func `every loss is named, in the file and for the terminal`() throws {
    let fixture = try fixture()
    #expect(
      fixture.notes.map { "\($0.kind): \($0.text)" } == [
        "left: Bulb: visgraph has no use for it",
        "approximated: Shutter, Filters, Stencils, Lamp: ranges without a unit have names alone, for `set` of lights",
        "approximated: Filters: of filters with two colors the first counts",
        "left: Stencils: the pictures of its gobos",
        "left: Lamp: that other channels do something else while this one is in a range (Alias)",
        "left: Long: its heads by themselves: all have the same color and brightness",
        "changed: Missing: a channel of a mode that the file does not describe; its slot stays 0",
        "left: Unused: in no mode",
      ], "\(fixture.notes.map(\.text))")
    for line in fixture.noteLines { #expect(fixture.text.contains("# \(line)\n")) }
  }

  @Test func `imported again it is the same bytes, and of one mode the others are named`() throws {
    #expect(try fixture().text == fixture().text)
    let short = try fixture(mode: "Short")
    #expect(short.modes == ["Short"] && !short.text.contains("Shutter:"))
    #expect(short.notes.contains { $0.text == "Long: another mode, as asked" })
    #expect(throws: ImportError.self) { try fixture(mode: "None") }
  }

  @Test func `the words of importers are those of graph files`() {
    for word in FixtureWords.known {
      #expect(LightAttribute.known.contains(LightAttribute.named(word).name), "\(word)")
    }
    for word in LightAttribute.known { #expect(FixtureWords.known.contains(word.lowercased()), "\(word)") }
    #expect(FixtureWords.own("Shutter") == "Shutter channel" && FixtureWords.own("fine") == "fine channel")
  }

  @Test(
    arguments: [
      ("1 - 20 Hz", [1, 20]), ("Strobe (0.5Hz-25Hz)", [0.5, 25]), ("Strobe 3 slow to fast", []),
      ("12 Hz", [12]),
    ])
  func `frequencies are read out of texts`(text: String, numbers: [Double]) {
    #expect(FixtureWords.hertz(in: text) == numbers)
  }
}
