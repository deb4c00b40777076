public import Graphs
public import Particles
import Synchronization
import System

/// The particles of an emitter node: one system per channel, moved by what its frame half leaves. [scene]
public final class EmitterScene: SceneNode, @unchecked Sendable {
  /// The node's id.
  public let id: String
  /// What the channels are called.
  private let names: [String?]
  /// What it tells of its particles.
  let counts: SceneCounts
  private let steps = SceneSteps()
  /// The most particles of all emitters of a graph; one takes 110 bytes or so, and 220 more while it is drawn.
  public static let mostOfAll = 4_000_000
  /// The part of them that is this node's, for all channels together, and whether it was too small. Not under the lock:
  /// who asks may not have to wait for particles.
  private let part = Atomic<Int>(mostOfAll)
  private let isCrowded = Atomic<Bool>(false)
  private let lock = Lock()
  /// Under the lock.
  private let systems: [ParticleSystem]

  /// `layers` are those of the channels, as they begin. [control]
  init(_ layers: [Layer], id: String, names: [String?] = []) {
    self.id = id
    self.names = names
    systems = layers.enumerated().map { ParticleSystem($1, node: id, channel: $0) }
    counts = SceneCounts(channels: systems.count)
  }

  /// Leaves a frame behind, to be taken in order. [frame]
  func leave(_ step: SceneStep) { steps.add(step) }

  /// Goes on by all frames that were left; then whoever listens is told, once. [scene]
  public func advance() {
    let steps = steps.take()
    guard let last = steps.last else { return }
    let part = part.load(ordering: .relaxed)
    lock.withLock {
      for step in steps {
        var live = systems.reduce(0) { $0 + $1.live }
        for (channel, system) in systems.enumerated() {
          live -= system.live
          system.most = part - live
          take(step, channel, system)
          live += system.live
        }
      }
      last.sender?.offer(systems, frame: last.number, at: last.time, last.dimming)
    }
  }

  /// Takes an equal part of what all emitters have room for.
  public func share(among count: Int) { part.store(Self.mostOfAll / max(1, count), ordering: .relaxed) }

  private func take(_ step: SceneStep, _ channel: Int, _ system: ParticleSystem) {
    let (births, dropped) = (system.births, system.dropped)
    system.layer = step.layers[channel]
    for _ in 0..<step.frames { system.step(step.seconds) }
    if system.dropped > dropped, system.live < system.layer.limit {
      isCrowded.store(true, ordering: .relaxed)
    }
    counts.note(
      channel, live: system.live, births: Int(system.births - births), dropped: system.dropped - dropped,
      limit: system.layer.limit)
  }

  /// Looks at the systems, by channel; they stand still meanwhile, so it should not take long. [any]
  public func withSystems<Result>(_ body: ([ParticleSystem]) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(systems) }
  }

  /// A channel's number, and its name where it has one.
  private func label(_ channel: Int) -> String {
    let name = names.indices.contains(channel) ? names[channel] : nil
    return "\(channel + 1)" + (name.map { " \($0)" } ?? "")
  }

  /// What was left out since the last time somebody asked. [control]
  public func news() -> [String] {
    var lines: [String] = []
    let dropped = counts.takeDropped()
    let total = dropped.reduce(0, +)
    if total > 0 {
      let full = dropped.indices.filter { dropped[$0] > 0 }
      let isCrowded = isCrowded.exchange(false, ordering: .relaxed)
      let why =
        isCrowded
        ? "\(part.load(ordering: .relaxed)) particles of all its channels live already, its part of \(Self.mostOfAll) for "
          + "a graph" : "\(counts.limit(full[0])) particles live already"
      lines.append(
        "\(id): \(total) \(total == 1 ? "birth was" : "births were") left out, as \(why) "
          + "(channel\(full.count == 1 ? "" : "s") \(full.map(label).joined(separator: ", "))); "
          + "\(isCrowded ? "" : "a higher limit, ")fewer births or shorter lives help"
      )
    }
    let frames = steps.takeLeftOut()
    if frames > 0 {
      lines.append(
        "\(id): its particles cannot keep up and left out \(frames) frames; a lower limit or fewer births help"
      )
    }
    return lines
  }
}

extension CompiledPlan {
  /// The emitters, in the order of the file.
  public var emitters: [EmitterScene] { scene.compactMap { $0 as? EmitterScene } }

  /// Looks at the particles of all emitters and channels in the order in which they are drawn, what comes later over what
  /// comes before: by the layer's `zPosition`, as layers of Core Animation are, those that are equal in the order of the
  /// file and then of the channels. Each emitter stands still only while it is looked at.
  public func withSystemsInOrder(_ body: (_ emitter: Int, ParticleSystem) throws -> Void) rethrows {
    let emitters = emitters
    var places: [(z: Double, emitter: Int, channel: Int)] = []
    for (index, emitter) in emitters.enumerated() {
      emitter.withSystems { systems in
        for (channel, system) in systems.enumerated() {
          let z = system.layer.zPosition
          places.append((z.isFinite ? z : 0, index, channel))
        }
      }
    }
    places.sort { ($0.z, $0.emitter, $0.channel) < ($1.z, $1.emitter, $1.channel) }
    for place in places {
      try emitters[place.emitter].withSystems { try body(place.emitter, $0[place.channel]) }
    }
  }
}
