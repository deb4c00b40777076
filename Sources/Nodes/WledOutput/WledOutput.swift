import DMX
import Engine
import Graphs
import OSC

/// Sends pixels to lamps that run WLED, by its realtime protocol.
enum WledOutput: RunnableNode {
  static let name = "wled-output"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends pixels to lamps that run WLED, by its realtime protocol at port 21324. Where several `pixels` are wired to \
    it their LEDs follow each other, in the order of the wires. A frame is sent that differs from the one before, at \
    most `rate` times a second; three equal ones follow, then one every 0.8 to 1 s, so that a lamp does not resume a \
    program of its own: it does after `timeout` without a packet. At the end all LEDs go dark, and in a blackout at \
    once.

    A lamp has a curve and a brightness of its own, so `gamma` of the pixels stays 1. With `state: on` it is switched \
    on by its HTTP interface, shows what is sent, and gets its former state back at the end; a restart of the lamp is \
    noticed within some ten seconds. More LEDs than a packet holds (490, 367 with white) are sent in several; \
    `ddp-output` is the other way to such lamps.
    """
  static let example: String? = """
    shelf: { type: wled-output, to: 10.0.0.23 }
    lamp:  { type: wled-output, to: wled-desk.local, state: on, brightness: 200, timeout: 3 s }
    """

  /// The format of packets.
  enum Mode: String, FieldChoice {
    case auto, warls, drgb, drgbw, dnrgb, dnrgbw
    var help: String {
      switch self {
      case .auto: "as the form and the number of LEDs need it"
      case .warls: "each with its number, 256 at most"
      case .drgb: "three bytes each, 490 at most"
      case .drgbw: "four bytes each, 367 at most"
      case .dnrgb: "three bytes each, any number"
      case .dnrgbw: "four bytes each, any number"
      }
    }
    var packets: WledPackets.Mode? {
      switch self {
      case .auto: nil
      case .warls: .warls
      case .drgb: .drgb
      case .drgbw: .drgbw
      case .dnrgb: .dnrgb
      case .dnrgbw: .dnrgbw
      }
    }
  }

  struct Settings: LightOutputSettings {
    var to: [String] = []
    var first = 0
    var mode = Mode.auto
    var timeout = 2.0
    var rate = 60.0
    var state = false
    var brightness: Int?
    var http = Int(WledLamp.port)
    var atEnd = OutputEnd.dark
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "wled-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "The receivers: lamps as HOST or HOST:PORT; one or a list, which all show the same."),
        Field(
          "first", \.first, .number(.none, 0...Double(UInt16.max), whole: true), change: .rebuild,
          "The LED of the lamp, from 0, that shows the first one."),
        Field("mode", \.mode, change: .rebuild, "How LEDs are written into packets."),
        Field(
          "timeout", \.timeout, .number(.seconds, 2...Double(UInt8.max), whole: true), change: .rebuild,
          "After how long without a packet a lamp resumes a program of its own, in whole seconds; 255 s is never."
        ),
        Field("rate", \.rate, .number(.perSecond, 1...500), "The most frames a second."),
        Field(
          "state", \.state, change: .rebuild,
          "Whether the lamp is switched on by its HTTP interface, and gets its former state back at the end."),
        Field(
          "brightness", \.brightness, .number(.none, 1...Double(UInt8.max), whole: true), change: .rebuild,
          "The brightness that `state: on` gives the lamp; by default its own."),
        Field(
          "http", \.http, .number(.none, 1...Double(UInt16.max), whole: true), change: .rebuild,
          "The port of its HTTP interface."),
      ] + endFields
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.pixels], "The LEDs, one after another.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.to.isEmpty {
      shaping.report("no-target", nil, "a wled-output needs a `to`, such as `to: 10.0.0.23`")
    }
    let runs = shaping.inputs[0].channels.compactMap(\.pixels)
    let kinds = Set(runs.map(\.bytes)).sorted()
    guard kinds.count < 2 else {
      shaping.report(
        "pixels-of-two-kinds", nil,
        "LEDs of \(kinds[0]) and of \(kinds[1]) bytes are wired to it; one device has LEDs of one kind")
      return []
    }
    guard let bytes = kinds.first else { return [] }
    let count = runs.reduce(0) { $0 + $1.count }
    guard let mode = settings.mode(count, bytes) else {
      shaping.report(
        "wled-mode", "mode",
        bytes > 4
          ? "WLED takes LEDs of three or four bytes, and these have \(bytes)"
          : "\(settings.first + count) LEDs are too many: WLED numbers \(WledPackets.Mode.dnrgb.most)")
      return []
    }
    if mode.bytes != bytes {
      shaping.report(
        "wled-mode", "mode",
        "\(settings.mode.rawValue) has \(mode.bytes) bytes for a LED, and these have \(bytes)")
    } else if settings.first + count > mode.most || (settings.first > 0 && !mode.hasStart) {
      shaping.report(
        "wled-mode", "mode",
        "\(settings.mode.rawValue) holds \(mode.most) LEDs\(mode.hasStart ? "" : " from the first on"), and the last is number "
          + "\(settings.first + count)")
    }
    return []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let runs = context.inputs[0].channels.compactMap(\.pixels)
    let count = runs.reduce(0) { $0 + $1.count }
    // The graph check has accepted the mode.
    let mode = settings.mode(count, runs.first?.bytes ?? 3) ?? .dnrgb
    let places = try settings.to.map { try makeDestination($0, context) }
    let http = settings.state ? " http \(settings.http)" : ""
    // A change of the mode alone changes no light. What the mode follows from makes a new route: the setting, because
    // its change rebuilds the node, and the LEDs.
    let key = "wled \(settings.to) \(settings.first) \(mode.bytes) \(settings.timeout)\(http)"
    let bytes = context.pixelBytes
    let route = context.pixelRoute(
      key,
      by: PixelDelivery(destinations: places.map(\.destination)) {
        DevicePackets(
          count: bytes, WledPackets(mode, first: settings.first, timeout: UInt8(settings.timeout)).make)
      })
    return context.pixelParts(
      route,
      PixelSendSettings(
        rate: settings.rate, isDarkAtEnd: settings.atEnd.isDark,
        sendsInFreewheel: settings.freewheel == .send, master: settings.master),
      begin: { for place in places { place.lamp?.take(brightness: settings.brightness) } })
  }

  private static func makeDestination(
    _ text: String, _ context: NodeContext<Settings>
  ) throws -> (destination: PacketDestination, lamp: WledLamp?) {
    let settings = context.settings.all
    let endpoint = try UniverseFields.endpoint(text, port: WledPackets.port)
    let outlet = context.datagrams(to: endpoint)
    guard settings.state, case .network = context.configuration.packets else {
      return (PacketDestination(name: text, outlets: [outlet]), nil)
    }
    let interface = try Endpoint(host: endpoint.host, port: UInt16(settings.http))
    // The object is shared by the lamp's address alone, because only the first one has seen the original state.
    let lamp = context.share("wled lamp \(interface)") {
      WledLamp(interface, brightness: settings.brightness, gate: context.configuration.gate)
    }
    let destination = PacketDestination(name: text, outlets: [outlet]) { line in
      var line = line
      if let trouble = lamp.trouble { line.state += "; \(trouble)" }
      return [line]
    }
    return (destination, lamp)
  }
}

extension WledOutput.Settings {
  /// The mode in which `count` LEDs of `bytes` bytes are sent; nil: no mode fits.
  func mode(_ count: Int, _ bytes: Int) -> WledPackets.Mode? {
    mode.packets ?? WledPackets.mode(of: count, bytes: bytes, first: first)
  }
}
