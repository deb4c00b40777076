import DMX
import Engine
import Graphs
import OSC

/// Sends levels as universes of DMX by Art-Net.
enum ArtnetOutput: RunnableNode {
  static let name = "artnet-output"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends levels 0…1 to lighting nodes as universes of DMX, by Art-Net 4 (ArtDmx). The first channel is the slot \
    `address`, the others follow, also in the universes behind it; 0 is 0, 1 is 255. Universes count from 1: `first` \
    says which port address the universe 1 is, 0.0.0 unless told otherwise. Light of `lights` has its slots from the \
    patch, and `address` does not count. A change goes out at once, then at most \
    `rate` times a second, in whole frames; three equal packets follow, then one every 0.8 to 1 s. At the end the \
    lights go out.

    A universe is sent as a whole: only one output of a graph may send it. Packets go to the nodes that are named; to \
    all nodes of a network only where its broadcast address is. In a blackout \(Dimmed.levels.name) are \
    \(Dimmed.levels.inBlackout); under the master they are \(Dimmed.levels.underMaster).
    """
  static let example: String? = """
    node: { type: artnet-output, address: 1/1, to: 10.0.0.30 }
    """

  /// The settings of an Art-Net output.
  struct Settings: UniverseSettings {
    /// Where to.
    var to: [String] = []
    /// The slot of the first channel.
    var address = "1/1"
    /// The port address of universe 1.
    var first = 0
    /// Packets a second of a universe.
    var rate = 44.0
    /// What the lights do at the end.
    var atEnd = OutputEnd.dark
    /// What happens while the host runs faster than time.
    var freewheel = OscOutput.Freewheel.hold
    /// Scales what goes out, 0…1.
    var master: Float = 1

    static let recordName = "artnet-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "Where to: nodes as HOST or HOST:PORT; one or a list."),
        addressField,
        Field(
          "first", \.first, .number(.none, 0...32_767, whole: true), change: .rebuild,
          "The port address that universe 1 is: 0 is 0.0.0, 1 is 0.0.1, 16 is 0.1.0, 256 is 1.0.0."),
        rateField,
      ] + endFields
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] { SacnOutput.inputs(SacnOutput.Settings()) }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.to.isEmpty {
      shaping.report("no-target", nil, "an artnet-output needs a `to`, such as `to: 10.0.0.30`")
    }
    UniverseFields.check(settings.address, last: 32_768 - settings.first, shaping)
    return []
  }

  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)] {
    settings.claims(inputs) { "Art-Net port address \(ArtDmxPacket.text(of: portAddress($0, settings)))" }
  }

  /// The port address of a universe.
  private static func portAddress(_ universe: Int, _ settings: Settings) -> UInt16 {
    UInt16(clamping: settings.first + universe - 1)
  }

  /// One universe.
  private final class Stream: UniverseStream {
    private let packet: ArtDmxPacket

    init(_ packet: ArtDmxPacket) { self.packet = packet }

    var slots: UnsafeMutableBufferPointer<UInt8> { packet.slots }
    func next() -> UnsafeRawBufferPointer { packet.next() }
    func nextTermination() -> UnsafeRawBufferPointer? { nil }
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    // The check has let it pass.
    let places = UniversePlaces(context.inputs[0], address: settings.address)!
    let destinations = try settings.to.map { text in
      let outlet = context.datagrams(to: try UniverseFields.endpoint(text, port: ArtDmxPacket.port))
      return UniverseRoute.Destination(name: text, outlets: places.universes.map { _ in outlet })
    }
    let key = "artnet \(settings.to) \(places.universes) \(settings.first)"
    let route = context.universeRoute(key, places, to: destinations) {
      places.universes.map { Stream(ArtDmxPacket(portAddress: portAddress($0, settings))) }
    }
    return NodeParts(
      frame: OutputFrame(
        context, routes: [route], master: settings.master, sendsInFreewheel: settings.freewheel == .send,
        begin: {
          route.settings = settings.ofRoute
          route.take(places)
        }))
  }
}
