import CParticles

extension ParticlePool {
  /// The result of emitting one frame's births.
  struct EmissionResult {
    /// Living particles before the births.
    var before: Int
    /// Births that took place.
    var born = 0
    /// Births for which there was no room.
    var dropped: UInt64 = 0
  }

  /// Emits the births of this frame, at most `room`. `order` is the system's number of the first birth. [scene]
  func emit(_ frame: StepContext, _ cell: Cell, room: Int, order: UInt32) -> EmissionResult {
    firstYoung = count
    let seconds = frame.seconds(cell)
    let rate = (cell.birthRate.clamped(0...1e30) * frame.layer.birthRate.clamped(0...1e30)).clamped(0...1e30)
    guard let part = frame.emittingPart(of: cell), seconds > 0, rate > 0 else {
      return EmissionResult(before: count)
    }
    let perFrame = rate * seconds
    if let parent {
      return emitFromParents(
        parent, frame, cell, perFrame: Float(perFrame), part: part, room: room, order: order)
    }
    return emit(frame, cell, perFrame: perFrame, part: part, room: room, order: order)
  }

  /// Emits births of an outer cell. `part`: the part of the frame, within 0…1, in which it emits.
  private func emit(
    _ frame: StepContext, _ cell: Cell, perFrame: Double, part: ClosedRange<Double>, room: Int, order: UInt32
  ) -> EmissionResult {
    // A birth that lacks at most 1e-6 is made now, so that no rounding error delays it by a frame.
    let due = (owed + perFrame * (part.upperBound - part.lowerBound)).clamped(-1...1e15)
    let total = max(0, (due + 1e-6).rounded(.down))
    owed = due - total
    let born = Int(min(total, Double(room)))
    var result = EmissionResult(before: count, born: born, dropped: UInt64(total) - UInt64(born))
    guard born > 0 else { return result }
    reserve(count + born)
    var shape = vg_shape(
      frame, owed: owed, apart: 1 / perFrame, after: 1 - part.upperBound)
    if shape.z != 0 || shape.fromZ != 0 || shape.shape == VG_CUBOID || shape.shape == VG_SPHERE {
      hasDepth = true
    }
    result.born = inEras(born) { birth, first, count, made in
      vg_emit(
        &all, first, count, UInt64(total) - UInt64(made), UInt32(truncatingIfNeeded: number),
        order &+ UInt32(made),
        &birth, &shape)
    } with: {
      vg_birth(cell, frame, pool: self)
    }
    removeShortLived(Float(frame.seconds(cell)))
    return result
  }

  /// Emits births of an inner cell, from the particles of `parent`.
  private func emitFromParents(
    _ parent: ParticlePool, _ frame: StepContext, _ cell: Cell, perFrame: Float, part: ClosedRange<Double>,
    room: Int,
    order: UInt32
  ) -> EmissionResult {
    guard parent.count > 0 else { return EmissionResult(before: count) }
    let end = Float(part.upperBound)
    let perFrame = min(perFrame, 1e15)
    let total = vg_due_births(
      &parent.all, carryColumn, parent.firstYoung, perFrame, Float(part.lowerBound), end, parent.rows)
    let born = Int(min(total, UInt64(room)))
    var result = EmissionResult(before: count, born: born, dropped: total - UInt64(born))
    guard born > 0 else { return result }
    reserve(count + born)
    let left = all.columns + Int(VG_LEFT) * all.stride + count
    vg_assign_parents(&parent.all, carryColumn, perFrame, end, parent.rows, born, rows, left)
    if parent.hasDepth { hasDepth = true }
    var parents = vg_parents(parent, frame)
    result.born = inEras(born) { birth, first, count, made in
      vg_emit_from(
        &all, first, count, UInt32(truncatingIfNeeded: number), order &+ UInt32(made), &birth, &parents,
        rows + made)
    } with: {
      vg_birth(cell, frame, pool: self)
    }
    removeShortLived(Float(frame.seconds(cell)))
    return result
  }

  /// Calls `body` for batches of births that do not cross a multiple of 2³² births, because the random words change
  /// there. `made`: the births of earlier batches. Returns `born`.
  private func inEras(
    _ born: Int, _ body: (_ birth: inout vg_birth, _ first: Int, _ count: Int, _ made: Int) -> Void,
    with birth: () -> vg_birth
  ) -> Int {
    var made = 0
    while made < born {
      let batch = Int(min(UInt64(born - made), 1 << 32 - number & 0xffff_ffff))
      var shared = birth()
      if shared.sinLatitude != 0 || shared.solid != 0 || shared.az != 0 { hasDepth = true }
      body(&shared, count, batch, made)
      number &+= UInt64(batch)
      all.count += batch
      made += batch
    }
    return born
  }

  /// Removes particles that died within the frame in which they were born.
  private func removeShortLived(_ seconds: Float) {
    remove(vg_list_short_lived(&all, firstYoung, seconds, rows))
  }
}
