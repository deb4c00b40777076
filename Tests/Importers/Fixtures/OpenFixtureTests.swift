import Testing

@testable import Importers

/// Fixtures of the Open Fixture Library.
@Suite struct OpenFixtureTests {
  private func fixture(_ text: String = FixtureFiles.openFixture) throws -> FixtureImport {
    try FixtureFiles.fixture(Array(text.utf8), as: "three.json")
  }

  @Test func `capabilities become ranges in their units, of the first slot`() throws {
    let text = try fixture().text
    for line in [
      "name: Three of a Kind", "manufacturer: nobody", "  Dimmer: { is: dimmer, default: 128 }",
      "  Swing: { is: tilt, range: [-90 deg, 90 deg], default: 128 }", "    is: color wheel",
      "      - { slots: [64, 127], to: 2, name: Blood, color: \"#cc0000\" }",
      "      - { slots: [192, 255], name: WheelRotation }", "    is: strobe",
      "      - { slots: [0, 9], to: 0 Hz, name: Open }",
      "      - { slots: [10, 255], to: [1 Hz, 15 Hz], name: Strobe }",
      "  Tempo: { is: Tempo }", "  Warmth: { is: temperature, range: [2800 K, 6000 K] }",
      "  Red Middle: { is: red }",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    #expect(FixtureFiles.faults(text).isEmpty)
    #expect(try fixture().text == text)
  }

  @Test func `a fine byte that a mode lists twice is imported once`() throws {
    let fixture = try fixture(
      FixtureFiles.openFixture.replacing(
        "null, \"Swing\", \"Swing low\"", with: "\"Dimmer low\", \"Swing\", \"Swing low\""))
    #expect(FixtureFiles.faults(fixture.text).isEmpty)
    #expect(
      fixture.text.contains("    - Dimmer\n    - Dimmer fine\n    - none\n    - Swing\n"), "\(fixture.text)")
    #expect(
      fixture.notes.contains {
        $0.text == "Dimmer low: a finer byte with no coarser one before it; its slot stays 0"
      })
  }

  @Test func `pixels are inserted in order, and a switched channel becomes its first function`() throws {
    let fixture = try fixture()
    let modes = try #require(fixture.text.split(separator: "\nmodes:\n").last)
    #expect(
      modes == """
          Plain:
            - Dimmer
            - Dimmer fine
            - none
            - Swing
            - Swing fine
            - Filters
            - Flash
            - Show
            - Tempo
            - Warmth
          Pixels:
            - Dimmer
            - Red Left
            - Blue Left
            - none
            - Red Middle
            - Blue Middle
            - none
            - Red Right
            - Blue Right
            - none
            - Red Left

        """)
    #expect(
      Set(fixture.notes.map(\.text)).isSuperset(of: [
        "rdm, physical: visgraph has no use for it",
        "Tempo or Ear: what it does depends on another channel; what it does first counts",
        "Plain, Pixels: its pixels by themselves: all have the same color and brightness",
        "Filters, Show: ranges without a unit have names alone, for `set` of lights",
        "Tempo: becomes a level 0…1 under its own name; EffectSpeed has no unit in visgraph",
      ]), "\(fixture.notes.map(\.text))")
  }

  @Test(
    arguments: [
      ("eachPixelXYZ", "perPixel", ["(1, 1)", "(2, 1)", "(1, 2)", "(2, 2)"]),
      ("eachPixelYXZ", "perPixel", ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]),
      ("eachPixelABC", "perPixel", ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]),
    ])
  func `pixels of a matrix are in the order that the mode states`(
    order: String, channels: String, keys: [String]
  ) throws {
    let matrix = try JsonNode.object(in: Array("{\"pixelCount\": [2, 2, 1]}".utf8), called: "m")
    let insert = try JsonNode.object(
      in: Array(
        "{\"repeatFor\": \"\(order)\", \"channelOrder\": \"\(channels)\", \"templateChannels\": [\"$pixelKey\"]}"
          .utf8),
      called: "i")
    #expect(OpenPixels(matrix).keys(of: insert) == keys)
  }
}
