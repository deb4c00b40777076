import DMX
import Engine
import Graphs
import System

/// The topic `lights` as JSON: universes as they are sent, and fixtures with a color computed from their slots. [view]
enum LightFacts {
  /// The maximum numbers of universes and fixtures in a message.
  static let (mostUniverses, mostFixtures) = (32, 1024)

  static func json(_ plan: CompiledPlan) -> Json {
    let now = MonotonicClock.now
    let universes = plan.frames.universes.flatMap { glance in
      glance.look(at: now).map { (id: glance.id, number: $0.number, slots: $0.slots) }
    }
    let slots = Dictionary(universes.map { ($0.number, $0.slots) }, uniquingKeysWith: { first, _ in first })
    let fixtures = plan.graph.patch.fixtures.filter { slots[$0.address.universe] != nil }
    return .object([
      (
        "universes",
        .array(
          universes.prefix(mostUniverses).map { universe in
            .object([
              ("id", .string(universe.id)), ("number", .number(Double(universe.number))),
              ("slots", .string(hex(universe.slots))),
            ])
          })
      ),
      (
        "fixtures",
        .array(
          fixtures.prefix(mostFixtures).map { fixture in
            .object([
              ("name", .string(fixture.name)), ("universe", .number(Double(fixture.address.universe))),
              ("slot", .number(Double(fixture.address.slot))), ("width", .number(Double(fixture.width))),
              (
                "color",
                light(of: fixture, slots[fixture.address.universe] ?? []).map { .string($0) } ?? .null
              ),
            ])
          })
      ),
      ("more", .number(Double(max(0, universes.count - mostUniverses)))),
      ("moreFixtures", .number(Double(max(0, fixtures.count - mostFixtures)))),
    ])
  }

  /// The color of a fixture as #rrggbb; nil: it is no lamp. Additive colors are summed, filters subtract, the dimmer
  /// scales.
  static func light(of fixture: Fixture, _ slots: [UInt8]) -> String? {
    var added = SIMD3<Double>()
    var passed = SIMD3<Double>(1, 1, 1)
    var (dimmer, isColored, isLamp) = (1.0, false, false)
    for slot in fixture.slots {
      guard let first = slot.slots.first, slots.indices.contains(first - 1) else { continue }
      let level = Double(slots[first - 1]) / 255
      switch slot.attribute.family {
      case .intensity where slot.attribute == .dimmer: (dimmer, isLamp) = (level, true)
      case .additive:
        (isColored, isLamp) = (true, true)
        added += (Self.colors[slot.attribute.name] ?? SIMD3(1, 1, 1)) * level
      case .subtractive:
        isLamp = true
        passed -= (Self.filters[slot.attribute.name] ?? SIMD3()) * level
      default: break
      }
    }
    guard isLamp else { return nil }
    let light = (isColored ? added : SIMD3(1, 1, 1)) * passed * dimmer
    return "#" + hex((0..<3).map { UInt8((max(0, min(1, light[$0])) * 255).rounded()) })
  }

  /// Approximate RGB of additive colors, each 0…1.
  private static let colors: [String: SIMD3<Double>] = [
    "red": SIMD3(1, 0, 0), "green": SIMD3(0, 1, 0), "blue": SIMD3(0, 0, 1), "amber": SIMD3(1, 0.6, 0),
    "lime": SIMD3(0.7, 1, 0), "uv": SIMD3(0.4, 0, 1), "indigo": SIMD3(0.25, 0, 0.8),
    "warmWhite": SIMD3(1, 0.8, 0.55), "coldWhite": SIMD3(0.85, 0.93, 1),
  ]
  /// The parts of RGB that filters absorb.
  private static let filters: [String: SIMD3<Double>] = [
    "cyan": SIMD3(1, 0, 0), "magenta": SIMD3(0, 1, 0), "yellow": SIMD3(0, 0, 1),
  ]

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
