import DMX
import Engine
import Graphs
import OSC

/// Kinds of settings and checks that outputs of universes share.
enum UniverseFields {
  /// A slot as `UNIVERSE/SLOT`.
  static let address = ValueKind.slotAddress
  /// A host, with or without a port.
  static let host = ValueKind.text(
    pattern: "^([A-Za-z0-9._-]{1,253}(:0*[1-9][0-9]{0,4})?|\\[[^\\[\\] ]+\\](:0*[1-9][0-9]{0,4})?)$",
    form: "HOST or HOST:PORT", isChecked: true)
  /// The number of a universe.
  static let universe = ValueKind.number(
    .none, Double(SlotAddress.universes.lowerBound)...Double(SlotAddress.universes.upperBound), whole: true)
  /// Packets per second.
  static let rate = ValueKind.number(.perSecond, 1...500)

  /// The endpoint of a host, with `port` where the text has none.
  static func endpoint(_ text: String, port: UInt16) throws(OSCError) -> Endpoint {
    if let whole = try? Endpoint(text) { return whole }
    if text.hasPrefix("["), text.hasSuffix("]") { return try Endpoint("\(text):\(port)") }
    return try Endpoint(host: text, port: port)
  }

  /// Reports `atEnd: scene` without a scene.
  static func checkEnd<Settings: UniverseSettings>(_ shaping: Shaping<Settings>) {
    guard shaping.settings.all.atEnd == .scene, shaping.settings.all.endScene == nil else { return }
    shaping.report(
      "no-end-scene", "atEnd", "`atEnd: scene` leaves the lights in a scene: write `endScene:` and its name")
  }

  /// The universes that `channels` channels fill from an address on; nil where they end after the last universe.
  static func universes(from first: SlotAddress, channels: Int) -> ClosedRange<Int>? {
    first.advanced(by: max(1, channels) - 1).map { first.universe...$0.universe }
  }

  /// Reports an invalid address, or one after which the channels do not fit.
  static func check<Settings>(
    _ address: String, last: Int, _ shaping: Shaping<Settings>
  ) {
    let input = shaping.inputs[0]
    if input.type == .light {
      guard let highest = input.channels.compactMap(\.light?.universe).max(), highest > last else { return }
      return shaping.report(
        "too-many-universes", nil,
        "light for the universe \(highest) has no room: the last universe is \(last)")
    }
    guard let first = SlotAddress(address) else {
      return shaping.report(
        "slot-address", "address",
        "\(address) is not the address of a slot: universes are 1…\(SlotAddress.universes.upperBound), slots 1…\(SlotAddress.slots), as in 1/1"
      )
    }
    let channels = input.channels.count
    if let universes = universes(from: first, channels: channels), universes.upperBound <= last { return }
    shaping.report(
      "too-many-universes", "address",
      "\(channels) channels from \(first) on have no room: the last universe is \(last)")
  }
}

/// The settings of every output of lights.
protocol LightOutputSettings: FieldRecord {
  /// What the lights do at the end.
  var atEnd: OutputEnd { get set }
  /// What happens while the host runs faster than real time.
  var freewheel: OutputFreewheel { get set }
  /// The master of this output, 0…1.
  var master: Float { get set }
}

extension LightOutputSettings {
  /// The fields that come last.
  static var endFields: [Field<Self>] {
    [
      Field("atEnd", \.atEnd, "What the lights do when the show ends or the node is taken out."),
      Field("freewheel", \.freewheel, "What happens while the host runs faster than real time."),
      Field(
        "master", \.master, .number(.none, 0...1),
        "A master of this output alone, multiplied by that of the show."),
    ]
  }
}

/// The settings of every output of universes.
protocol UniverseSettings: LightOutputSettings {
  /// The slot of the first channel.
  var address: String { get set }
  /// Packets per second of a universe.
  var rate: Double { get set }
  /// The scene in whose look the lights are left.
  var endScene: String? { get set }
  /// The universes that an input fills.
  func universes(of input: CheckedInput) -> [Int]
}

extension UniverseSettings {
  static var addressField: Field<Self> {
    Field(
      "address", \.address, UniverseFields.address, change: .rebuild,
      "The slot of the first channel, UNIVERSE/SLOT, both from 1.")
  }
  static var rateField: Field<Self> {
    Field(
      "rate", \.rate, UniverseFields.rate,
      "The most packets a second of a universe; one every frame, every second frame, every third and so on. DMX "
        + "itself has room for 44."
    )
  }

  static var endSceneField: Field<Self> {
    Field(
      "endScene", \.endScene, .text(),
      "The scene that the lights are left in with `atEnd: scene`: its first frame while nothing plays, with master "
        + "and blackout applied. What no scene sets is as it was when the graph was read.")
  }

  /// The scene at the end, to be checked.
  var endChoice: (setting: String, choice: SceneChoice)? { endScene.map { ("endScene", .named($0)) } }
  /// The scene at the end; nil: none.
  var lastScene: String? { atEnd == .scene ? endScene : nil }

  /// A claim for each universe that the channels fill, worded by the protocol.
  func claims(
    _ inputs: [CheckedInput], _ name: (_ universe: Int) -> String
  ) -> [(setting: String, claim: String)] {
    universes(of: inputs[0]).map { ("address", name($0)) }
  }

  func universes(of input: CheckedInput) -> [Int] {
    UniversePlaces(input, address: address)?.universes ?? []
  }

  /// The settings of its route.
  var ofRoute: UniverseRoute.Settings {
    UniverseRoute.Settings(rate: rate, isDarkAtEnd: atEnd.isDark)
  }
}

/// The lights of an output at its end.
enum OutputEnd: String, FieldChoice {
  case dark, hold, scene

  /// Whether lights that no scene sets go out.
  var isDark: Bool { self != .hold }

  var help: String {
    switch self {
    case .dark: "they go out"
    case .hold: "they stay as they are, as far as the receivers let them"
    case .scene: "they are left in the scene `endScene`; LEDs go out"
    }
  }
}
