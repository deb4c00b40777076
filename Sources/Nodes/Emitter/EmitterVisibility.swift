public import Graphs
public import Particles
import Rendering

/// Whether any particle of an emitter was visible so far; if none was, why. [control] or [frame]
public struct EmitterVisibility: Sendable {
  private let id: String
  /// Particles born.
  private var births: UInt64 = 0
  /// Living particles.
  private var live = 0
  /// Sprites of living particles.
  private var shown = 0
  /// Sprites that are bright enough to be seen.
  private var lit = 0
  /// The position of a particle outside the stage.
  private var beyond: (x: Float, y: Float)?
  private var layer: Layer?
  /// Whether any particle was visible.
  public private(set) var isSeen = false

  /// Whether any particle was born.
  public var hasBirths: Bool { births > 0 }

  /// Has inspected nothing yet of the emitter with this id.
  public init(_ id: String) { self.id = id }

  /// Inspects a channel as it is now; `sprites` are the sprites of its particles.
  public mutating func inspect(_ system: ParticleSystem, _ sprites: [Sprite], on stage: Stage) {
    // A drive may have set the numbers of any channel; the last channel without births explains most.
    if layer == nil || system.births == 0 { layer = system.layer }
    births &+= system.births
    live += system.live
    shown += sprites.count
    let background = stage.background
    let isDark =
      system.layer.renderMode == .additive
      || background.red == 0 && background.green == 0 && background.blue == 0
    for sprite in sprites where !isSeen {
      // Half of one step of 8 bits.
      if max(sprite.red, sprite.green, sprite.blue) * sprite.alpha < 1 / 510, isDark { continue }
      lit += 1
      // Pictures are seldom wider than 1024 points. In doubt a particle counts as visible.
      let reach = 1024 * sprite.scale
      isSeen =
        sprite.x > -reach && sprite.x < Float(stage.width) + reach && sprite.y > -reach
        && sprite.y < Float(stage.height) + reach
      if !isSeen { beyond = (sprite.x, sprite.y) }
    }
  }

  /// Why no particle is visible, as a sentence without a full stop; nil where one is.
  public func why(_ stage: Stage) -> String? {
    guard !isSeen, let layer else { return nil }
    if layer.cells.isEmpty { return "\(id): it has no cells" }
    if births == 0 {
      if !(layer.birthRate > 0) { return "\(id): nothing is born, as its birthRate is 0" }
      let names = layer.cells.map(\.name)
      return layer.cells.allSatisfy { !($0.birthRate > 0) }
        ? "\(id): nothing is born, as the birthRate of \(names.joined(separator: ", ")) is 0"
        : "\(id): nothing is born, as the birthRate of \(names.joined(separator: ", ")) is too low for so short a time"
    }
    if live == 0 { return "\(id): what is born lives too short to be seen (lifetime)" }
    if shown == 0 {
      return
        "\(id): all its particles are transparent, have no size or no contents (color.alpha, alphaSpeed, scale, contents)"
    }
    if lit == 0 { return "\(id): all its particles are black or all but transparent (color, alphaSpeed)" }
    let (x, y) = beyond ?? (0, 0)
    return
      "\(id): all its particles are outside the stage of \(stage.width)x\(stage.height), such as one at "
      + "[\(Int(x.rounded())), \(Int(y.rounded()))] (position, velocity)"
  }

  /// Why nothing of a graph is visible; nil where something is, or where a picture covers the stage.
  public static func why(_ sights: [EmitterVisibility], _ stage: Stage) -> String? {
    if stage.picture != nil || sights.contains(where: \.isSeen) { return nil }
    if sights.isEmpty {
      return
        "nothing is to be seen: the graph has no emitter, and nothing else draws (visgraph nodes emitter)"
    }
    let reasons = sights.compactMap { $0.why(stage) }
    return reasons.isEmpty
      ? nil
      : "nothing is to be seen: " + reasons.prefix(3).joined(separator: "; ")
        + (reasons.count > 3 ? "; and so on" : "")
  }
}

extension EmitterScene {
  /// Living particles, by channel. [any]
  public var alive: [Int] { counts.all }

  /// Inspects its particles as they are now; the particles wait meanwhile. [control]
  public func sight(on stage: Stage) -> EmitterVisibility {
    var sight = EmitterVisibility(id)
    withSystems { systems in
      var sprites: [Sprite] = []
      for system in systems where !sight.isSeen {
        sprites.removeAll(keepingCapacity: true)
        system.appendSprites(to: &sprites)
        sight.inspect(system, sprites, on: stage)
      }
    }
    return sight
  }
}
