/// Several systems together: those of an emitter's channels, or of all emitters of a stage. [one]
extension ParticleSystem {
  /// Steps the systems one after another. Together they may have `room` particles: each may have as many as the others
  /// leave. Calls `step` once for each system, with its index.
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

  /// The indices of systems in drawing order: by the `zPosition` of their layers, the smallest first, so that larger
  /// ones are drawn over them. Equal ones keep the given order.
  public static func drawingOrder(of positions: [Double]) -> [Int] {
    var sorted: [(z: Double, place: Int)] = []
    for (place, z) in positions.enumerated() { sorted.append((z.isFinite ? z : 0, place)) }
    sorted.sort { $0.z != $1.z ? $0.z < $1.z : $0.place < $1.place }
    return sorted.map { $0.place }
  }
}
