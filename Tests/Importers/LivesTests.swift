import Particles
import Testing

@testable import Importers

/// Lives that differ: sizes, colors and angles go from start to finish over each particle's own.
@Suite struct LivesTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  @Test func `where lives differ, speeds are by life and not by the second`() throws {
    let imported = try files.imported(ParticleFiles.plist(["particleLifespanVariance": "0.2"]))
    #expect(imported.layer.growth == .perLife)
    #expect(imported.cell.scaleSpeed == Double(Float(-12.0 / 32)))
    #expect(imported.cell.redSpeed == Double(Float(-0.8)))
    #expect(imported.cell.alphaSpeed == -0.75)
    #expect(imported.cell.spin == Double(Float(144 * Double.pi / 180)))
    #expect(imported.notes(of: "particleLifespanVariance").isEmpty)
    #expect(imported.text(contents: nil).contains("\ngrowth: per-life\n"))
    // Where all live alike, seconds say the same.
    let alike = try files.imported(ParticleFiles.plist())
    #expect(alike.layer.growth == .perSecond)
    #expect(!alike.text(contents: nil).contains("growth"))
  }

  /// What is alive two seconds and more from the beginning, in frames of a sixtieth.
  private func sprites(_ imported: ParticleImport) -> [[Sprite]] {
    let system = ParticleSystem(imported.layer, node: "a", channel: 1)
    for _ in 0..<120 { system.step(1.0 / 60) }
    return (0..<120).map { _ in
      system.step(1.0 / 60)
      var sprites: [Sprite] = []
      system.appendSprites(to: &sprites)
      return sprites
    }
  }

  @Test func `a life of 0 s give or take 1 s keeps all particles alive, half bright in the mean`() throws {
    let imported = try files.imported(
      ParticleFiles.plist([
        "particleLifespan": "0", "particleLifespanVariance": "1", "startColorAlpha": "1",
        "startColorVarianceAlpha": "0", "finishColorAlpha": "0",
      ]))
    let frames = sprites(imported)
    #expect(imported.cell.lifetime == 0.5 && imported.cell.lifetimeRange == 0.5)
    for frame in frames { #expect((180...200).contains(frame.count), "\(frame.count)") }
    let alphas = frames.flatMap { $0 }.map(\.alpha)
    let mean = alphas.reduce(0, +) / Float(alphas.count)
    #expect(abs(mean - 0.5) < 0.02, "\(mean)")
  }

  @Test func `in Starling's files, too`() throws {
    let imported = try files.imported(
      ParticleFiles.pex(
        "<particleLifeSpan value=\"0.1\"/>", "<particleLifespanVariance value=\"4.9\"/>",
        "<maxParticles value=\"200\"/>", "<finishColor red=\"1\" green=\"0.25\" blue=\"0\" alpha=\"0\"/>",
        "<finishParticleSize value=\"64\"/>"), as: "a.pex")
    let frames = sprites(imported)
    for frame in frames { #expect((180...200).contains(frame.count), "\(frame.count)") }
    let alphas = frames.flatMap { $0 }.map(\.alpha)
    let mean = alphas.reduce(0, +) / Float(alphas.count)
    // From 0.5 to 0, of which those of the long lives have gone the less.
    #expect(mean > 0.2 && mean < 0.3, "\(mean)")
  }
}
