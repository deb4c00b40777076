import Testing

@testable import Importers

/// Hostile fixture and rig files, and files that are something else.
@Suite struct HostileFixtureTests {
  private func code(_ text: String, _ name: String = "a") -> String? {
    do throws(ImportError) {
      let read = try FixtureImport.read(Array(text.utf8), path: name, called: name, mode: nil)
      return read == nil ? "none" : nil
    } catch {
      #expect(!error.message.contains("\n"))
      return error.code
    }
  }

  private func open(_ channels: String, _ modes: String) -> String {
    "{\"availableChannels\": {\(channels)}, \"modes\": [\(modes)]}"
  }

  @Test func `excessive values are refused, and a file that is no fixture is not imported`() {
    let channel = "<Channel Name=\"A\" Preset=\"IntensityRed\"/>"
    let many = String(repeating: "<Channel Name=\"A\"/>", count: 40_000)
    #expect(code("<FixtureDefinition>\(many)</FixtureDefinition>") == "hostile-xml")
    #expect(
      code("<FixtureDefinition>\(String(repeating: "<a>", count: 99))</FixtureDefinition>") == "hostile-xml")
    #expect(
      code("<!DOCTYPE a [<!ENTITY b \"c\">]><FixtureDefinition>\(channel)</FixtureDefinition>")
        == "hostile-xml")
    #expect(code("<FixtureDefinition>\(channel)</FixtureDefinition>") == "no-modes")
    #expect(code("<FixtureDefinition><") == "broken-xml")
    #expect(code(open(String(repeating: ",", count: 500_000), "")) == "hostile-json")
    #expect(code(open("\"A\": ", "")) == "broken-json")
    #expect(code(open("\"A\": {\"type\": \"Pan\"}", "{\"channels\": [\"A\"]}")) == "older-version")
    #expect(code("{\"a\": 1}") == "none" && code("visgraph: 1") == "none" && code("") == "none")
  }

  @Test func `thousands of channels with one name, and endless pixels, take little time and memory`() throws {
    let channels = String(repeating: "<Channel Name=\"\" Preset=\"IntensityRed\"/>", count: 9000)
    let slots = (0..<512).map { "<Channel Number=\"\($0)\"></Channel>" }.joined()
    #expect(
      code("<FixtureDefinition>\(channels)<Mode Name=\"M\">\(slots)</Mode></FixtureDefinition>") == nil)
    let capability = "\"capability\": {\"type\": \"Intensity\"}"
    let text = """
      {"matrix": {"pixelCount": [4000, 1, 1]}, "templateChannels": {"A $pixelKey": {\(capability)}, "B $pixelKey": {\(capability)}},
       "modes": [{"name": "M", "channels": [{"insert": "matrixChannels", "repeatFor": "eachPixelXYZ", "channelOrder": "perChannel",
       "templateChannels": ["A $pixelKey", "B $pixelKey"]}]}]}
      """
    let ranges = String(repeating: "<Capability Min=\"0\" Max=\"9\">A</Capability>", count: 900)
    let wide = try FixtureFiles.fixture(
      Array(
        "<FixtureDefinition><Channel Name=\"A\">\(ranges)</Channel><Mode><Channel>A</Channel></Mode></FixtureDefinition>"
          .utf8),
      as: "a.qxf")
    #expect(FixtureFiles.faults(wide.text).isEmpty && wide.text.split(separator: "\n").count < 300)
    // More slots than a universe has: the mode is dropped, and no other is left.
    #expect(code(text) == "no-modes")
  }

  @Test func `channels beyond the limit are left out of every format, and a note names them`() throws {
    let most = FixtureDraft.mostChannels
    let names = (1...most + 1).map { "C\($0)" }
    var modes: [(name: String, channels: [String])] = stride(from: 0, to: most, by: 512).map { first in
      (name: "M\(first)", channels: Array(names[first..<first + 512]))
    }
    modes.append((name: "Last", channels: [names[0], names[most]]))
    func check(_ fixture: FixtureImport) {
      let notes = fixture.notes.map(\.text).filter { $0.contains("beyond the first") }
      #expect(notes == ["\(names[most]): channels beyond the first \(most)"])
      #expect(fixture.text.hasSuffix("\n  Last:\n    - C1\n    - none\n"))
    }
    let channels = names.map { "<Channel Name=\"\($0)\" Preset=\"IntensityRed\"/>" }.joined()
    let slots = "<Channel Number=\"0\">C1</Channel><Channel Number=\"1\">\(names[most])</Channel>"
    let file = "<FixtureDefinition>\(channels)<Mode Name=\"Last\">\(slots)</Mode></FixtureDefinition>"
    try check(FixtureFiles.fixture(Array(file.utf8), as: "a.qxf"))

    let described = names.map { "\"\($0)\": {\"capability\": {\"type\": \"Intensity\"}}" }
    let listed = modes.map { mode in
      let keys = mode.channels.map { "\"\($0)\"" }.joined(separator: ", ")
      return "{\"name\": \"\(mode.name)\", \"channels\": [\(keys)]}"
    }
    let text = open(described.joined(separator: ", "), listed.joined(separator: ", "))
    try check(FixtureFiles.fixture(Array(text.utf8), as: "a.json"))

    let elements = modes.map { mode in
      let channels = mode.channels.enumerated().map { index, name in
        "<DMXChannel Offset=\"\(index + 1)\" Geometry=\"Base\">"
          + "<LogicalChannel Attribute=\"\(name)\"/></DMXChannel>"
      }
      return "<DMXMode Name=\"\(mode.name)\" Geometry=\"Base\">"
        + "<DMXChannels>\(channels.joined())</DMXChannels></DMXMode>"
    }
    let device =
      "<GDTF DataVersion=\"1.2\"><FixtureType Name=\"Wide\"><Geometries><Geometry Name=\"Base\"/></Geometries>"
      + "<DMXModes>\(elements.joined())</DMXModes></FixtureType></GDTF>"
    try check(FixtureFiles.fixture(ZipFiles().gdtf(device), as: "a.gdtf"))
  }

  @Test func `slots beyond the range of numbers are dropped, and so is a mode without slots`() throws {
    let device = FixtureFiles.gdtf.replacing("Offset=\"1,2\"", with: "Offset=\"9223372036854775807,2\"")
      .replacing("DMXOffset=\"8\"", with: "DMXOffset=\"-9223372036854775808\"")
    let fixture = try FixtureFiles.fixture(try ZipFiles().gdtf(device), as: "a.gdtf")
    #expect(fixture.notes.contains { $0.text == "Yoke: a channel whose slots are none of a universe" })
    #expect(FixtureFiles.faults(fixture.text).isEmpty && !fixture.text.contains("Pan"))
    #expect(
      code("<FixtureDefinition><Mode Name=\"A\"><Channel>B</Channel></Mode></FixtureDefinition>")
        == "no-modes")
  }

  @Test func `a strobe without steady light has names only, because numbers would keep it flashing`() throws {
    let capabilities =
      "{\"dmxRange\": [0, 99], \"type\": \"Generic\"}, {\"dmxRange\": [100, 255], "
      + "\"type\": \"ShutterStrobe\", \"shutterEffect\": \"Strobe\", \"speedStart\": \"1Hz\", \"speedEnd\": \"9Hz\"}"
    let text = open(
      "\"Flash\": {\"capabilities\": [\(capabilities)]}", "{\"name\": \"A\", \"channels\": [\"Flash\"]}")
    let fixture = try FixtureFiles.fixture(Array(text.utf8), as: "a.json")
    #expect(
      fixture.text.contains("    is: Flash\n") && fixture.text.contains("{ slots: [100, 255], name: Strobe }")
    )
    #expect(FixtureFiles.faults(fixture.text).isEmpty)
  }

  @Test func `names that would end a line or a key are escaped`() throws {
    let text = """
      <FixtureDefinition><Manufacturer>A&#10;modes: 1</Manufacturer><Model>\u{202E}x: [</Model>
      <Channel Name="x-a: [&#10;" Preset="IntensityRed"/><Channel Name="none" Preset="IntensityGreen"/><Channel Name="fine"/>
      <Channel Name="A fine" Preset="IntensityBlue"/>
      <Mode Name="- { }&#9;"><Channel Number="0">x-a: [&#10;</Channel><Channel Number="1">none</Channel><Channel Number="2">fine</Channel>
      <Channel Number="3">A fine</Channel></Mode></FixtureDefinition>
      """
    let fixture = try FixtureFiles.fixture(
      Array(text.replacing("- { }", with: "${ }").utf8), as: "a.qxf", mode: "${ }\t")
    #expect(fixture.modes == ["$ { }"])
    #expect(FixtureFiles.faults(fixture.text).isEmpty, "\(fixture.text)")
    #expect(fixture.text.contains("\n  \"X-a: [\": { is: red }\n") && fixture.text.contains("    - A Fine\n"))
  }
}
