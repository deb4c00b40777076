import DMX
import Engine
import Graphs

/// The settings of an output of universes that also accepts pixels.
protocol PixelUniverseSettings: UniverseSettings {
  /// How LEDs are distributed over universes.
  var pixels: PixelFilling { get set }
}

extension PixelUniverseSettings {
  /// The fields for LEDs.
  static var pixelFields: [Field<Self>] {
    [
      Field(
        "perUniverse", \.pixels.perUniverse, .number(.none, 1...Double(SlotAddress.slots), whole: true),
        change: .rebuild,
        "The most LEDs of a universe; by default as many as fit: 170 of three bytes, 128 of four or 102 of five. The "
          + "rest of a universe stays dark."),
      Field(
        "split", \.pixels.split, change: .rebuild,
        "Whether the bytes of a LED may lie in two universes, so that all 512 slots are used; otherwise every LED "
          + "lies in one universe, as WLED and most controllers need it."),
      Field(
        "aligned", \.pixels.aligned, change: .rebuild,
        "Whether each of several `pixels` begins in a universe of its own, as ports of controllers do."),
    ]
  }

  /// The part of the help text about pixels.
  static var pixelHelp: String {
    """
    LEDs of `pixels` follow each other from `address` on, a slot for each byte; the universes behind the first begin with \
    their slot 1.
    """
  }

  /// The slots of the LEDs of channels; nil where there are no LEDs, or where they do not fit.
  func pixelSlots(_ channels: [Channel]) -> PixelSlots? {
    let runs = channels.compactMap(\.pixels)
    guard !runs.isEmpty, let first = SlotAddress(address) else { return nil }
    return PixelSlots(runs, from: first, pixels)
  }

  func universes(of input: CheckedInput) -> [Int] {
    if input.type == .pixels { return pixelSlots(input.channels)?.universes ?? [] }
    return UniversePlaces(input, address: address)?.universes ?? []
  }

  /// Reports an invalid address, and LEDs that do not fit.
  func check(_ shaping: Shaping<Self>, last: Int) {
    let input = shaping.inputs[0]
    guard input.type == .pixels, SlotAddress(address) != nil else {
      return UniverseFields.check(address, last: last, shaping)
    }
    if let count = pixels.perUniverse {
      let bytes = input.channels.compactMap(\.pixels?.bytes).max() ?? 3
      if pixels.split {
        shaping.report(
          "pixels-per-universe", "split",
          "LEDs that may lie in two universes fill them; leave `perUniverse` out")
      } else if count * bytes > SlotAddress.slots {
        shaping.report(
          "pixels-per-universe", "perUniverse",
          "\(count) LEDs of \(bytes) bytes need \(count * bytes) slots, and a universe has \(SlotAddress.slots)"
        )
      }
    }
    guard let slots = pixelSlots(input.channels), slots.universes.last.map({ $0 <= last }) ?? true else {
      let count = input.channels.compactMap(\.pixels?.count).reduce(0, +)
      return shaping.report(
        "too-many-universes", "address",
        "\(count) LEDs from \(address) on have no room: the last universe is \(last)")
    }
  }
}

extension NodeContext where Settings: PixelUniverseSettings {
  /// The parts of an output that sends pixels as universes. `begin` is called before the first frame of the plan,
  /// `eachFrame` after every frame. [control]
  func pixelParts(
    _ key: String, by delivery: PixelDelivery, begin: @escaping () -> Void = {},
    eachFrame: @escaping (OutputMoment) -> Void = { _ in }
  ) -> NodeParts {
    let settings = settings.all
    let route = pixelRoute(key, packing: "\(settings.address) \(settings.pixels)", by: delivery)
    return pixelParts(
      route,
      PixelSendSettings(
        rate: settings.rate, isDarkAtEnd: settings.atEnd.isDark,
        sendsInFreewheel: settings.freewheel == .send, master: settings.master),
      begin: begin, eachFrame: eachFrame)
  }
}
