import Foundation
import TestSupport
import Testing

@testable import Importers

/// Files of other kinds are refused as what they are.
@Suite struct UnreadFileTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  @Test(arguments: [
    (
      "hero.plist",
      "<plist><dict><key>frames</key><dict/><key>metadata</key><dict><key>format</key><integer>2</integer></dict>"
        + "</dict></plist>", "a sprite sheet"
    ),
    (
      "hero.json", #"{"frames": {"a.png": {"frame": {"x": 0}}}, "meta": {"image": "hero.png"}}"#,
      "a sprite sheet"
    ),
    (
      "hero.xml", "<TextureAtlas imagePath='hero.png'><SubTexture name='a'/></TextureAtlas>", "a sprite sheet"
    ),
    (
      "show.yaml",
      "visgraph: 1\nstage:\n  size: 1280x720\nnodes:\n  out: { type: osc-output }\n  repeat: 1\n",
      "a graph of visgraph"
    ),
    ("hero.atlas", "hero.png\nsize: 64, 64\nformat: RGBA8888\nfilter: Linear, Linear\n", "a sprite sheet"),
    (
      "fire.json",
      #"{"alpha": {"start": 1, "end": 0}, "lifetime": {"min": 0.5, "max": 1}, "emitterLifetime": -1}"#,
      "an emitter of PixiJS"
    ),
    ("fire.json", #"{"lifetime": {"min": 0.1, "max": 1}, "behaviors": []}"#, "an emitter of PixiJS"),
    (
      "fire.p", "Untitled\n- Delay -\nactive: false\n- Duration - \nlowMin: 3000.0\n- Emission - \n",
      "an effect of libGDX (.p)"
    ),
    (
      "fire.sks",
      "<plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>"
        + "<string>SKEmitterNode</string></array><key>$top</key><dict/></dict></plist>",
      "an emitter of SpriteKit (.sks)"
    ),
    ("fire.json", #"{"speed": 100, "lifespan": 300, "quantity": 2}"#, "an emitter of Phaser"),
    (
      "p.json", #"{"particles": {"number": {"value": 80}}, "interactivity": {}}"#,
      "a configuration of tsParticles"
    ),
    ("fire.yaml", "# fire\nvisgraph-emitter: 1\n", "an emitter file of visgraph, which needs no import"),
    ("a.yaml", "visgraph: 1\nnodes: {}\n", "a graph of visgraph"),
    ("fire.tscn", "[gd_scene load_steps=2]\n", "a file of Godot"),
    ("a.plist", "<plist><dict><key>CFBundleName</key><string>A</string></dict></plist>", "no particle file"),
    ("a.json", #"{"a": 1}"#, "no particle file"),
  ])
  func `a file of another kind is named as that kind`(_ name: String, _ text: String, _ what: String) throws {
    let fault = try #require(try files.fault(text, as: name), "\(name)")
    #expect(fault.code == "unknown-format", "\(fault)")
    #expect(fault.message.hasPrefix("\(files.folder.file(name)): is \(what)"), "\(fault)")
    #expect(fault.message.hasSuffix(", and .ped of UIEffectDesigner"))
  }

  @Test func `a binary archive of SpriteKit is named as one`() throws {
    let path = files.folder.file("fire.sks")
    _ = try files.python(
      "import plistlib,sys; plistlib.dump({'$archiver':'NSKeyedArchiver','$objects':['$null','SKEmitterNode'],"
        + "'$top':{},'$version':100000}, open(sys.argv[1],'wb'), fmt=plistlib.FMT_BINARY)", path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let fault = try #require(try files.fault(bytes, as: "fire.sks"))
    #expect(
      fault.message.contains("is an emitter of SpriteKit (.sks), which holds objects of Apple's frameworks;"))
  }
}
