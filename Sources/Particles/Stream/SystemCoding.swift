import CParticles

/// The binary state of a system: all values that determine its next frames. A system that has read it has the same
/// particles from then on, to the bit. The state takes 60 bytes per particle, 4 more for each inner cell, and about 160
/// per cell.
extension ParticleSystem {
  /// An upper bound of its size in bytes.
  package var codedSize: Int { 64 + pools.reduce(0) { $0 + 192 + $1.count * (32 + 4 * Int($1.columns)) } }

  /// Reads or writes the state. A system whose reading failed must not be used.
  package func code<C: ByteCoder>(_ coder: inout C) {
    coder.code(&births)
    coder.code(&dropped)
    coder.code(bounded: &time)
    coder.code(&hasStarted)
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
    coder.code(&hasDepth)
    random = nil
    // `VG_LEFT` matters only in the frame of a birth, so it is left out.
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
