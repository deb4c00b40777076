import DMX

/// One attribute of a fixture with the slots that carry it, the most significant first.
public struct LightSlot: Sendable, Equatable {
  /// The name of the fixture (`Par 1`).
  public let fixture: String
  /// The attribute that the slots carry.
  public let attribute: LightAttribute
  /// The universe, 1…63999.
  public let universe: Int
  /// One to three slots of the universe, 1…512, for 8, 16 or 24 bits.
  public let slots: [Int]
  /// The map from numbers in the unit of the attribute to levels.
  public let scale: LightScale
  /// The default level, 0…1.
  public let home: Float
  /// Whether master and blackout act on it.
  public let isDimmed: Bool
  /// Whether the highest of several nodes' levels counts (HTP) and not that of the last wire.
  public let isHighest: Bool
  /// The position of the fixture, as in `Fixture.place`.
  public let place: SIMD2<Double>?
}

extension FixtureSettings {
  /// The channels that carry one number together.
  private struct Carrier {
    let attribute: LightAttribute
    let channel: FixtureChannel
    /// Indexes from 0, the most significant byte first.
    var places: [Int]
  }

  /// The attributes of a fixture of this row at an address; channels of finer bytes are merged with the coarse one.
  func slots(
    of name: String, at address: SlotAddress, in place: SIMD2<Double>?, _ context: ReadContext
  ) -> [LightSlot] {
    let hasDimmer = channels.contains { $0.attribute == .dimmer }
    let families = Set(channels.compactMap(\.attribute?.family))
    if fixture == nil, !hasDimmer, families.contains(.subtractive), !families.contains(.additive) {
      context.report(.noDimmer(self.name, at: mark(of: "channels")))
    }
    var carriers: [Carrier] = []
    for (index, channel) in channels.enumerated() {
      guard let attribute = channel.attribute else { continue }
      if channel.part == .coarse {
        carriers.append(Carrier(attribute: attribute, channel: channel, places: [index]))
      } else if let place = carriers.lastIndex(where: {
        $0.channel.key == channel.key && $0.places.count == channel.part.rawValue
      }) {
        carriers[place].places.append(index)
      } else {
        context.report(.fineWithoutCoarse(attribute.name, at: mark(of: fixture == nil ? "channels" : "mode")))
      }
    }
    return carriers.map { carrier in
      let (attribute, width) = (carrier.attribute, carrier.places.count)
      let scale = carrier.channel.scale(width: width)
      let isBrightness = attribute.family == .intensity || attribute.family == .additive && !hasDimmer
      return LightSlot(
        fixture: name, attribute: attribute, universe: address.universe,
        slots: carrier.places.map { address.slot + $0 }, scale: scale,
        home: carrier.channel.rest(scale, width: width),
        isDimmed: isUnderMaster && (carrier.channel.isUnderMaster ?? isBrightness), isHighest: isBrightness,
        place: place)
    }
  }
}
