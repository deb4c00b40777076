import CParticles

/// The state of a system in bytes: all that decides how it goes on. Who takes it has the same particles to the bit from
/// there on. 60 bytes a particle, 4 more for each inner cell, and some 160 for each cell.
extension ParticleSystem {
  /// Bytes that it will be, or somewhat more.
  package var codedSize: Int { 64 + pools.reduce(0) { $0 + 192 + $1.count * (32 + 4 * Int($1.columns)) } }

  /// Walks over the state. What was read only in part has left the system broken: then it is not to be used.
  package func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&births)
    coder.code(&dropped)
    coder.code(bounded: &time)
    coder.code(&started)
    var hasMoved = lastCenter != nil
    coder.code(&hasMoved)
    if hasMoved {
      var center = lastCenter ?? Center(x: 0, y: 0, z: 0)
      coder.code(bounded: &center.x)
      coder.code(bounded: &center.y)
      coder.code(bounded: &center.z)
      lastCenter = center
    } else {
      lastCenter = nil
    }
    live = 0
    for pool in pools {
      pool.code(&coder)
      live += pool.count
    }
  }
}

extension ParticlePool {
  fileprivate func code<C: ByteCoder>(_ coder: inout C) {
    var living = count
    coder.code(&living, most: Self.most)
    coder.code(&number)
    coder.code(bounded: &owed)
    coder.code(bounded: &clock)
    drifts.scale.code(&coder)
    drifts.red.code(&coder)
    drifts.green.code(&coder)
    drifts.blue.code(&coder)
    drifts.alpha.code(&coder)
    coder.code(&frames, most: 256)
    coder.code(&deep)
    random = nil
    // What is left of the first frame is of use in that frame only.
    let attributeBytes = MemoryLayout<vg_attributes>.stride
    if living > coder.remaining / (attributeBytes + 4 * (Int(columns) - 1)) { coder.failed = true }
    guard !coder.failed else {
      all.count = 0
      return
    }
    all.count = min(all.count, living)
    reserve(living)
    all.count = living
    for column in 0..<Int(columns) where column != VG_LEFT {
      coder.code(all.columns + column * all.stride, count: living * MemoryLayout<Float>.stride)
    }
    coder.code(all.attributes, count: living * attributeBytes)
  }
}

extension DriftAccumulator {
  fileprivate mutating func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(bounded: &sum)
    coder.code(bounded: &speed)
  }
}
