import DMX
import Engine
import Graphs
import OSC

/// What outputs of universes have in common: what their settings may be, and what follows from their width.
enum UniverseFields {
  /// `UNIVERSE/SLOT`.
  static let address = ValueKind.slotAddress
  /// A host, or a host and a port.
  static let host = ValueKind.text(
    pattern: "^([A-Za-z0-9._-]{1,253}(:0*[1-9][0-9]{0,4})?|\\[[^\\[\\] ]+\\](:0*[1-9][0-9]{0,4})?)$",
    form: "HOST or HOST:PORT", isChecked: true)
  /// The number of a universe.
  static let universe = ValueKind.number(
    .none, Double(SlotAddress.universes.lowerBound)...Double(SlotAddress.universes.upperBound), whole: true)
  /// Packets a second.
  static let rate = ValueKind.number(.perSecond, 1...500)

  /// The end of a host as it is written; the port where none is.
  static func endpoint(_ text: String, port: UInt16) throws(OSCError) -> Endpoint {
    if let whole = try? Endpoint(text) { return whole }
    if text.hasPrefix("["), text.hasSuffix("]") { return try Endpoint("\(text):\(port)") }
    return try Endpoint(host: text, port: port)
  }

  /// Reports an end in a scene that nobody has named.
  static func checkEnd<Settings: UniverseSettings>(_ shaping: Shaping<Settings>) {
    guard shaping.settings.all.atEnd == .scene, shaping.settings.all.endScene == nil else { return }
    shaping.report(
      "no-end-scene", "atEnd", "`atEnd: scene` leaves the lights in a scene: write `endScene:` and its name")
  }

  /// The numbers of the universes that so many channels fill from an address on; nil where there are not so many.
  static func universes(from first: SlotAddress, channels: Int) -> ClosedRange<Int>? {
    first.advanced(by: max(1, channels) - 1).map { first.universe...$0.universe }
  }

  /// Reports an address that is none, and one that has no room for the channels behind it.
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
        "\(address) is no slot of a universe: universes are 1…\(SlotAddress.universes.upperBound), slots 1…\(SlotAddress.slots), as in 1/1"
      )
    }
    let channels = input.channels.count
    if let universes = universes(from: first, channels: channels), universes.upperBound <= last { return }
    shaping.report(
      "too-many-universes", "address",
      "\(channels) channels from \(first) on have no room: the last universe is \(last)")
  }
}

/// The settings that every output of lights has.
protocol LightOutputSettings: FieldRecord {
  /// What the lights do at the end.
  var atEnd: OutputEnd { get set }
  /// What happens while the host runs faster than time.
  var freewheel: OutputFreewheel { get set }
  /// Scales what goes out, 0…1.
  var master: Float { get set }
}

extension LightOutputSettings {
  /// The last ones.
  static var endFields: [Field<Self>] {
    [
      Field("atEnd", \.atEnd, "What the lights do when the show ends or the node is taken out."),
      Field("freewheel", \.freewheel, "What happens while the host runs faster than time."),
      Field(
        "master", \.master, .number(.none, 0...1), "A master of this output alone, under that of the show."),
    ]
  }
}

/// The settings that every output of universes has.
protocol UniverseSettings: LightOutputSettings {
  /// The slot of the first channel.
  var address: String { get set }
  /// Packets a second of a universe.
  var rate: Double { get set }
  /// The scene of the end.
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
      "Packets a second of a universe at most; every frame, every second or every third and so on. DMX itself has room for 44."
    )
  }

  static var endSceneField: Field<Self> {
    Field(
      "endScene", \.endScene, .text(),
      "The scene that the lights are left in with `atEnd: scene`: as its first frame is where nothing plays, under master and "
        + "blackout. What no scene sets is as it was when the graph was read.")
  }

  /// The scene of the end, to be looked up.
  var endChoice: (setting: String, choice: SceneChoice)? { endScene.map { ("endScene", .named($0)) } }
  /// The scene that it ends in; nil: none.
  var lastScene: String? { atEnd == .scene ? endScene : nil }

  /// A claim for each universe that the channels fill, in the words of a protocol.
  func claims(
    _ inputs: [CheckedInput], _ name: (_ universe: Int) -> String
  ) -> [(setting: String, claim: String)] {
    universes(of: inputs[0]).map { ("address", name($0)) }
  }

  func universes(of input: CheckedInput) -> [Int] {
    UniversePlaces(input, address: address)?.universes ?? []
  }

  /// What the route of its packets needs to know.
  var ofRoute: UniverseRoute.Settings {
    UniverseRoute.Settings(rate: rate, isDarkAtEnd: atEnd.isDark)
  }
}

/// What the lights of an output do when it ends.
enum OutputEnd: String, FieldChoice {
  case dark, hold, scene

  /// Whether what no scene lights goes out.
  var isDark: Bool { self != .hold }

  var help: String {
    switch self {
    case .dark: "they go out"
    case .hold: "they stay as they are, as far as the receivers let them"
    case .scene: "they are left in the scene `endScene`; LEDs go out"
    }
  }
}
