import Particles
import System
import Testing

@testable import Importers

/// Hundreds of particle files with random lifetimes, colors and numbers, compared with what cocos2d and Starling do
/// with them.
@Suite struct GeneratedLivesTests {
  let files: ParticleFiles
  init() throws { files = try ParticleFiles() }

  @Test func `500 files give the lifetimes, births and colors that their programs give`() throws {
    var random = RandomStream(seed: 0x11FE)
    for number in 0..<500 {
      let made = MadeEmitter(&random)
      let imported = try files.imported(made.text, as: made.isPex ? "a.pex" : "a.plist")
      let cell = imported.cell
      #expect(
        cell.lifetime == made.lifetime && cell.lifetimeRange == made.lifetimeRange, "\(number): \(made)")
      #expect(abs(cell.birthRate / made.birthRate - 1) < 1e-6, "\(number): \(made): \(cell.birthRate)")
      #expect(imported.layer.limit == made.most, "\(number): \(made)")
      #expect((imported.layer.growth == .perLife) == made.isPerLife, "\(number): \(made)")
      #expect(cell.color == made.start, "\(number): \(made)")
      let speeds = [cell.redSpeed, cell.greenSpeed, cell.blueSpeed, cell.alphaSpeed]
      #expect(speeds == made.speeds, "\(number): \(made): \(speeds)")
      let text = imported.text(contents: nil)
      #expect(text.contains("\ngrowth: per-life\n") == made.isPerLife, "\(number): \(made)")
      #expect(
        text.contains("\n    lifetime: \(made.shortest(made.lifetime))\n"), "\(number): \(made): \(text)")
      simulate(imported, made, number)
    }
  }

  /// Runs an emitter for three times its longest lifetime, and checks the particles alive in the last third.
  private func simulate(_ imported: ParticleImport, _ made: MadeEmitter, _ number: Int) {
    let system = ParticleSystem(imported.layer, node: "a", channel: 1)
    let frames = 60
    let step = (made.lifetime + made.lifetimeRange) / Double(frames)
    for _ in 0..<2 * frames { system.step(step) }
    var (count, sum) = (0, 0.0)
    let bounds = [made.start, made.finish].map { Float($0.alpha) }
    for _ in 0..<frames {
      system.step(step)
      var sprites: [Sprite] = []
      system.appendSprites(to: &sprites)
      count += sprites.count
      sum += sprites.reduce(0) { $0 + Double($1.alpha) }
      let isInBounds = sprites.allSatisfy {
        ($0.alpha >= bounds.min()! - 0.001) && ($0.alpha <= bounds.max()! + 0.001)
      }
      #expect(isInBounds, "\(number): \(made): \(sprites.map(\.alpha))")
      #expect(sprites.count <= made.most, "\(number): \(made): \(sprites.count)")
    }
    let alive = Double(count) / Double(frames)
    #expect(abs(alive - made.alive) < made.scatter, "\(number): \(made): \(alive)")
    let mean = Float(sum / Double(max(1, count)))
    #expect(abs(mean - (bounds[0] + bounds[1]) / 2) < 0.1, "\(number): \(made): \(mean)")
  }
}

/// A file of random numbers, and the expected result by the definitions of its program.
private struct MadeEmitter: CustomStringConvertible {
  let isPex: Bool
  let most: Int
  let life: Double
  let variance: Double
  let start: Color
  let finish: Color

  var description: String {
    "\(isPex ? "pex" : "plist"), \(most) of \(life) ± \(variance) s, \(start) to \(finish)"
  }

