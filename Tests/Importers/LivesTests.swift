import Particles
import Testing

@testable import Importers

/// Lifetimes that differ: sizes, colors and angles go from start to end over each particle's own lifetime.
@Suite struct LivesTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  @Test func `where lifetimes differ, speeds are per lifetime and not per second`() throws {
    let imported = try files.imported(ParticleFiles.plist(["particleLifespanVariance": "0.2"]))
    #expect(imported.layer.growth == .perLife)
    #expect(imported.cell.scaleSpeed == Double(Float(-12.0 / 32)))
    #expect(imported.cell.redSpeed == Double(Float(-0.8)))
    #expect(imported.cell.alphaSpeed == -0.75)
    #expect(imported.cell.spin == Double(Float(144 * Double.pi / 180)))
    #expect(imported.notes(of: "particleLifespanVariance").isEmpty)
    #expect(imported.text(contents: nil).contains("\ngrowth: per-life\n"))
    // With equal lifetimes, seconds say the same.
    let alike = try files.imported(ParticleFiles.plist())
    #expect(alike.layer.growth == .perSecond)
    #expect(!alike.text(contents: nil).contains("growth"))
  }

  /// The particles alive from two seconds on, in frames of 1/60 s.
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

  @Test func `a lifetime of 0 s ± 1 s keeps all particles alive, with half the brightness in the mean`()
    throws
  {
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

  @Test func `the same holds for Starling's files`() throws {
    let imported = try files.imported(
      ParticleFiles.pex(
        "<particleLifeSpan value=\"0.1\"/>", "<particleLifespanVariance value=\"4.9\"/>",
        "<maxParticles value=\"200\"/>", "<finishColor red=\"1\" green=\"0.25\" blue=\"0\" alpha=\"0\"/>",
        "<finishParticleSize value=\"64\"/>"), as: "a.pex")
    let frames = sprites(imported)
    for frame in frames { #expect((180...200).contains(frame.count), "\(frame.count)") }
    let alphas = frames.flatMap { $0 }.map(\.alpha)
    let mean = alphas.reduce(0, +) / Float(alphas.count)
    // From 0.5 to 0; particles with long lifetimes have lost less of it.
    #expect(mean > 0.2 && mean < 0.3, "\(mean)")
  }
}
