import DMX
import Graphs

/// Maps channels to slots of universes: plain levels to consecutive slots, light as patched. [any]
struct UniversePlaces: Equatable, Sendable {
  /// A number of one to three slots, and the channels that determine it.
  struct Target: Equatable, Sendable {
    /// The index in `universes`.
    let universe: Int
    /// The slots from 0, the most significant first; -1: unused.
    let slots: SIMD4<Int16>
    /// The number of its slots.
    let width: Int
    /// The index of its first channel in `channels`.
    let first: Int
    /// The number of its channels.
    let count: Int
    /// Whether the highest of several channels counts, rather than the last.
    let isHighest: Bool
    /// The default level. A channel with another level takes precedence over one with this level.
    let home: Float

    /// The number for a level 0…1, rounded: 255 for 1 in one slot, 65535 in two.
    func number(of level: Float) -> UInt32 {
      if width == 1 { return UInt32(SlotAddress.byte(of: level)) }
      return UInt32(Double(max(0, min(1, level))) * Double(1 << (8 * width) - 1) + 0.5)
    }
  }

  /// Consecutive channels of one slot each, at consecutive slots; most channels are in runs.
  struct Run: Equatable, Sendable {
    /// The index in `universes`.
    let universe: Int
    /// The first slot, from 0.
    let slot: Int
    /// The first channel, from 0.
    let channel: Int
    /// The number of channels.
    var count: Int
  }

  /// The universes, ascending.
  let universes: [Int]
  /// The targets in the order of their slots.
  let targets: [Target]
  /// The channels from 0; those of a target are adjacent, in the order of the wires.
  let channels: [Int]
  /// The number of channels, including those without a slot.
  let width: Int
  /// The first slot.
  let first: SlotAddress

  /// The targets as runs, and the targets that fit into no run, both in the order of slots.
  var parts: (runs: [Run], rest: [Target]) {
    var (runs, rest) = ([Run](), [Target]())
    for target in targets {
      guard target.width == 1, target.count == 1 else {
        rest.append(target)
        continue
      }
      let (slot, channel) = (Int(target.slots[0]), channels[target.first])
      if let last = runs.last, last.universe == target.universe, last.slot + last.count == slot,
        last.channel + last.count == channel
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(universe: target.universe, slot: slot, channel: channel, count: 1))
      }
    }
    return (runs, rest)
  }

  /// Maps `count` channels to consecutive slots from an address on; nil if they end after the last universe.
  init?(from first: SlotAddress, channels count: Int) {
    guard let range = UniverseFields.universes(from: first, channels: count) else { return nil }
    self.first = first
    width = count
    universes = Array(range)
    channels = Array(0..<count)
    targets = (0..<count).map { channel in
      let offset = first.slot - 1 + channel
      return Target(
        universe: offset / SlotAddress.slots, slots: SIMD4(Int16(offset % SlotAddress.slots), -1, -1, -1),
        width: 1,
        first: channel, count: 1, isHighest: false, home: 0)
    }
  }

  /// Maps channels of light to their patched slots, in `universe` alone if it is given; nil where there are none.
  init?(_ lights: [LightSlot], in universe: Int? = nil) {
    let lightIndexes = lights.indices.filter { universe == nil || lights[$0].universe == universe }
    guard !lightIndexes.isEmpty else { return nil }
    width = lights.count
    universes = Set(lightIndexes.map { lights[$0].universe }).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: zip(universes, universes.indices))
    // Nodes that light the same slot share a target.
    let lightsOfSlot = Dictionary(grouping: lightIndexes) {
      SlotAddress(universe: lights[$0].universe, slot: lights[$0].slots[0])!
    }
    var targets: [Target] = []
    var channels: [Int] = []
    let order = lightsOfSlot.keys.sorted { ($0.universe, $0.slot) < ($1.universe, $1.slot) }
    for address in order {
      let sharing = lightsOfSlot[address] ?? []
      let light = lights[sharing[0]]
      var slots = SIMD4<Int16>(repeating: -1)
      for (index, slot) in light.slots.prefix(3).enumerated() { slots[index] = Int16(slot - 1) }
      targets.append(
        Target(
          universe: indexes[address.universe] ?? 0, slots: slots, width: min(3, light.slots.count),
          first: channels.count, count: sharing.count, isHighest: light.isHighest, home: light.home))
      channels += sharing
    }
    (self.targets, self.channels, first) = (targets, channels, order[0])
  }

  /// Maps the channels of an output with the setting `address`; nil where they do not fit. With `isAlone`, only light
  /// in the universe of `address` is mapped.
  init?(_ input: CheckedInput?, address: String, isAlone: Bool = false) {
    if input?.type == .light {
      let universe = isAlone ? SlotAddress(address)?.universe : nil
      self.init(input?.channels.compactMap(\.light) ?? [], in: universe)
    } else if let first = SlotAddress(address) {
      self.init(from: first, channels: max(1, input?.channels.count ?? 0))
    } else {
      return nil
    }
  }
}
