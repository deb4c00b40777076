import Particles
import TestSupport
import Testing

@testable import Importers

/// Starling's XML.
@Suite struct PexTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  private func imported(_ changes: String...) throws -> ParticleImport {
    // Changes are appended: of two elements with one name the last counts.
    let text = ParticleFiles.pex().replacing(
      "</particleEmitterConfig>", with: changes.joined() + "</particleEmitterConfig>")
    return try files.imported(text, as: "fire.pex")
  }

  @Test func `every element becomes a setting`() throws {
    let imported = try imported()
    var layer = Layer()
    layer.shape = .rectangle
    layer.size = Size(width: 10, height: 0)
    layer.limit = 401
    var cell = Cell(name: "particle")
    cell.birthRate = 200
    cell.lifetime = 2
    // Starling counts y downwards: 270° is up, as here.
    cell.emissionLongitude = Double(Float(-Double.pi / 2))
    cell.emissionRange = Double(Float(Double.pi / 6))
    cell.velocity = 90
    cell.velocityRange = 30
    cell.xAcceleration = 1.5
    cell.yAcceleration = -20
    cell.scale = 2
    cell.scaleRange = 0.5
    cell.scaleSpeed = Double(Float((0.1 - 64) / 2 / 32))
    cell.spin = Double(Float(Double.pi / 4))
    cell.color = Color(red: 1, green: 0.25, blue: 0, alpha: 0.5)
    cell.greenRange = Double(Float(0.1))
    cell.redSpeed = -0.5
    cell.alphaSpeed = -0.25
    layer.cells = [cell]
    #expect(imported.layer == layer)
    #expect(imported.format == .pex)
    #expect(imported.name == "fire")
    #expect(imported.notes.map(\.keys) == [["textureImageData"], ["finishParticleSize"]])
  }

  @Test func `both spellings of every key are accepted`() throws {
    for text in [
      ParticleFiles.pex("<particleLifespan value=\"3\"/>").replacing(
        "<particleLifeSpan value=\"2.0000\"/>\n", with: ""),
      ParticleFiles.pex("<particleLifeSpan value=\"3\"/>"),
    ] {
      #expect(try files.imported(text, as: "a.pex").cell.lifetime == 3)
    }
    for spelling in ["particleLifespanVariance", "particleLifeSpanVariance"] {
      let text = ParticleFiles.pex("<\(spelling) value=\"0.5\"/>").replacing(
        "<particleLifespanVariance value=\"0.0000\"/>\n", with: "")
      let imported = try files.imported(text, as: "a.pex")
      #expect(imported.cell.lifetimeRange == 0.5)
      #expect(imported.layer.growth == .perLife)
      #expect(imported.notes(of: spelling).isEmpty)
    }
    for spelling in ["FinishParticleSizeVariance", "finishParticleSizeVariance"] {
      let text = ParticleFiles.pex("<\(spelling) value=\"4\"/>").replacing(
        "<FinishParticleSizeVariance value=\"0.00\"/>\n", with: "")
      #expect(try files.imported(text, as: "a.pex").notes(of: spelling).map(\.kind) == [.left])
    }
  }

  @Test func `lifetimes and sizes have Starling's lower limits`() throws {
    let imported = try files.imported(
      ParticleFiles.pex("<particleLifeSpan value=\"0\"/>", "<startParticleSize value=\"-5\"/>"), as: "a.pex")
    #expect(imported.cell.lifetime == Double(Float(0.01)))
    #expect(imported.cell.birthRate == 40_000)
    #expect(imported.cell.scale == Double(Float(0.1 / 32)))
    #expect(!imported.notes(of: "particleLifeSpan").isEmpty)
    #expect(!imported.notes(of: "startParticleSize").isEmpty)
  }

  @Test func `the radial mode may vary its inner radius`() throws {
    let imported = try files.imported(
      ParticleFiles.pex(
        "<emitterType value=\"1\"/>", "<minRadius value=\"80\"/>", "<minRadiusVariance value=\"20\"/>"),
      as: "a.pex")
    #expect(imported.cell.velocity == 40)
    #expect(imported.cell.velocityRange == 10)
    #expect(abs(imported.cell.emissionLongitude - .pi / 2) < 1e-6)
    #expect(imported.notes(of: "minRadiusVariance").isEmpty)
  }

  @Test func `notes name keys as the file does`() throws {
    let imported = try files.imported(
      ParticleFiles.pex(
        "<sourcePosition x=\"160\" y=\"0\"/>",
        "<finishColorVariance red=\"0.5\" green=\"0\" blue=\"0\" alpha=\"0\"/>",
        "<yCoordFlipped value=\"-1\"/>", "<wind force=\"3\"/>", "<empty/>"), as: "a.pex")
    #expect(imported.notes(of: "sourcePosition x").map(\.kind) == [.left])
    #expect(imported.notes(of: "finishColorVariance red").map(\.kind) == [.left])
    #expect(imported.notes(of: "yCoordFlipped").map(\.kind) == [.left])
    #expect(imported.notes(of: "wind force").map(\.message) == ["not known to visgraph"])
    #expect(imported.notes(of: "empty").map(\.kind) == [.left])
    #expect(imported.cell.yAcceleration == -20)
  }

  @Test func `of a key given twice the last counts, with a note`() throws {
    let imported = try imported("<speed value=\"7\"/>")
    #expect(imported.cell.velocity == 7)
    #expect(imported.notes(of: "speed").map(\.message) == ["given more than once; the last counts"])
  }

  @Test func `an invalid number is a fault that names the key`() throws {
    let fault = try #require(try files.fault(ParticleFiles.pex("<gravity x=\"NaN\" y=\"0\"/>"), as: "a.pex"))
    #expect(fault.code == "wrong-value")
    #expect(fault.message.hasSuffix("gravity x is \"NaN\"; it takes a number"))
  }
}
