import DMX
import Engine
import Graphs
import OSC

/// Sends levels as DMX universes by Art-Net.
enum ArtnetOutput: RunnableNode {
  static let name = "artnet-output"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends levels 0…1 to lighting nodes as universes of DMX, by Art-Net 4 (ArtDmx). The first channel is the slot \
    `address`, the others follow, also in the universes behind it; 0 is 0, 1 is 255. Universes count from 1: `first` \
    is the port address of universe 1, by default 0.0.0. Light of `lights` has its slots from the patch, and \
    `address` does not count. \(Settings.pixelHelp) A change goes out at once, then at most `rate` times a second, in \
    whole frames; three equal packets follow, then one every 0.8 to 1 s. At the end the lights go out.

    Packets go to the nodes that are named, or to `subscribers`: the output then asks the network every 2.5 s \
    (ArtPoll), and sends each universe to the nodes that answer that they put it out. A node that has been silent for \
    31 s gets nothing more. `visgraph status` and the desk show the nodes that were found. Packets go to all nodes of \
    a network only if its broadcast address is named.

    A universe is sent as a whole: only one output of a graph may send it. In a blackout \(Dimmed.levels.name) are \
    \(Dimmed.levels.inBlackout); under the master they are \(Dimmed.levels.underMaster).
    """
  static let example: String? = """
    node: { type: artnet-output, address: 1/1, to: 10.0.0.30 }
    all:  { type: artnet-output, address: 2/1, to: subscribers, interface: eth0 }   # the nodes that answer there
    """

  struct Settings: PixelUniverseSettings {
    var to: [String] = []
    var address = "1/1"
    var first = 0
    /// The interface on which nodes are polled; nil: all.
    var interface: String?
    var sync = false
    var rate = 44.0
    var pixels = PixelFilling()
    var atEnd = OutputEnd.dark
    var endScene: String?
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "artnet-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "The receivers: `subscribers`, the nodes that answer and put a universe out; or nodes as HOST or "
            + "HOST:PORT; one or a list."),
        addressField,
        Field(
          "first", \.first, .number(.none, 0...32_767, whole: true), change: .rebuild,
          "The port address that universe 1 is: 0 is 0.0.0, 1 is 0.0.1, 16 is 0.1.0, 256 is 1.0.0."),
        Field(
          "interface", \.interface, .text(), change: .rebuild,
          "The network where `subscribers` are asked for: the name or an address of an interface, such as eth0; else all "
            + "networks that this machine is in."),
        Field(
          "sync", \.sync, change: .rebuild,
          "Has nodes show all universes of a frame at one time (ArtSync): to `subscribers` by broadcast, to named nodes "
            + "directly."),
        rateField,
      ] + pixelFields + [endSceneField] + endFields
    init() {}
  }

  static let subscribers = "subscribers"

  static func inputs(_ settings: Settings) -> [InputPort] { SacnOutput.inputs(SacnOutput.Settings()) }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    UniverseFields.checkEnd(shaping)
    if settings.to.isEmpty {
      shaping.report(
        "no-target", nil, "an artnet-output needs a `to`, such as `to: 10.0.0.30` or `to: subscribers`")
    }
    settings.check(shaping, last: 32_768 - settings.first)
    return []
  }

  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    settings.endChoice
  }

  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)] {
    settings.claims(inputs) { "Art-Net port address \(ArtDmxPacket.text(of: portAddress($0, settings)))" }
  }

  /// The port address of a universe.
  private static func portAddress(_ universe: Int, _ settings: Settings) -> UInt16 {
    UInt16(clamping: settings.first + universe - 1)
  }

  /// The packets of one universe.
  private final class Stream: UniverseStream {
    private let packet: ArtDmxPacket

    init(_ packet: ArtDmxPacket) { self.packet = packet }

    var slots: UnsafeMutableBufferPointer<UInt8> { packet.slots }
    func next() -> UnsafeRawBufferPointer { packet.next() }
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    if let pixels = settings.pixelSlots(context.inputs[0].channels) { return try pixelParts(context, pixels) }
    // The graph check has accepted the address.
    let places = UniversePlaces(context.inputs[0], address: settings.address)!
    let portAddresses = places.universes.map { portAddress($0, settings) }
    let destinations = try ArtnetDestinations(context, portAddresses: portAddresses)
    let key = "artnet \(settings.to) \(settings.interface ?? "") \(settings.first)"
    let name = ArtDmxPacket.text(of: portAddresses[0])
    let numbered = numbered(portAddresses, context)
    let route = context.universeRoute(key, places, firstName: name, to: destinations.all) {
      numbered.map { Stream(ArtDmxPacket(portAddress: $0.portAddress, sequence: $0.sequence)) }
    }
    return NodeParts(
      frame: OutputFrame(
        context, routes: [route], master: settings.master, endScene: settings.lastScene,
        sendsInFreewheel: settings.freewheel == .send,
        begin: {
          route.settings = settings.ofRoute
          route.synchronize = destinations.synchronize
          route.take(places)
        }))
  }

  /// Port addresses with their sequence numbers, which go on from plan to plan. [control]
  private static func numbered(
    _ portAddresses: [UInt16], _ context: NodeContext<Settings>
  ) -> [(portAddress: UInt16, sequence: PacketSequence)] {
    portAddresses.map { portAddress in
      let sequence = context.share("art-net numbers of \(context.id) \(portAddress)") {
        ArtDmxPacket.newSequence()
      }
      return (portAddress: portAddress, sequence: sequence)
    }
  }

  private static func pixelParts(_ context: NodeContext<Settings>, _ pixels: PixelSlots) throws -> NodeParts {
    let settings = context.settings.all
    let portAddresses = pixels.universes.map { portAddress($0, settings) }
    let destinations = try ArtnetDestinations(context, portAddresses: portAddresses)
    let observer = context.configuration.universes
    let numbered = numbered(portAddresses, context)
    let delivery = PixelDelivery(
      destinations: destinations.all, universes: pixels.universes, synchronize: destinations.synchronize
    ) {
      let streams = numbered.map {
        Stream(ArtDmxPacket(portAddress: $0.portAddress, sequence: $0.sequence))
      }
      return PixelUniverses(pixels, streams, observer: observer)
    }
    let key = "artnet \(settings.to) \(settings.interface ?? "") \(settings.first) \(settings.sync)"
    return context.pixelParts(key, by: delivery)
  }
}
