import Foundation
import Particles
import Rendering
import TestSupport

@testable import Importers

/// Particle files as their programs write them, made for each test.
struct ParticleFiles {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Every key of a property list in gravity mode that has a counterpart here.
  static let gravity: [String: String] = [
    "maxParticles": "200", "emitterType": "0", "duration": "-1", "particleLifespan": "0.8",
    "particleLifespanVariance": "0", "angle": "90", "angleVariance": "30", "sourcePositionx": "0",
    "sourcePositiony": "0", "sourcePositionVariancex": "7", "sourcePositionVariancey": "3",
    "startColorRed": "1", "startColorGreen": "0.5", "startColorBlue": "0.25", "startColorAlpha": "0.75",
    "startColorVarianceRed": "0.1", "startColorVarianceGreen": "0.2", "startColorVarianceBlue": "0.3",
    "startColorVarianceAlpha": "0.4", "finishColorRed": "0.2", "finishColorGreen": "0.5",
    "finishColorBlue": "0.65", "finishColorAlpha": "0", "finishColorVarianceRed": "0",
    "finishColorVarianceGreen": "0", "finishColorVarianceBlue": "0", "finishColorVarianceAlpha": "0",
    "startParticleSize": "16", "startParticleSizeVariance": "8", "finishParticleSize": "4",
    "finishParticleSizeVariance": "0", "rotationStart": "0", "rotationStartVariance": "0",
    "rotationEnd": "144", "rotationEndVariance": "36", "blendFuncSource": "770", "blendFuncDestination": "1",
    "gravityx": "12", "gravityy": "-120", "speed": "150", "speedVariance": "40", "radialAcceleration": "0",
    "radialAccelVariance": "0", "tangentialAcceleration": "0", "tangentialAccelVariance": "0",
    "rotationIsDir": "0", "maxRadius": "0", "maxRadiusVariance": "0", "minRadius": "0",
    "rotatePerSecond": "0", "rotatePerSecondVariance": "0",
  ]

  /// A property list with some keys changed; an empty value removes a key.
  static func plist(_ changes: [String: String] = [:]) -> String {
    let values = gravity.merging(changes) { $1 }.filter { $0.value != "" }
    let lines = values.sorted { $0.key < $1.key }.map { key, value in
      Double(value) == nil
        ? "<key>\(key)</key><string>\(value)</string>" : "<key>\(key)</key><real>\(value)</real>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \(lines.joined(separator: "\n"))
      </dict>
      </plist>

      """
  }

  /// Starling's XML with some elements replaced by those of the same name.
  static func pex(_ changes: String...) -> String {
    let elements = """
      <sourcePosition x="0" y="0"/>
      <sourcePositionVariance x="5.00" y="0.00"/>
      <speed value="90.00"/>
      <speedVariance value="30.00"/>
      <particleLifeSpan value="2.0000"/>
      <particleLifespanVariance value="0.0000"/>
      <angle value="270.00"/>
      <angleVariance value="15.00"/>
      <gravity x="1.50" y="-20.00"/>
      <radialAcceleration value="0.00"/>
      <tangentialAcceleration value="0.00"/>
      <radialAccelVariance value="0.00"/>
      <tangentialAccelVariance value="0.00"/>
      <startColor red="1.00" green="0.25" blue="0.00" alpha="0.50"/>
      <startColorVariance red="0.00" green="0.10" blue="0.00" alpha="0.00"/>
      <finishColor red="0.00" green="0.25" blue="0.00" alpha="0.00"/>
      <finishColorVariance red="0.00" green="0.00" blue="0.00" alpha="0.00"/>
      <maxParticles value="401"/>
      <startParticleSize value="64.00"/>
      <startParticleSizeVariance value="16.00"/>
      <finishParticleSize value="0.00"/>
      <FinishParticleSizeVariance value="0.00"/>
      <duration value="-1.00"/>
      <emitterType value="0"/>
      <maxRadius value="0.00"/>
      <maxRadiusVariance value="0.00"/>
      <minRadius value="0.00"/>
      <rotatePerSecond value="0.00"/>
      <rotatePerSecondVariance value="0.00"/>
      <blendFuncSource value="1"/>
      <blendFuncDestination value="771"/>
      <rotationStart value="0.00"/>
      <rotationStartVariance value="0.00"/>
      <rotationEnd value="90.00"/>
      <rotationEndVariance value="0.00"/>
      """.split(separator: "\n").map(String.init)
    func name(_ element: String) -> Substring { element.dropFirst().prefix { $0 != " " && $0 != "/" } }
    let kept = elements.filter { element in !changes.contains { name($0) == name(element) } }
    return "<?xml version=\"1.0\"?>\n<particleEmitterConfig>\n"
      + (kept + changes).joined(separator: "\n") + "\n</particleEmitterConfig>\n"
  }

  /// Every key of an effect that has a counterpart here.
  static var effect: [String: Any] {
    [
      "version": 0.1, "x": 0, "y": 0, "width": 120, "height": 80, "emitterType": 0, "emitterMode": 1,
      "birthRate": 40, "lifetime": 5, "lifetimeRange": 2, "velocity": 100, "velocityRange": 150,
      "latitude": 0.5, "longitude": 1.5, "xAcceleration": -44, "yAcceleration": 30, "zAcceleration": 7,
      "scale": 0.5, "scaleRange": 0.25, "scaleSpeed": -0.125, "spin": 0.5, "spinRange": 0.75,
      "color": "#0080FF", "alpha": 0.75, "redRange": 0.1, "greenRange": 0.2, "blueRange": 0.3,
      "alphaRange": 0.4, "redSpeed": 0.5, "greenSpeed": -0.5, "blueSpeed": 0.25, "alphaSpeed": -0.25,
      "aux1": NSNull(),
    ]
  }

  /// An effect with some keys changed; `NSNull` removes a key.
  static func ped(_ changes: [String: Any] = [:]) throws -> String {
    let values = effect.merging(changes) { $1 }
    return String(decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self)
  }

  /// Writes a file and imports it.
  func imported(_ text: String, as name: String = "sparks.plist") throws -> ParticleImport {
    try ParticleImport.read(path: try folder.write(text, to: name))
  }

  /// The fault of importing a text; nil if it is imported.
  func fault(_ text: String, as name: String = "sparks.plist") throws -> ImportError? {
    try fault(Array(text.utf8), as: name)
  }

  /// The fault of importing bytes; nil if they are imported.
  func fault(_ bytes: [UInt8], as name: String = "sparks.plist") throws -> ImportError? {
    let path = folder.file(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    do throws(ImportError) {
      _ = try ParticleImport.read(path: path)
      return nil
    } catch {
      return error
    }
  }

  /// Runs Python. Returns its output.
  func python(_ program: String, _ arguments: String...) throws -> String {
    try run("python3", ["-c", program] + arguments)
  }

  /// Runs a program. Returns its output.
  func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A picture in which all pixels differ, some of them half transparent.
  static func picture(width: Int = 8, height: Int = 8) -> Picture {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        pixels += [UInt8(x * 255 / width), UInt8(y * 255 / height), 200, (x + y) % 2 == 0 ? 255 : 128]
      }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }

  /// A PNG in the test's folder. Returns its path.
  func png(_ name: String, width: Int = 8, height: Int = 8) throws -> String {
    try Self.picture(width: width, height: height).write(path: folder.file(name), replacing: true)
    return folder.file(name)
  }
}

extension ParticleImport {
  /// The notes about a key.
  func notes(of key: String) -> [ImportNote] { notes.filter { $0.keys.contains(key) } }

  /// Its only cell.
  var cell: Cell { layer.cells[0] }
}