  init(_ random: inout RandomStream) {
    isPex = Bool.random(using: &random)
    most = .random(in: 20...120, using: &random)
    // Powers of two are exact, also as floats.
    let life = Double(Int.random(in: 1...64, using: &random)) / 16
    switch Int.random(in: 0...5, using: &random) {
    case 0: (self.life, variance) = (0, life)
    case 1: (self.life, variance) = (life, 0)
    case 2: (self.life, variance) = (life, life)
    case 3: (self.life, variance) = (life, life + Double(Int.random(in: 1...64, using: &random)) / 16)
    default: (self.life, variance) = (life, life * Double(Int.random(in: 1...15, using: &random)) / 16)
    }
    func color(_ random: inout RandomStream) -> Color {
      func part(_ random: inout RandomStream) -> Double {
        Double(Int.random(in: 0...64, using: &random)) / 64
      }
      // A fully transparent color is not drawn.
      let alpha = max(part(&random), 1.0 / 64)
      return Color(red: part(&random), green: part(&random), blue: part(&random), alpha: alpha)
    }
    start = color(&random)
    finish = Int.random(in: 0...7, using: &random) == 0 ? start : color(&random)
  }

  /// The lower limit of the lifetime by which both programs count births, 0.01 s. Starling's particles have it, too.
  private var pace: Double { max(life, 0.01) }
  private var mean: Double { isPex ? pace : life }

  /// Whether some of the random lifetimes are 0 or less: such particles are not drawn.
  private var isCut: Bool { variance > mean }

  /// Half of the longest lifetime plus its variance, where lifetimes reach down to 0.
  var lifetime: Double { Double(Float(isCut ? (mean + variance) / 2 : mean)) }
  var lifetimeRange: Double { Double(Float(isCut ? (mean + variance) / 2 : variance)) }

  /// Births a second of particles that live. Starling's emitters hold one particle less than stated.
  var birthRate: Double {
    let all = Double(isPex ? most - 1 : most) / pace
    return isCut ? all * (mean + variance) / (2 * variance) : all
  }

  /// The mean number of living particles: births times lifetime, up to the limit.
  var alive: Double { min(Double(most), birthRate * lifetime) }

  /// The tolerance of a mean over one longest lifetime. With evenly distributed lifetimes the number of living
  /// particles varies by the root of a third of it; where births exceed the limit by far the number is the limit.
  var scatter: Double {
    let wanted = birthRate * lifetime
    return variance == 0 ? 2 : wanted > 1.5 * Double(most) ? 0.1 * alive : 2 + 2 * (alive / 3).squareRoot()
  }

  /// Whether something changes over lifetimes that differ: sizes do in both formats, and in both angles rotate.
  var isPerLife: Bool { variance > 0 }

  var speeds: [Double] {
    let pairs = [
      (start.red, finish.red), (start.green, finish.green), (start.blue, finish.blue),
      (start.alpha, finish.alpha),
    ]
    return pairs.map { Double(Float(($1 - $0) / (isPerLife ? 1 : pace))) }
  }

  /// A number as in emitter files, if it has few digits.
  func shortest(_ number: Double) -> String {
    let text = "\(Float(number))"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  var text: String {
    if isPex {
      func color(_ name: String, _ color: Color) -> String {
        "<\(name) red=\"\(color.red)\" green=\"\(color.green)\" blue=\"\(color.blue)\" alpha=\"\(color.alpha)\"/>"
      }
      return ParticleFiles.pex(
        "<particleLifeSpan value=\"\(life)\"/>", "<particleLifespanVariance value=\"\(variance)\"/>",
        "<maxParticles value=\"\(most)\"/>", color("startColor", start), color("finishColor", finish),
        "<startParticleSizeVariance value=\"0\"/>", "<finishParticleSize value=\"32\"/>",
        "<startColorVariance red=\"0\" green=\"0\" blue=\"0\" alpha=\"0\"/>")
    }
    var changes = [
      "startParticleSizeVariance": "0", "maxParticles": "\(most)", "particleLifespan": "\(life)",
      "particleLifespanVariance": "\(variance)",
    ]
    for (name, color) in [("start", start), ("finish", finish)] {
      changes["\(name)ColorRed"] = "\(color.red)"
      changes["\(name)ColorGreen"] = "\(color.green)"
      changes["\(name)ColorBlue"] = "\(color.blue)"
      changes["\(name)ColorAlpha"] = "\(color.alpha)"
    }
    for part in ["Red", "Green", "Blue", "Alpha"] { changes["startColorVariance\(part)"] = "0" }
    return ParticleFiles.plist(changes)
  }
}
