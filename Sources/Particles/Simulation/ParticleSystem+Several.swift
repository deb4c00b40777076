/// Several systems at once: those of an emitter's channels, and of all emitters of a stage. [one]
extension ParticleSystem {
  /// Has systems go on one after another, each with the room that the others leave of so many particles in all. `step` is
  /// called once for each, with its place.
  public static func advance(
    _ systems: [ParticleSystem], room: Int, _ step: (_ place: Int, ParticleSystem) -> Void
  ) {
    var live = systems.reduce(0) { $0 + $1.live }
    for (place, system) in systems.enumerated() {
      live -= system.live
      system.most = room - live
      step(place, system)
      live += system.live
    }
  }

  /// The order in which systems are drawn, what comes later over what comes before: by the `zPosition` of their layers,
  /// farthest first, those that are equal as they are given. Gives their places.
  public static func drawingOrder(of positions: [Double]) -> [Int] {
    var sorted: [(z: Double, place: Int)] = []
    for (place, z) in positions.enumerated() { sorted.append((z.isFinite ? z : 0, place)) }
    sorted.sort { $0.z != $1.z ? $0.z < $1.z : $0.place < $1.place }
    return sorted.map { $0.place }
  }
}
