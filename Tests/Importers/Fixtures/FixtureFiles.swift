import Foundation
import Graphs
import TestSupport
import Testing

@testable import Importers

/// Made-up fixtures in the supported formats.
enum FixtureFiles {
  /// A moving head of QLC+, with a channel for each kind of function in the format.
  static let qxf = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE FixtureDefinition>
    <FixtureDefinition xmlns="http://www.qlcplus.org/FixtureDefinition">
     <Creator><Name>A</Name><Version>1</Version><Author>B</Author></Creator>
     <Manufacturer>Nobody &amp; Sons</Manufacturer>
     <Model>Wanderer 7</Model>
     <Type>Moving Head</Type>
     <Channel Name="Pan" Preset="PositionPan"/>
     <Channel Name="Low byte" Preset="PositionPanFine"/>
     <Channel Name="Tilt" Preset="PositionTilt" Default="128"/>
     <Channel Name="Brightness" Preset="IntensityMasterDimmer"/>
     <Channel Name="Pace" Preset="SpeedPanTiltFastSlow"/>
     <Channel Name="Beam" Preset="BeamZoomBigSmall"/>
     <Channel Name="Spare" Preset="NoFunction"/>
     <Channel Name="Shutter">
      <Group Byte="0">Shutter</Group>
      <Capability Min="0" Max="9" Preset="ShutterClose">Closed</Capability>
      <Capability Min="10" Max="99" Preset="StrobeFreqRange" Res1="0.5" Res2="20">Strobe</Capability>
      <Capability Min="100" Max="199" Preset="StrobeRandom">Random</Capability>
      <Capability Min="200" Max="255" Preset="ShutterOpen">Open</Capability>
     </Channel>
     <Channel Name="Filters">
      <Group Byte="0">Colour</Group>
      <Capability Min="0" Max="9">Open</Capability>
      <Capability Min="10" Max="19" Preset="ColorMacro" Res1="#FF0000">Red</Capability>
      <Capability Min="20" Max="29" Preset="ColorDoubleMacro" Res1="#ff0000" Res2="#0000ff">Red/Blue</Capability>
      <Capability Min="30" Max="255">Rainbow</Capability>
     </Channel>
     <Channel Name="Stencils">
      <Group Byte="0">Gobo</Group>
      <Capability Min="0" Max="9">Open</Capability>
      <Capability Min="10" Max="19" Preset="GoboMacro" Res1="a.svg">Dots</Capability>
      <Capability Min="20" Max="29" Preset="GoboShakeMacro" Res1="a.svg">Dots shaking</Capability>
      <Capability Min="30" Max="39" Preset="GoboMacro" Res1="b.svg">Stars</Capability>
     </Channel>
     <Channel Name="Lamp">
      <Group Byte="0">Maintenance</Group>
      <Capability Min="0" Max="199">Nothing</Capability>
      <Capability Min="200" Max="255" Preset="LampOff">Off<Alias Mode="Long" Channel="Pace" With="Spare"/></Capability>
     </Channel>
     <Channel Name="Unused" Preset="IntensityRed"/>
     <Mode Name="Short">
      <Channel Number="1">Tilt</Channel>
      <Channel Number="0">Pan</Channel>
      <Channel Number="3">Brightness</Channel>
     </Mode>
     <Mode Name="Long">
      <Channel Number="0">Pan</Channel>
      <Channel Number="1">Tilt</Channel>
      <Channel Number="2">Low byte</Channel>
      <Channel Number="3">Brightness</Channel>
      <Channel Number="4">Pace</Channel>
      <Channel Number="5">Beam</Channel>
      <Channel Number="6">Spare</Channel>
      <Channel Number="7">Shutter</Channel>
      <Channel Number="8">Filters</Channel>
      <Channel Number="9">Stencils</Channel>
      <Channel Number="10">Lamp</Channel>
      <Channel Number="11">Missing</Channel>
      <Head><Channel>1</Channel></Head>
     </Mode>
     <Physical>
      <Bulb Type="LED" Lumens="1" ColourTemperature="6500"/>
      <Lens Name="Other" DegreesMin="4" DegreesMax="30"/>
      <Focus Type="Head" PanMax="540" TiltMax="260"/>
     </Physical>
    </FixtureDefinition>

