import Graphs
import Testing

@testable import Importers

/// Fixtures of QLC+.
@Suite struct QlcFixtureTests {
  private func fixture(_ text: String = FixtureFiles.qxf, mode: String? = nil) throws -> FixtureImport {
    try FixtureFiles.fixture(Array(text.utf8), as: "Wanderer.qxf", mode: mode)
  }

  @Test func `presets and groups become attributes of fixture files, in their units`() throws {
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

  @Test func `a color has only ASCII digits`() throws {
    let text = try fixture(FixtureFiles.qxf.replacing("Res1=\"#FF0000\"", with: "Res1=\"#\u{FF11}\u{FF12}\""))
      .text
    #expect(text.contains("\n      - { slots: [10, 19], name: Red }\n"), "\(text)")
  }

  @Test
  func `modes have their slots by number, fine bytes after coarse ones, and no attribute for an unused slot`()
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

  @Test func `every loss is named, in the file and on the terminal`() throws {
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

  @Test func `a repeated import gives the same bytes, and an import of one mode names the others`() throws {
    #expect(try fixture().text == fixture().text)
    let short = try fixture(mode: "Short")
    #expect(short.modes == ["Short"] && !short.text.contains("Shutter:"))
    #expect(short.notes.contains { $0.text == "Long: another mode, as asked" })
    #expect(throws: ImportError.self) { try fixture(mode: "None") }
  }

  /// The lines of a channel with these capabilities, in a group.
  private func lines(of group: String, _ capabilities: String) throws -> String {
    let channel = "<Channel Name=\"Brightness\"><Group Byte=\"0\">\(group)</Group>\(capabilities)</Channel>"
    let text = try fixture(
      FixtureFiles.qxf.replacing(
        "<Channel Name=\"Brightness\" Preset=\"IntensityMasterDimmer\"/>", with: channel)
    ).text
    #expect(FixtureFiles.faults(text).isEmpty)
    let rest = try #require(text.firstRange(of: "\n  Brightness:"))
    return text[rest.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.isEmpty || !$0.hasPrefix("  ") || $0.hasPrefix("   ") || $0.hasPrefix(" {") }.joined(
        separator: "\n")
  }

  @Test func `a dimmer of one falling range is imported as a falling one`() throws {
    let falling = try lines(
      of: "Intensity", "<Capability Min=\"0\" Max=\"255\">Dimmer 100% to 0%</Capability>")
    #expect(
      falling.contains("{ slots: [0, 255], to: [100 %, 0 %], name: \"Dimmer 100% to 0%\" }"), "\(falling)")
    let rising = try lines(
      of: "Intensity", "<Capability Min=\"0\" Max=\"255\">Dimmer 0% to 100%</Capability>")
    #expect(rising == " { is: dimmer }")
  }

  @Test func `a slow strobe is no dimmer`() throws {
    let ranges = try lines(
      of: "Intensity",
      """
      <Capability Min="0" Max="9">Off</Capability><Capability Min="10" Max="120">Dimmer</Capability>
      <Capability Min="121" Max="255">Strobe slow to fast</Capability>
      """)
    #expect(ranges.contains("{ slots: [10, 120], to: [0 %, 100 %], name: Dimmer }"), "\(ranges)")
    #expect(ranges.contains("{ slots: [121, 255], name: Strobe slow to fast }"), "\(ranges)")
  }

  @Test
  func `frequencies beyond the range of graph files are clamped, and two frequencies follow the preset`()
    throws
  {
    let ranges = try lines(
      of: "Shutter",
      """
      <Capability Min="0" Max="9" Preset="ShutterOpen">Open</Capability>
      <Capability Min="10" Max="99" Preset="StrobeFreqRange" Res1="1" Res2="120">Strobe</Capability>
      <Capability Min="100" Max="255" Preset="StrobeFastToSlow">1-20 Hz</Capability>
      """)
    #expect(ranges.contains("{ slots: [10, 99], to: [1 Hz, 100 Hz], name: Strobe }"), "\(ranges)")
    #expect(ranges.contains("{ slots: [100, 255], to: [20 Hz, 1 Hz], name: \"1-20 Hz\" }"), "\(ranges)")
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
      ("12 Hz", [12]), ("Strobe 1 Hz - 20 Hz (50 %)", [1, 20]), ("Hz: 1 - 20 Hz", [1, 20]),
    ])
  func `frequencies are parsed from texts`(text: String, numbers: [Double]) {
    #expect(FixtureWords.hertz(in: text) == numbers)
  }
}
