import Foundation
import Particles
import TestSupport
import Testing

@testable import Importers

/// Effects of UIEffectDesigner.
@Suite struct PedTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  private func imported(_ changes: [String: Any] = [:]) throws -> ParticleImport {
    try files.imported(ParticleFiles.ped(changes), as: "glow.ped")
  }

  @Test func `every key becomes a setting, with y inverted`() throws {
    let imported = try imported()
    var layer = Layer()
    layer.shape = .rectangle
    layer.size = Size(width: 120, height: 80)
    layer.renderMode = .additive
    var cell = Cell(name: "particle")
    cell.birthRate = 40
    cell.lifetime = 5
    cell.lifetimeRange = 2
    cell.velocity = 100
    cell.velocityRange = 150
    cell.emissionLatitude = 0.5
    cell.emissionLongitude = -1.5
    cell.xAcceleration = -44
    cell.yAcceleration = -30
    cell.zAcceleration = 7
    cell.scale = 0.5
    cell.scaleRange = 0.25
    cell.scaleSpeed = -0.125
    cell.spin = -0.5
    cell.spinRange = 0.75
    cell.color = Color(red: 0, green: Double(Float(128.0 / 255)), blue: 1, alpha: 0.75)
    cell.redRange = Double(Float(0.1))
    cell.greenRange = Double(Float(0.2))
    cell.blueRange = Double(Float(0.3))
    cell.alphaRange = Double(Float(0.4))
    cell.redSpeed = 0.5
    cell.greenSpeed = -0.5
    cell.blueSpeed = 0.25
    cell.alphaSpeed = -0.25
    layer.cells = [cell]
    #expect(imported.layer == layer)
    #expect(imported.format == .ped)
    #expect(imported.name == "glow")
    #expect(imported.notes.map(\.keys) == [["texture"]])
  }

  @Test func `emitter types are shapes, and modes are render modes`() throws {
    for (type, shape) in [EmitterShape.rectangle, .line, .point].enumerated() {
      #expect(try imported(["emitterType": type]).layer.shape == shape)
    }
    for (mode, order) in [RenderMode.unordered, .additive, .oldestLast, .oldestFirst].enumerated() {
      #expect(try imported(["emitterMode": mode]).layer.renderMode == order)
    }
    for key in ["emitterType", "emitterMode"] {
      for value in [-1, 4] {
        let fault = try #require(try files.fault(ParticleFiles.ped([key: value]), as: "a.ped"))
        #expect(fault.message.contains("\(key) is \(value); it takes 0 ("))
      }
    }
    // A particle that rises from a line there falls here, and the other way round.
    #expect(
      try imported(["emitterType": 1, "longitude": 0]).cell.emissionLongitude == Double(Float(Double.pi)))
  }

  @Test func `a key without a counterpart is named`() throws {
    let imported = try imported(["x": 253, "y": 390, "previewRect": "{{390, 317}, {320, 480}}", "aux2": 7])
    for key in ["x", "y", "previewRect", "aux2"] {
      #expect(imported.notes(of: key).map(\.kind) == [.left], "\(key)")
    }
    #expect(imported.notes(of: "aux1").isEmpty)
  }

  @Test func `a file of a newer version, an invalid color and values of the wrong kind are faults`() throws {
    for (changes, words) in [
      (["version": 0.2], "version is 0.2; versions up to 0.1 are known"),
      (["color": "red"], "color is \"red\"; it takes red, green and blue as #RRGGBB"),
      (["color": "#12345G"], "color is \"#12345G\""), (["birthRate": [1]], "birthRate is a list"),
      (["birthRate": "many"], "birthRate is \"many\"; it takes a number"),
    ] as [([String: Any], String)] {
      let fault = try #require(try files.fault(ParticleFiles.ped(changes), as: "a.ped"))
      #expect(fault.message.contains(words), "\(fault.message)")
    }
  }

  @Test func `the limit follows from the number of living particles`() throws {
    #expect(try imported(["birthRate": 40_000]).layer.limit == 280_000)
    #expect(try imported(["birthRate": 1e30, "lifetime": 1e30]).layer.limit == 1_000_000)
  }
}
