import DMX
import Engine
import Graphs
import OSC

/// Sends pixels to LED controllers by DDP.
enum DdpOutput: RunnableNode {
  static let name = "ddp-output"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends pixels to LED controllers by DDP: WLED, Falcon, xLights and others listen to it at port 4048. Where several \
    `pixels` are wired to it their LEDs follow each other, in the order of the wires. Every frame is sent that \
    differs from the one before; three equal ones follow, then one every 0.8 to 1 s, so that devices do not resume \
    programs of their own. At the end all LEDs go dark, and in a blackout at once. At the start each device is asked \
    what it is. `visgraph status` names a device that has fewer LEDs than it is sent; one that does not answer is no \
    fault.
    """
  static let example: String? = """
    wall: { type: ddp-output, to: 10.0.0.21 }
    both: { type: ddp-output, to: [10.0.0.21, 10.0.0.22:4048], first: 300 }
    """

  struct Settings: LightOutputSettings {
    var to: [String] = []
    var first = 0
    var device = 1
    var rate: Double?
    var atEnd = OutputEnd.dark
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "ddp-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "The receivers: devices as HOST or HOST:PORT; one or a list, which all show the same."),
        Field(
          "first", \.first, .number(.none, 0...Double(PixelRun.most), whole: true), change: .rebuild,
          "The LED of the device, from 0, that shows the first one."),
        Field(
          "device", \.device, .number(.none, 0...Double(UInt8.max), whole: true), change: .rebuild,
          "The destination id: 1 is the display itself."),
        Field(
          "rate", \.rate, UniverseFields.rate, "The most frames a second; by default every frame."),
      ] + endFields
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.pixels], "The LEDs, one after another.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    if shaping.settings.all.to.isEmpty {
      shaping.report("no-target", nil, "a ddp-output needs a `to`, such as `to: 10.0.0.21`")
    }
    let kinds = Set(shaping.inputs[0].channels.compactMap(\.pixels?.bytes)).sorted()
    if kinds.count > 1 {
      shaping.report(
        "pixels-of-two-kinds", nil,
        "LEDs of \(kinds[0]) and of \(kinds[1]) bytes are wired to it; one device has LEDs of one kind")
    }
    return []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let bytes = context.inputs[0].channels.compactMap(\.pixels?.bytes).first ?? 3
    let last = settings.first + context.inputs[0].channels.compactMap(\.pixels).reduce(0) { $0 + $1.count }
    let destinations = try settings.to.map { try makeDestination($0, last, context) }
    let key = "ddp \(settings.to) \(settings.first) \(settings.device) \(bytes)"
    let count = context.pixelBytes
    // The numbers go on from plan to plan: devices drop frames with numbers just before that of the last one.
    let sequence = context.share("ddp numbers of \(context.id)") { DdpPackets.newSequence() }
    let route = context.pixelRoute(
      key,
      by: PixelDelivery(destinations: destinations) {
        DevicePackets(
          count: count,
          DdpPackets(
            bytes: bytes, device: UInt8(settings.device), first: settings.first * bytes, sequence: sequence
          ).make)
      })
    return context.pixelParts(
      route,
      PixelSendSettings(
        rate: settings.rate, isDarkAtEnd: settings.atEnd.isDark,
        sendsInFreewheel: settings.freewheel == .send, master: settings.master))
  }
}

extension DdpOutput {
  /// The destination for a device, with the facts that the device states. `needed` is the number of LEDs that it
  /// should have.
  private static func makeDestination(
    _ text: String, _ needed: Int, _ context: NodeContext<Settings>
  ) throws -> PacketDestination {
    let endpoint = try UniverseFields.endpoint(text, port: DdpPackets.port)
    let outlet = context.datagrams(to: endpoint)
    guard case .network = context.configuration.packets, context.configuration.isRealTime else {
      return PacketDestination(name: text, outlets: [outlet])
    }
    let device = context.share("ddp device \(endpoint) \(needed)") { DdpDevice(endpoint, needed: needed) }
    return PacketDestination(name: text, outlets: [outlet]) { line in
      var line = line
      if let words = device.words {
        line.state += "; \(words.text)"
        line.isWell = line.isWell && words.isWell
      }
      return [line]
    }
  }
}
