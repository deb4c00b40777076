import CParticleClones
import CParticles
import CRealtime
import System
import Testing

@testable import Particles

/// Every clone of every kernel gives the same bytes.
@Suite struct ParticleCloneTests {
  private static var sets: [particle_kernels] {
    [particle_kernels_chosen(), particle_kernels_of(1)]
      + [3, 4].filter { $0 <= vg_clone() }.map { particle_kernels_of(Int32($0)) }
  }
  private static let room = 3008
  private static let columns = Int(VG_CARRY) + 1

  /// Random columns and properties, the same in every run.
  private static func crowd(_ count: Int, seed: UInt64) -> vg_particles {
    var random = RandomStream(seed: seed)
    let stride = room + 80  // a whole number of cache lines
    let raw = UnsafeMutableRawPointer.allocate(byteCount: columns * stride * 4, alignment: 64)
    let floats = raw.bindMemory(to: Float.self, capacity: columns * stride)
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e7, -1.1e7, -0.0, .leastNonzeroMagnitude, 3e38]
    for i in 0..<columns * stride {
      let value = Float(Int64(bitPattern: random.next()) >> 40) / 1000
      floats[i] = random.next() % 61 == 0 ? odd[Int(random.next() % 8)] : value
    }
    for i in 0..<stride {
      floats[Int(VG_LEFT) * stride + i] = Float(random.next() % 1000) / 1000
      floats[Int(VG_CARRY) * stride + i] = Float(random.next() % 1000) / 1000
      floats[Int(VG_END) * stride + i] = Float(random.next() % 1000) / 100
    }
    let attributes = UnsafeMutableRawPointer.allocate(byteCount: room * 32, alignment: 64)
      .bindMemory(to: vg_attributes.self, capacity: room)
    for i in 0..<room {
      func part() -> Float { Float(random.next() % 1000) / 1000 }
      attributes[i] = vg_attributes(
        life: part(), spin: part(), scale: part() - 0.2, red: part(), green: part(), blue: part(),
        alpha: part() - 0.1, order: UInt32(i))
    }
    return vg_particles(columns: floats, attributes: attributes, stride: stride, count: count)
  }

  /// Runs each set on the same particles, and compares those that live and what `body` adds.
  private func compare(
    _ what: String, _ count: Int, _ body: (particle_kernels, inout vg_particles) -> [UInt64]
  ) {
    var expected: [UInt64]?
    for set in Self.sets {
      var all = Self.crowd(count, seed: 5)
      var results = body(set, &all)
      for c in 0..<Self.columns { results.append(vg_hash(1, all.columns + c * all.stride, Self.room)) }
      results.append(vg_hash(2, all.attributes, Self.room * 8))
      #expect(expected == nil || expected == results, "\(what) \(count)")
      expected = results
      all.columns.deallocate()
      all.attributes.deallocate()
    }
  }

  private static let counts = [0, 1, 15, 16, 63, 64, 65, 200, 1000, 2999]

  @Test(arguments: counts)
  func `all clones move, find and remove particles in the same way`(count: Int) {
    for (acceleration, deep) in [(Float(0), Int32(0)), (0, 1), (9.81, 0), (-9.81, 1)] {
      compare("move", count) { set, all in
        var motion = vg_motion(
          seconds: 1 / 60, ax: acceleration, ay: acceleration / 3, az: acceleration / 7, now: 0.2, deep: deep)
        var gone = [UInt32](repeating: 0, count: Self.room)
        let found = set.move(&all, &motion, &gone)
        set.remove(&all, UInt32(Self.columns), gone, found)
        all.count -= Int(found)
        let still = set.list_short_lived(&all, all.count / 2, 0.5, &gone)
        var grown = vg_attributes()
        (grown.scale, grown.red, grown.alpha) = (0.1, -0.3, 0.7)
        set.rebase_clock(&all, 4.25, &grown)
        return [UInt64(found), UInt64(still), vg_hash(3, gone, Int(still))]
      }
    }
  }

  @Test func `all expired particles are found, and no others`() {
    for set in Self.sets {
      for count in Self.counts {
        var all = Self.crowd(count, seed: 9)
        var motion = vg_motion(seconds: 0, ax: 0, ay: 0, az: 0, now: 5, deep: 1)
        var gone = [UInt32](repeating: 0, count: Self.room)
        let found = set.move(&all, &motion, &gone)
        let over = (0..<count).filter { i in
          let values = [VG_X, VG_Y, VG_Z].map { all.columns[Int($0) * all.stride + i] }
          return values.contains { !(abs($0) <= 1e7) } || !(all.columns[Int(VG_END) * all.stride + i] > 5)
        }
        #expect(gone[..<Int(found)].map { Int($0) } == over)
        all.columns.deallocate()
        all.attributes.deallocate()
      }
    }
  }

  private func birth(_ solid: Bool) -> vg_birth {
    var birth = vg_birth()
    birth.random = RandomIdentity(node: "a", channel: 1).random(seed: 3, era: 0)
    (birth.seconds, birth.now, birth.ax, birth.ay, birth.az) = (1 / 60, 3, 10, -20, 5)
    birth.life = vg_spread(mean: 1, range: 0.5)
    birth.velocity = vg_spread(mean: 100, range: 50)
    birth.scale = vg_spread(mean: 1, range: 2)
    birth.spin = vg_spread(mean: 0, range: 3)
    birth.red = vg_spread(mean: 0.5, range: 1)
    birth.green = vg_spread(mean: 0.5, range: 0)
    birth.alpha = vg_spread(mean: 0.9, range: 0.1)
    birth.redDrift = vg_drift(sum: 0.7, speed: -0.3)
    birth.scaleDrift = vg_drift(sum: -1.7, speed: 0.9)
    (birth.naturalX, birth.naturalY, birth.longitude, birth.fan) = (0, -1, 0.3, 0.4)
    (birth.sinLatitude, birth.cosLatitude, birth.cap, birth.solid) = (0.6, 0.8, 1.3, solid ? 1 : 0)
    return birth
  }

  @Test func `all clones emit in the same way in every shape and mode`() {
    for shape in VG_POINT...VG_SPHERE {
      for mode in VG_POINTS...VG_VOLUME {
        for count in [1, 17, 256, 700] {
          compare("bear \(shape) \(mode)", 100) { set, all in
            var birth = birth(mode % 2 == 0)
            var place = vg_shape(
              shape: Int32(shape), mode: Int32(mode), width: 30, height: 20, depth: 10, x: 100, y: 50, z: 1,
              fromX: -20, fromY: 3, fromZ: 0.5, owed: 0.25, apart: 0.001, after: 0.1)
            set.emit(&all, 100, count, UInt64(count + 3), 77, .max - 5, &birth, &place)
            return []
          }
        }
      }
    }
  }

  private static func growth(_ counts: Bool) -> vg_life_growth {
    counts
      ? vg_life_growth(perLifetime: 1, scale: 0.5, red: -0.3, green: 0.2, blue: 0.1, alpha: -0.4)
      : vg_life_growth()
  }

  @Test func `all clones emit from parents in the same way`() {
    for count in [1, 30, 500] {
      compare("from parents", 0) { set, all in
        var parents = vg_parents(
          all: Self.crowd(count, seed: 8), seconds: 1 / 60, ax: 1, ay: 2, az: 3, scale: 0.2, red: 0.1,
          green: -0.1,
          blue: 0, alpha: 0, now: 2, life: Self.growth(count == 30))
        defer {
          parents.all.columns.deallocate()
          parents.all.attributes.deallocate()
        }
        for c in [VG_X, VG_Y, VG_Z, VG_VX, VG_VY, VG_VZ] {
          for i in 0..<count where !(abs(parents.all.columns[Int(c) * parents.all.stride + i]) < 1e6) {
            parents.all.columns[Int(c) * parents.all.stride + i] = 0
          }
        }
        var times = [UInt32](repeating: 0, count: count)
        let sum = set.due_births(&parents.all, UInt32(VG_CARRY), count / 2, 1.7, 0.1, 0.9, &times)
        let born = min(Int(sum), 900)
        var from = [UInt32](repeating: 0, count: born)
        let left = all.columns + Int(VG_LEFT) * all.stride
        set.assign_parents(&parents.all, UInt32(VG_CARRY), 1.7, 0.9, times, born, &from, left)
        var birth = birth(count == 30)
        set.emit_from(&all, 0, born, 5, 6, &birth, &parents, from)
        return [sum, vg_hash(4, times, count), vg_hash(5, from, born)]
      }
    }
  }

  @Test(arguments: counts)
  func `all clones make the same sprites`(count: Int) {
    compare("show", count) { set, all in
      var showing = vg_sprite_style(
        now: 2, scale: 0.1, red: 0.2, green: -0.2, blue: 0.9, alpha: 0, life: Self.growth(count % 2 == 1),
        tintRed: 0.5, tintGreen: 1,
        tintBlue: 1,
        tintAlpha: 0.9, material: 3)
      var sprites = [Sprite](repeating: Sprite(), count: count + 1)
      var rows = [UInt32](repeating: 0, count: count + 1)
      let shown = set.write_sprites(&all, &showing, &sprites, &rows)
      let again = set.write_sprites(&all, &showing, &sprites, nil)
      return [UInt64(shown), UInt64(again), vg_hash(6, sprites, shown * 11), vg_hash(7, rows, shown)]
    }
  }

  @Test func `all clones rotate in the same way, and like the C library`() {
    for i in -4000...4000 {
      let turns = Float(i) / 4000
      var results: [(Float, Float)] = []
      for set in Self.sets {
        var (c, s) = (Float(0), Float(0))
        set.sincos(turns, &c, &s)
        results.append((c, s))
      }
      let (c, s) = results[0]
      #expect(results.allSatisfy { $0.0.bitPattern == c.bitPattern && $0.1.bitPattern == s.bitPattern })
      let angle = Double(turns) * 2 * .pi
      #expect(abs(Double(c) - cosine(angle)) < 2e-7 && abs(Double(s) - sine(angle)) < 2e-7)
    }
  }
}