    """

  /// A bar of the Open Fixture Library with three pixels, a switched channel and 16-bit values.
  static let openFixture = """
    {
      "name": "Three of a Kind", "manufacturerKey": "nobody", "categories": ["Pixel Bar"], "rdm": {"modelId": 3},
      "physical": {"weight": 3}, "matrix": {"pixelKeys": [[["Left", "Middle", "Right"]]]},
      "wheels": {"Filters": {"slots": [
        {"type": "Open"}, {"type": "Color", "name": "Blood", "colors": ["#cc0000"]},
        {"type": "Color", "name": "Sea", "colors": ["#0044ff"]}]}},
      "availableChannels": {
        "Dimmer": {"fineChannelAliases": ["Dimmer low"], "defaultValue": "50%", "capability": {"type": "Intensity"}},
        "Swing": {"fineChannelAliases": ["Swing low"], "defaultValue": 32768,
          "capability": {"type": "Tilt", "angleStart": "0deg", "angleEnd": "180deg"}},
        "Filters": {"capabilities": [
          {"dmxRange": [0, 63], "type": "WheelSlot", "slotNumber": 1},
          {"dmxRange": [64, 127], "type": "WheelSlot", "slotNumber": 2},
          {"dmxRange": [128, 191], "type": "WheelSlot", "slotNumber": 3},
          {"dmxRange": [192, 255], "type": "WheelRotation", "speed": "fast CW"}]},
        "Flash": {"capabilities": [
          {"dmxRange": [0, 9], "type": "ShutterStrobe", "shutterEffect": "Open"},
          {"dmxRange": [10, 255], "type": "ShutterStrobe", "shutterEffect": "Strobe", "speedStart": "60bpm", "speedEnd": "15Hz"}]},
        "Show": {"capabilities": [
          {"dmxRange": [0, 127], "type": "NoFunction", "switchChannels": {"Tempo or Ear": "Tempo"}},
          {"dmxRange": [128, 255], "type": "Effect", "effectName": "Waves", "switchChannels": {"Tempo or Ear": "Ear"}}]},
        "Tempo": {"capability": {"type": "EffectSpeed", "speedStart": "slow", "speedEnd": "fast"}},
        "Ear": {"capability": {"type": "SoundSensitivity", "soundSensitivityStart": "low", "soundSensitivityEnd": "high"}},
        "Warmth": {"capability": {"type": "ColorTemperature", "colorTemperatureStart": "2800K", "colorTemperatureEnd": "6000K"}}
      },
      "templateChannels": {
        "Red $pixelKey": {"capability": {"type": "ColorIntensity", "color": "Red"}},
        "Blue $pixelKey": {"capability": {"type": "ColorIntensity", "color": "Blue"}}
      },
      "modes": [
        {"name": "Plain", "channels": ["Dimmer", "Dimmer low", null, "Swing", "Swing low", "Filters", "Flash", "Show", "Tempo or Ear", "Warmth"]},
        {"name": "Pixels", "channels": ["Dimmer", {"insert": "matrixChannels", "repeatFor": "eachPixelXYZ",
          "channelOrder": "perPixel", "templateChannels": ["Red $pixelKey", "Blue $pixelKey", null]}, "Red Left"]}
      ]
    }

    """

  /// A spot with two pixels in GDTF.
  static let gdtf = """
    <?xml version="1.0" encoding="UTF-8"?>
    <GDTF DataVersion="1.2">
     <FixtureType Name="Spot" LongName="Spot of Nobody" Manufacturer="Nobody" FixtureTypeID="0">
      <AttributeDefinitions/>
      <Wheels><Wheel Name="W"><Slot Name="Open" Color="0.3127,0.3290,100"/><Slot Name="Red" Color="0.64,0.33,20"/></Wheel></Wheels>
      <PhysicalDescriptions/>
      <Geometries>
       <Geometry Name="Base"><Axis Name="Yoke"><Beam Name="Head"/></Axis>
        <GeometryReference Name="P1" Geometry="Pixel"><Break DMXBreak="1" DMXOffset="8"/></GeometryReference>
        <GeometryReference Name="P2" Geometry="Pixel"><Break DMXBreak="1" DMXOffset="10"/></GeometryReference>
       </Geometry>
       <Beam Name="Pixel"/>
      </Geometries>
      <DMXModes>
       <DMXMode Name="Basic" Geometry="Base"><DMXChannels>
        <DMXChannel DMXBreak="1" Offset="1" Geometry="Head"><LogicalChannel Attribute="Dimmer"><ChannelFunction Name="D" Attribute="Dimmer" DMXFrom="0/1" PhysicalFrom="0" PhysicalTo="1"/></LogicalChannel></DMXChannel>
       </DMXChannels></DMXMode>
       <DMXMode Name="Full" Geometry="Base"><DMXChannels>
        <DMXChannel DMXBreak="1" Offset="1,2" Geometry="Yoke"><LogicalChannel Attribute="Pan"><ChannelFunction Name="P" Attribute="Pan" DMXFrom="0/2" Default="32768/2" PhysicalFrom="-260" PhysicalTo="260"/></LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="3" Geometry="Head"><LogicalChannel Attribute="Dimmer"><ChannelFunction Name="D" Attribute="Dimmer" DMXFrom="0/1" PhysicalFrom="0" PhysicalTo="1"/></LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="4" Geometry="Head"><LogicalChannel Attribute="Shutter1">
         <ChannelFunction Name="Shutter" Attribute="Shutter1" DMXFrom="0/1"><ChannelSet Name="Closed" DMXFrom="0/1"/><ChannelSet Name="Open" DMXFrom="20/1"/></ChannelFunction>
         <ChannelFunction Name="Strobe" Attribute="Shutter1Strobe" DMXFrom="50/1" PhysicalFrom="1" PhysicalTo="12"/>
        </LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="5" Geometry="Head"><LogicalChannel Attribute="Color1"><ChannelFunction Name="Colors" Attribute="Color1" Wheel="W" DMXFrom="0/1">
         <ChannelSet Name="Open" DMXFrom="0/1" WheelSlotIndex="1"/><ChannelSet Name="Red" DMXFrom="128/1" WheelSlotIndex="2"/></ChannelFunction></LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="1" Geometry="Pixel"><LogicalChannel Attribute="ColorAdd_R"><ChannelFunction Name="R" Attribute="ColorAdd_R" DMXFrom="0/1" PhysicalFrom="0" PhysicalTo="1"/></LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="2" Geometry="Pixel"><LogicalChannel Attribute="ColorAdd_B"><ChannelFunction Name="B" Attribute="ColorAdd_B" DMXFrom="0/1" PhysicalFrom="0" PhysicalTo="1"/></LogicalChannel></DMXChannel>
        <DMXChannel DMXBreak="1" Offset="" Geometry="Head"><LogicalChannel Attribute="Gobo1"/></DMXChannel>
       </DMXChannels><Relations/></DMXMode>
      </DMXModes>
     </FixtureType>
    </GDTF>

