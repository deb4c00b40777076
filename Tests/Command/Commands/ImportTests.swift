import Foundation
import Rendering
import TestSupport
import Testing

/// `visgraph import`.
@Suite(.blocking) struct ImportTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let pex = """
    <particleEmitterConfig>
      <texture name="glow.png"/>
      <sourcePosition x="160" y="200"/>
      <speed value="90"/>
      <particleLifeSpan value="2"/>
      <angle value="270"/>
      <angleVariance value="15"/>
      <startColor red="1" green="0.25" blue="0" alpha="0.5"/>
      <finishColor red="1" green="0.25" blue="0" alpha="0"/>
      <maxParticles value="101"/>
      <startParticleSize value="16"/>
      <finishParticleSize value="16"/>
      <emitterType value="0"/>
      <blendFuncSource value="770"/>
      <blendFuncDestination value="1"/>
    </particleEmitterConfig>

    """

  private func made(_ subfolder: String = "in") throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.file(subfolder), withIntermediateDirectories: true)
    let pixels = [UInt8](repeating: 255, count: 8 * 8 * 4)
    try Picture(width: 8, height: 8, pixels: pixels).write(
      path: folder.file("\(subfolder)/glow.png"), replacing: true)
    return try folder.write(Self.pex, to: "\(subfolder)/fire.pex")
  }

  private func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test func `an emitter file and its texture are written, and losses are named`() throws {
    let file = try made()
    let out = folder.file("fire.yaml")
    let ending = try Visgraph.run("import", file, "-o", out)
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(ending.results == "\(out)\n\(folder.file("fire.png"))\n")
    #expect(ending.notes.contains("- sourcePosition x, sourcePosition y: visgraph places emitters"))
    #expect(text(out).contains("# - sourcePosition x, sourcePosition y: visgraph places emitters"))
    #expect(text(out).contains("\n    birthRate: 50\n"))
    #expect(text(out).contains("\n    scale: 2\n"))
    #expect(text(out).hasSuffix("    contents: fire.png\n"))
    #expect(try Picture.read(path: folder.file("fire.png")).width == 8)
  }

  @Test func `without -o the emitter is written into the current folder under the file's name`() throws {
    let file = try made()
    let child = try Child([
      "sh", "-c", "cd \"$1\" && exec \"$2\" import in/fire.pex", "sh", folder.path, Visgraph.path,
    ])
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(child.results == "fire.yaml\nfire.png\n")
    #expect(text(folder.file("fire.yaml")).contains("visgraph-emitter: 1"))
    #expect(text(file) == Self.pex)
  }

  @Test func `a table of LEDs beside the graph is named and not written`() throws {
    let table = "# the tree in the yard\nlamp,x,y\none,0,0\ntwo,10.1234567,3\nthree,5,9\n"
    let file = try folder.write(table, to: "tree.csv")
    for options in ["", "--force"] {
      let child = try Child([
        "sh", "-c", "cd \"$1\" && exec \"$2\" import tree.csv $3", "sh", folder.path, Visgraph.path, options,
      ])
      #expect(child.exitCode() == 0, "\(child.notes)")
      #expect(child.results == "tree.yaml\n" && text(file) == table)
    }
    #expect(text(folder.file("tree.yaml")).contains("layout: { file: tree.csv }"))
    let info = try Visgraph.run("info", folder.file("tree.yaml"))
    #expect(info.code == 0 && info.results.contains("\n  leds  3 "), "\(info.notes)\(info.results)")
    // Under another name the graph has a table of its own.
    let other = try Visgraph.run("import", file, "-o", folder.file("other.yaml"))
    #expect(other.results == "\(folder.file("other.yaml"))\n\(folder.file("other.csv"))\n", "\(other.notes)")
  }

  @Test func `a PNG beside the emitter file is used from there`() throws {
    let file = try made()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("in/glow.png")))
    let ending = try Visgraph.run("import", file, "-o", folder.file("in/fire.yaml"))
    #expect(ending.results == "\(folder.file("in/fire.yaml"))\n")
    #expect(text(folder.file("in/fire.yaml")).hasSuffix("    contents: glow.png\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("in/glow.png"))) == before)
  }

  @Test func `nothing is overwritten without --force`() throws {
    let file = try made()
    let (out, picture) = (folder.file("fire.yaml"), folder.file("fire.png"))
    _ = try folder.write("mine\n", to: "fire.png")
    let ending = try Visgraph.run("import", file, "-o", out)
    #expect(ending.code == 1)
    #expect(ending.notes == "visgraph: \(picture): File exists; --force writes over it\n")
    #expect(!FileManager.default.fileExists(atPath: out))
    #expect(text(picture) == "mine\n")
    #expect(try Visgraph.run("import", file, "-o", out, "--force").code == 0)
    #expect(try Visgraph.run("import", file, "-o", out).notes.contains("fire.yaml: File exists"))
    #expect(try Picture.read(path: picture).width == 8)
  }

  @Test func `a faulty file ends with 2, an unwritable folder with 1, wrong usage with 64`() throws {
    let file = try made()
    let bad = try folder.write("<plist>", to: "bad.plist")
    let broken = try Visgraph.run("import", bad, "-o", folder.file("bad.yaml"))
    #expect(broken.code == 2)
    #expect(broken.notes == "visgraph: \(bad):1: is broken XML: no element found [broken-xml]\n")
    #expect(try Visgraph.run("import", folder.file("gone.plist")).code == 2)
    try FileManager.default.removeItem(atPath: folder.file("in/glow.png"))
    let textureless = try Visgraph.run("import", file, "-o", folder.file("a.yaml"))
    #expect(textureless.code == 2)
    #expect(textureless.notes.contains("; --without-texture imports it without [no-texture]"))
    #expect(try Visgraph.run("import", file, "-o", folder.file("a.yaml"), "--without-texture").code == 0)
    let nowhere = try Visgraph.run(
      "import", file, "-o", folder.file("no/such/a.yaml"), "--without-texture")
    #expect(nowhere.code == 1)
    #expect(nowhere.notes == "visgraph: \(folder.file("no/such/a.yaml")): No such file or directory\n")
    #expect(try Visgraph.run("import", file, "-o", "a.txt").code == 64)
    #expect(try Visgraph.run("import").code == 64)
  }

  @Test func `the written emitter can be used by a graph`() throws {
    _ = try made()
    let key = "evil: \"#x"
    let plist = """
      <plist><dict><key>configName</key><string>Night: "sky" #1</string>
      <key>maxParticles</key><integer>300</integer><key>particleLifespan</key><real>1e-9</real>
      <key>speed</key><string>1e30</string><key>emitterType</key><integer>1</integer>
      <key>maxRadius</key><real>1e9</real><key>duration</key><real>0.5</real><key>rotationEnd</key><real>-1e9</real>
      <key>\(key)</key><real>1</real></dict></plist>
      """
    let ped = """
      {"version": 0.1, "emitterType": 1, "emitterMode": 3, "width": 100, "birthRate": 1e30, "lifetime": 1e30,
      "latitude": 1e30, "spin": -1e30, "color": "#ff8000", "alpha": 1, "scale": 1e-30, "a": "b"}
      """
    for (source, name) in [(Self.pex, "fire.pex"), (plist, "night.plist"), (ped, "line.ped")] {
      let file = try folder.write(source, to: "in/\(name)")
      let out = folder.file("\(name).yaml")
      let imported = try Visgraph.run("import", file, "-o", out)
      #expect(imported.code == 0, "\(imported.notes)")
      let graph = try folder.write(
        """
        visgraph: 1
        nodes:
          tone: { type: tone-source }
          meter: { type: meter }
          level: { type: meter-table }
          glow:
            type: emitter
            emitter: \(name).yaml
            drive: [{ key: cells.particle.scale, to: [0, 2] }]
        wires: [tone -> meter -> level -> glow]

        """, to: "graph.yaml")
      let checked = try Visgraph.run("check", graph)
      #expect(checked.code == 0, "\(checked.notes)\n\(text(out))")
      #expect(checked.notes == "")
    }
  }
}
