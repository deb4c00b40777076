import Foundation
import Particles
import TestSupport
import Testing

@testable import Importers

/// Property lists of cocos2d and Particle Designer.
@Suite struct PlistTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  private func imported(_ changes: [String: String] = [:]) throws -> ParticleImport {
    try files.imported(ParticleFiles.plist(changes))
  }

  @Test func `every key of the gravity mode becomes a setting`() throws {
    let imported = try imported()
    var layer = Layer()
    layer.shape = .rectangle
    layer.size = Size(width: 14, height: 6)
    layer.renderMode = .additive
    layer.limit = 200
    var cell = Cell(name: "particle")
    cell.birthRate = 250
    cell.lifetime = Double(Float(0.8))
    cell.emissionLongitude = Double(Float(-Double.pi / 2))
    cell.emissionRange = Double(Float(Double.pi / 3))
    cell.velocity = 150
    cell.velocityRange = 40
    cell.xAcceleration = 12
    cell.yAcceleration = 120
    cell.scale = 0.5
    cell.scaleRange = 0.25
    cell.scaleSpeed = Double(Float(-12 / 0.8 / 32))
    cell.spin = Double(Float(Double.pi))
    cell.spinRange = Double(Float(Double.pi / 4))
    cell.color = Color(red: 1, green: 0.5, blue: 0.25, alpha: 0.75)
    cell.redRange = Double(Float(0.1))
    cell.greenRange = Double(Float(0.2))
    cell.blueRange = Double(Float(0.3))
    cell.alphaRange = Double(Float(0.4))
    cell.redSpeed = -1
    cell.greenSpeed = 0
    cell.blueSpeed = 0.5
    cell.alphaSpeed = Double(Float(-0.75 / 0.8))
    layer.cells = [cell]
    #expect(imported.layer == layer)
    #expect(imported.name == "sparks")
    #expect(imported.format == .plist)
    // The only note is that there is no texture.
    #expect(imported.notes.map(\.keys) == [["textureImageData"]])
  }

  @Test func `durations, names and sizes have their special values`() throws {
    let named = try imported(["duration": "2.5", "configName": "Night sky", "finishParticleSize": "-1"])
    #expect(named.layer.timing.duration == 2.5)
    #expect(named.name == "Night sky")
    #expect(named.cell.scaleSpeed == 0)
    #expect(named.cell.scale == 0.5)
    #expect(try imported().layer.timing.duration == .infinity)
    #expect(try imported(["duration": ""]).layer.timing.duration == 0)
  }

  @Test func `blend functions become render modes`() throws {
    for (source, destination, mode, isNamed) in [
      ("770", "1", RenderMode.additive, false), ("1", "1", .additive, true),
      ("770", "771", .unordered, false), ("1", "771", .unordered, false), ("775", "1", .additive, true),
      ("775", "769", .unordered, true), ("1e300", "770", .unordered, true),
    ] {
      let imported = try imported(["blendFuncSource": source, "blendFuncDestination": destination])
      #expect(imported.layer.renderMode == mode, "\(source) \(destination)")
      #expect(
        imported.notes(of: "blendFuncSource").isEmpty == !isNamed, "\(source) \(destination)")
    }
  }

  @Test func `an inverted coordinate system inverts the motion`() throws {
    let turned = try imported(["yCoordFlipped": "-1", "configName": "a"])
    #expect(abs(turned.cell.emissionLongitude - .pi / 2) < 1e-6)
    #expect(turned.cell.xAcceleration == -12)
    #expect(turned.cell.yAcceleration == -120)
    #expect(turned.notes(of: "yCoordFlipped").map(\.kind) == [.approximated])
    let plain = try imported(["yCoordFlipped": "1", "configName": "a"])
    #expect(plain.cell == (try imported()).cell)
    #expect(plain.notes(of: "yCoordFlipped").isEmpty)
    #expect(try imported(["yCoordFlipped": "3"]).notes(of: "yCoordFlipped").map(\.kind) == [.changed])
  }

  @Test(arguments: [
    ("sourcePositionx", "160"), ("sourcePositiony", "240"), ("tangentialAcceleration", "12"),
    ("tangentialAccelVariance", "3"), ("rotationIsDir", "1"), ("finishColorVarianceRed", "0.1"),
    ("finishColorVarianceGreen", "0.1"), ("finishColorVarianceBlue", "0.1"),
    ("finishColorVarianceAlpha", "0.1"), ("finishParticleSizeVariance", "2"), ("rotationStart", "30"),
    ("rotationStartVariance", "30"), ("maxRadius", "5"), ("maxRadiusVariance", "5"), ("minRadius", "5"),
    ("minRadiusVariance", "5"), ("rotatePerSecond", "5"), ("rotatePerSecondVariance", "5"),
    ("radialAcceleration", "-4000"), ("radialAccelVariance", "4"), ("emitterShine", "4"),
  ])
  func `a key without a counterpart is named`(_ key: String, _ value: String) throws {
    let imported = try imported([key: value])
    #expect(imported.notes(of: key).contains { $0.kind == .left }, "\(imported.notes)")
    let text = imported.text(contents: nil)
    let head = text.split(separator: "\n").prefix { $0.hasPrefix("#") }
    #expect(head.contains { $0.contains(key) })
  }

  @Test func `an approximation is noted as one`() throws {
    let radial = [
      "emitterType": "1", "maxRadius": "100", "minRadius": "20", "particleLifespanVariance": "0.2",
    ]
    #expect(try imported(radial).notes(of: "particleLifespanVariance").map(\.kind) == [.approximated])
    let both = try imported(["rotationStartVariance": "48"])
    #expect(abs(both.cell.spinRange - 60 / 0.8 * .pi / 180) < 1e-6)
    #expect(both.notes(of: "rotationEndVariance").map(\.kind) == [.approximated])
    #expect(try imported(["angleVariance": "270"]).cell.emissionRange == Double(Float(2 * Double.pi)))
    #expect(try imported(["angleVariance": "270"]).notes(of: "angleVariance").map(\.kind) == [.approximated])
  }

  @Test func `radial acceleration becomes a speed, or an acceleration if all particles fly one way`() throws {
    let still = ["sourcePositionVariancex": "0", "sourcePositionVariancey": "0"]
    let spread = try imported(
      still.merging(["radialAcceleration": "100", "radialAccelVariance": "75"]) { $1 })
    #expect(spread.cell.velocity == 190)
    #expect(spread.cell.velocityRange == 50)
    #expect(spread.notes(of: "radialAcceleration").map(\.kind) == [.approximated])
    let ray = try imported(
      still.merging(["radialAcceleration": "100", "angleVariance": "0", "angle": "180"]) { $1 })
    #expect(ray.cell.velocity == 150)
    #expect(abs(ray.cell.xAcceleration - -88) < 1e-4)
    #expect(abs(ray.cell.yAcceleration - 120) < 1e-4)
  }

  @Test func `the radial mode from the center is a spray against the angle`() throws {
    let imported = try imported([
      "emitterType": "1", "maxRadius": "0", "minRadius": "40", "angle": "90", "gravityy": "-3",
      "speed": "9", "rotatePerSecond": "20",
    ])
    #expect(imported.layer.shape == .point)
    #expect(imported.cell.velocity == 50)
    #expect(abs(imported.cell.emissionLongitude - .pi / 2) < 1e-6)
    #expect(imported.cell.yAcceleration == 0)
    #expect(imported.notes(of: "rotatePerSecond").map(\.kind) == [.left])
    #expect(imported.notes(of: "speed").map(\.kind) == [.left])
    #expect(imported.notes(of: "gravityy").map(\.kind) == [.left])
  }

  @Test func `the radial mode from a circle emits on that circle`() throws {
    let imported = try imported([
      "emitterType": "1", "maxRadius": "90.9", "maxRadiusVariance": "4", "minRadius": "10.9",
      "configName": "rounded",
    ])
    #expect(imported.layer.shape == .circle)
    #expect(imported.layer.mode == .outline)
    // With a name in it these are read as whole numbers.
    #expect(imported.layer.size.width == 90)
    #expect(imported.cell.velocity == 100)
    #expect(imported.notes(of: "maxRadius").map(\.kind) == [.approximated])
    #expect(imported.notes(of: "maxRadiusVariance").map(\.kind) == [.left])
    #expect(try self.imported(["emitterType": "1", "maxRadius": "90.5"]).layer.size.width == 90.5)
    let ring = try self.imported(["emitterType": "1", "maxRadius": "90.5", "minRadius": "-1"])
    #expect(ring.cell.velocity == 0)
  }

  @Test func `numbers out of range are clamped, with a note`() throws {
    let imported = try imported([
      "maxParticles": "1e30", "startColorRed": "7", "speed": "-1e30", "startColorVarianceBlue": "-0.5",
      "finishColorBlue": "-2",
    ])
    #expect(imported.layer.limit == 1_000_000)
    #expect(imported.cell.birthRate == 100_000)
    #expect(imported.cell.color.red == 1)
    #expect(imported.cell.velocity == -1e6)
    #expect(imported.cell.blueRange == 0.5)
    for key in ["maxParticles", "startColorRed", "speed", "finishColorBlue"] {
      #expect(imported.notes(of: key).contains { $0.kind == .changed }, "\(key)")
    }
    #expect(imported.notes(of: "startColorRed")[0].message == "color.red takes 0…1, so it is 1 and not 7")
  }

  @Test func `missing keys count as 0 and are named`() throws {
    let imported = try files.imported(
      "<plist><dict><key>maxParticles</key><integer>5</integer></dict></plist>")
    let missing = imported.notes(of: "particleLifespan").filter { $0.message.hasPrefix("not given") }
    #expect(missing.count == 1)
    #expect(missing.first?.keys.contains("startColorAlpha") == true)
    #expect(imported.cell.birthRate == 500)
  }

  @Test func `binary property lists give the same`() throws {
    let path = try files.folder.write(ParticleFiles.plist(["configName": "Zoë"]), to: "xml.plist")
    let binary = files.folder.file("binary.plist")
    _ = try files.python(
      "import plistlib,sys; plistlib.dump(plistlib.load(open(sys.argv[1],'rb')), open(sys.argv[2],'wb'), "
        + "fmt=plistlib.FMT_BINARY)", path, binary)
    let (first, second) = (try ParticleImport.read(path: path), try ParticleImport.read(path: binary))
    #expect(second.layer == first.layer)
    #expect(second.name == "Zoë")
    #expect(second.notes == first.notes)
  }

  @Test func `values of the wrong kind are faults that name the key`() throws {
    for (value, words) in [
      ("<string>fast</string>", "speed is \"fast\"; it takes a number"),
      ("<array/>", "speed is a list; it takes a number"), ("<dict/>", "speed is a dictionary"),
      ("<real>nan</real>", "speed is \"nan\""), ("<real>inf</real>", "speed is \"inf\""),
      ("<real>1e999</real>", "speed is \"1e999\""), ("<string>0x10</string>", "speed is \"0x10\""),
      ("<data>AAAA</data>", "speed is data"),
    ] {
      let text = ParticleFiles.plist().replacing(
        "<key>speed</key><real>150</real>", with: "<key>speed</key>\(value)")
      let fault = try #require(try files.fault(text))
      #expect(fault.code == "wrong-value")
      #expect(fault.message.contains(words), "\(fault.message)")
      #expect(fault.message.hasPrefix(files.folder.file("sparks.plist")))
    }
    let type = try #require(try files.fault(ParticleFiles.plist(["emitterType": "7"])))
    #expect(type.message.hasSuffix("emitterType is 7; it takes 0 (gravity) or 1 (radial)"))
  }
}
