import DMX
import Graphs

/// The places of channels in universes: plain levels slot after slot, light where the patch has it. [any]
struct UniversePlaces: Equatable, Sendable {
  /// A number of one to three slots, and the channels that light it.
  struct Target: Equatable, Sendable {
    /// By index into `universes`.
    let universe: Int
    /// The slots from 0, the coarse one first; -1 where there is none.
    let slots: SIMD4<Int16>
    /// How many slots it has.
    let width: Int
    /// Where its channels begin in `channels`, and how many they are.
    let first: Int
    let count: Int
    /// Whether of several the highest counts, and not the last.
    let isHighest: Bool
    /// The level that nobody has asked for: one that has another goes before it.
    let home: Float

    /// The number of a level 0…1, rounded: 255 for 1 in one slot, 65535 in two.
    func number(of level: Float) -> UInt32 {
      if width == 1 { return UInt32(SlotAddress.byte(of: level)) }
      return UInt32(Double(max(0, min(1, level))) * Double(1 << (8 * width) - 1) + 0.5)
    }
  }

  /// Channels in a row that are one slot each, in a row as well: most of what there is.
  struct Run: Equatable, Sendable {
    /// By index into `universes`.
    let universe: Int
    /// The first slot and the first channel, from 0, and how many they are.
    let slot: Int
    let channel: Int
    var count: Int
  }

  /// The universes, rising.
  let universes: [Int]
  /// What is written, in the order of slots.
  let targets: [Target]
  /// Channels by number from 0, those of a target one after another in the order of the wires.
  let channels: [Int]
  /// How many channels arrive, with those that have no place.
  let width: Int
  /// The first slot.
  let first: SlotAddress

  /// Runs of what is to be written, and what is none, both in the order of slots.
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

  /// The places of so many channels from an address on; nil behind the last universe.
  init?(from first: SlotAddress, channels count: Int) {
    guard let range = UniverseFields.universes(from: first, channels: count) else { return nil }
    self.first = first
    width = count
    universes = Array(range)
    channels = Array(0..<count)
    targets = (0..<count).map { channel in
      let place = first.slot - 1 + channel
      return Target(
        universe: place / SlotAddress.slots, slots: SIMD4(Int16(place % SlotAddress.slots), -1, -1, -1),
        width: 1,
        first: channel, count: 1, isHighest: false, home: 0)
    }
  }

  /// The places that a patch has for channels of light, in one universe alone where `universe` says which; nil where there
  /// are none.
  init?(_ lights: [LightSlot], in universe: Int? = nil) {
    let own = lights.indices.filter { universe == nil || lights[$0].universe == universe }
    guard !own.isEmpty else { return nil }
    width = lights.count
    universes = Set(own.map { lights[$0].universe }).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: zip(universes, universes.indices))
    // One number for each slot of a patch, whatever node lights it.
    let places = Dictionary(grouping: own) {
      SlotAddress(universe: lights[$0].universe, slot: lights[$0].slots[0])!
    }
    var targets: [Target] = []
    var channels: [Int] = []
    let order = places.keys.sorted { ($0.universe, $0.slot) < ($1.universe, $1.slot) }
    for place in order {
      let own = places[place] ?? []
      let light = lights[own[0]]
      var slots = SIMD4<Int16>(repeating: -1)
      for (index, slot) in light.slots.prefix(3).enumerated() { slots[index] = Int16(slot - 1) }
      targets.append(
        Target(
          universe: indexes[place.universe] ?? 0, slots: slots, width: min(3, light.slots.count),
          first: channels.count, count: own.count, isHighest: light.isHighest, home: light.home))
      channels += own
    }
    (self.targets, self.channels, first) = (targets, channels, order[0])
  }

  /// The places of what arrives at an output whose setting says `address`; nil where it has no room. Where one universe is
  /// alone to be sent (`isAlone`), of light that of `address`.
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
