import CParticles

extension ParticlePool {
  /// The result of a frame's births.
  struct Count {
    /// Living particles before the births.
    var before: Int
    /// Births that took place.
    var born = 0
    /// Births for which there was no room.
    var dropped: UInt64 = 0
  }

  /// Emits the births of this frame, at most `room`. `order` is the system's number of the first birth. [scene]
  func emit(_ frame: StepContext, _ cell: Cell, room: Int, order: UInt32) -> Count {
    young = count
    let seconds = frame.seconds(cell)
    let rate = (cell.birthRate.clamped(0...1e30) * frame.layer.birthRate.clamped(0...1e30)).clamped(0...1e30)
    guard let part = frame.births(cell), seconds > 0, rate > 0 else { return Count(before: count) }
    let perFrame = rate * seconds
    if let parent {
      return emitFromParents(
        parent, frame, cell, perFrame: Float(perFrame), part: part, room: room, order: order)
    }
    return emit(frame, cell, perFrame: perFrame, part: part, room: room, order: order)
  }

  private func emit(
    _ frame: StepContext, _ cell: Cell, perFrame: Double, part: ClosedRange<Double>, room: Int, order: UInt32
  ) -> Count {
    // A birth is counted from 0.999999 of one on, so that rounding delays none by a frame.
    let due = (owed + perFrame * (part.upperBound - part.lowerBound)).clamped(-1...1e15)
    let total = max(0, (due + 1e-6).rounded(.down))
    owed = due - total
    let born = Int(min(total, Double(room)))
    var result = Count(before: count, born: born, dropped: UInt64(total) - UInt64(born))
    guard born > 0 else { return result }
    reserve(count + born)
    var shape = vg_shape(
      frame, owed: owed, apart: 1 / perFrame, after: 1 - part.upperBound)
    if shape.z != 0 || shape.fromZ != 0 || shape.shape == VG_CUBOID || shape.shape == VG_SPHERE {
      deep = true
    }
    result.born = inEras(born) { birth, first, count, done in
      vg_emit(
        &all, first, count, UInt64(total) - UInt64(done), UInt32(truncatingIfNeeded: number),
        order &+ UInt32(done),
        &birth, &shape)
    } with: {
      vg_birth(cell, frame, pool: self)
    }
    removeShortLived(Float(frame.seconds(cell)))
    return result
  }

  private func emitFromParents(
    _ parent: ParticlePool, _ frame: StepContext, _ cell: Cell, perFrame: Float, part: ClosedRange<Double>,
    room: Int,
    order: UInt32
  ) -> Count {
    guard parent.count > 0 else { return Count(before: count) }
    let end = Float(part.upperBound)
    let perFrame = min(perFrame, 1e15)
    let total = vg_due_births(
      &parent.all, carryColumn, parent.young, perFrame, Float(part.lowerBound), end, parent.rows)
    let born = Int(min(total, UInt64(room)))
    var result = Count(before: count, born: born, dropped: total - UInt64(born))
    guard born > 0 else { return result }
    reserve(count + born)
    let left = all.columns + Int(VG_LEFT) * all.stride + count
    vg_assign_parents(&parent.all, carryColumn, perFrame, end, parent.rows, born, rows, left)
    if parent.deep { deep = true }
    var parents = vg_parents(parent, frame)
    result.born = inEras(born) { birth, first, count, done in
      vg_emit_from(
        &all, first, count, UInt32(truncatingIfNeeded: number), order &+ UInt32(done), &birth, &parents,
        rows + done)
    } with: {
      vg_birth(cell, frame, pool: self)
    }
    removeShortLived(Float(frame.seconds(cell)))
    return result
  }

  /// Runs births in batches that do not cross a multiple of 2³² births, where the random words change.
  private func inEras(
    _ born: Int, _ body: (_ birth: inout vg_birth, _ first: Int, _ count: Int, _ done: Int) -> Void,
    with birth: () -> vg_birth
  ) -> Int {
    var done = 0
    while done < born {
      let some = Int(min(UInt64(born - done), 1 << 32 - number & 0xffff_ffff))
      var one = birth()
      if one.sinLatitude != 0 || one.solid != 0 || one.az != 0 { deep = true }
      body(&one, count, some, done)
      number &+= UInt64(some)
      all.count += some
      done += some
    }
    return born
  }

  /// Removes particles that died within the frame in which they were born.
  private func removeShortLived(_ seconds: Float) { remove(vg_list_short_lived(&all, young, seconds, rows)) }
}
