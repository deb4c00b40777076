public import Graphs
public import Particles
import Rendering

/// What of an emitter's particles could be seen so far, and what keeps the rest from it. [control] or [frame]
public struct EmitterVisibility: Sendable {
  private let id: String
  private var births: UInt64 = 0
  private var live = 0
  private var shown = 0
  private var lit = 0
  /// One that is beyond the stage.
  private var beyond: (x: Float, y: Float)?
  private var layer: Layer?
  /// Whether anything of it was to be seen.
  public private(set) var isSeen = false

  /// Whether anything was born.
  public var hasBirths: Bool { births > 0 }

  /// Nothing yet of the emitter with an id.
  public init(_ id: String) { self.id = id }

  /// Looks at a channel as it stands; `sprites` is what it has to show.
  public mutating func inspect(_ system: ParticleSystem, _ sprites: [Sprite], on stage: Stage) {
    // A drive may have set any channel's numbers; the last one that bears nothing explains it best.
    if layer == nil || system.births == 0 { layer = system.layer }
    births &+= system.births
    live += system.live
    shown += sprites.count
    let background = stage.background
    let isDark =
      system.layer.renderMode == .additive
      || background.red == 0 && background.green == 0 && background.blue == 0
    for sprite in sprites where !isSeen {
      // Half a step of a byte.
      if max(sprite.red, sprite.green, sprite.blue) * sprite.alpha < 1 / 510, isDark { continue }
      lit += 1
      // Pictures are seldom larger than this; a doubt counts as seen.
      let reach = 1024 * sprite.scale
      isSeen =
        sprite.x > -reach && sprite.x < Float(stage.width) + reach && sprite.y > -reach
        && sprite.y < Float(stage.height) + reach
      if !isSeen { beyond = (sprite.x, sprite.y) }
    }
  }

  /// Why nothing of it is to be seen, in a sentence without a full stop; nil where something is.
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

  /// Why nothing of a graph is to be seen; nil where something is, or where a picture covers the stage.
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
  /// Particles alive, by channel. [any]
  public var alive: [Int] { counts.all }

  /// Looks at what it shows at this moment; its particles stand still meanwhile. [control]
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