    """

  /// A rig with spots of the file above in MVR.
  static let scene = """
    <?xml version="1.0" encoding="UTF-8"?>
    <GeneralSceneDescription verMajor="1" verMinor="6"><UserData/><Scene><AUXData/><Layers>
     <Layer name="Front truss" uuid="1"><ChildList>
      <Fixture name="Spot 1" uuid="2"><Matrix>{1,0,0}{0,1,0}{0,0,1}{0,0,0}</Matrix><GDTFSpec>Spot.gdtf</GDTFSpec><GDTFMode>Full</GDTFMode><Addresses><Address break="0">1</Address></Addresses><FixtureID>1</FixtureID></Fixture>
      <GroupObject name="G" uuid="3"><ChildList>
       <Fixture name="Spot 2" uuid="4"><GDTFSpec>Spot.gdtf</GDTFSpec><GDTFMode>Full</GDTFMode><Addresses><Address break="0">2.20</Address></Addresses></Fixture>
       <Fixture name="Spot/3" uuid="5"><GDTFSpec>Spot</GDTFSpec><GDTFMode>None such</GDTFMode><Addresses><Address break="0">1025</Address></Addresses></Fixture>
      </ChildList></GroupObject>
      <Fixture name="Gone" uuid="6"><GDTFSpec>../../gone.gdtf</GDTFSpec><GDTFMode>A</GDTFMode><Addresses><Address break="0">9</Address></Addresses></Fixture>
      <Fixture name="Dark" uuid="7"><GDTFSpec>Spot.gdtf</GDTFSpec></Fixture>
     </ChildList></Layer>
    </Layers></Scene></GeneralSceneDescription>

    """

  /// Imports a fixture from bytes or a text. Throws the fault, also if the file is no fixture.
  static func fixture(_ bytes: [UInt8], as name: String, mode: String? = nil) throws -> FixtureImport {
    try #require(try FixtureImport.read(bytes, path: "/in/\(name)", called: name, mode: mode))
  }

  /// The faults of a fixture file, checked as a file of visgraph.
  static func faults(_ text: String) -> [Diagnostic] {
    Checker(Catalog(types: [])).check(SourceText(path: "lamp.yaml", text: text), anyFile: true).faults
  }
}

/// Writes zip archives by an independent program.
struct ZipFiles {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An archive of texts by their names, compressed or stored.
  func archive(_ entries: [(String, String)], isPacked: Bool = true) throws -> [UInt8] {
    let path = folder.file("made.zip")
    let program = """
      import sys, zipfile
      kind = zipfile.ZIP_DEFLATED if sys.argv[2] == "1" else zipfile.ZIP_STORED
      with zipfile.ZipFile(sys.argv[1], "w", kind) as made:
          for name, text in zip(sys.argv[3::2], sys.argv[4::2]):
              data = open(text[1:], "rb").read() if text.startswith("@") else text
              made.writestr(zipfile.ZipInfo(name), data, kind)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["python3", "-c", program, path, isPacked ? "1" : "0"] + entries.flatMap { [$0.0, $0.1] }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A scene with one fixture in it under two names.
  func archive(scene: String, lamp: [UInt8]) throws -> [UInt8] {
    let inner = folder.file("lamp.gdtf")
    try Data(lamp).write(to: URL(fileURLWithPath: inner))
    return try archive([
      ("GeneralSceneDescription.xml", scene), ("Spot.gdtf", "@" + inner), ("Spot", "@" + inner),
    ])
  }

  /// A GDTF file: a description in an archive. The description is handed over in a file, because the length of an
  /// argument has a limit.
  func gdtf(_ text: String = FixtureFiles.gdtf) throws -> [UInt8] {
    let description = folder.file("description.xml")
    try Data(text.utf8).write(to: URL(fileURLWithPath: description))
    return try archive([("description.xml", "@" + description)])
  }
}
