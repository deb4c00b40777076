import DMX
import Engine
import Graphs
import OSC

/// Sends levels as DMX universes by sACN.
enum SacnOutput: RunnableNode {
  static let name = "sacn-output"
  static let off: (setting: String, value: String, help: String)? = (
    "master", "0", "its levels are those of a master of 0"
  )
  static let role: NodeRole? = .sender
  static let help = """
    Sends levels 0…1 to lighting fixtures and nodes as universes of DMX, by sACN (ANSI E1.31-2018). The first channel is \
    the slot `address`, the others follow, also in the universes behind it; 0 is 0, 1 is 255. Light of `lights` has its slots from the \
    patch, and `address` does not count. \(Settings.pixelHelp) A change goes out at \
    once, then at most `rate` times a second, in whole frames; three equal packets follow, then one every 0.8 to 1 s. \
    Universes that are sent by multicast are announced every 10 s. At the end the lights go out, or are left in a \
    scene, and three packets say that the universe has ended.

    A universe is sent as a whole: only one output of a graph may send it. In a blackout \
    \(Dimmed.levels.name) are \(Dimmed.levels.inBlackout); under the master they are \(Dimmed.levels.underMaster).
    """
  static let example: String? = """
    lamps: { type: sacn-output, address: 1/1 }                  # multicast, for every receiver of the network
    node:  { type: sacn-output, address: 2/1, to: 10.0.0.20 }   # to one receiver
    """

  struct Settings: PixelUniverseSettings {
    var to = [SacnOutput.multicast]
    var address = "1/1"
    var interface: String?
    /// The priority, 0…200: receivers follow the source with the highest.
    var priority = 100
    var slotPriorities = false
    var rate = 44.0
    var pixels = PixelFilling()
    /// The universe of synchronization packets; nil: none are sent.
    var sync: Int?
    var preview = false
    var source = "visgraph"
    var atEnd = OutputEnd.dark
    var endScene: String?
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "sacn-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "The receivers: `multicast`, `multicast-ipv6`, or a receiver as HOST or HOST:PORT; one or a list."),
        addressField,
        Multicasts.interface(\.interface),
        Field(
          "priority", \.priority, .number(.none, 0...200, whole: true),
          "The priority of this source: if several sources send a universe, receivers follow the highest."),
        Field(
          "slotPriorities", \.slotPriorities, change: .rebuild,
          "Sends a priority for each slot as well (start code 0xDD): `priority` for slots with a channel, none for "
            + "others, so that other sources can have the rest of the universe. Old receivers take these packets for "
            + "levels, and flash."),
        rateField,
      ] + pixelFields + [
        Field(
          "sync", \.sync, UniverseFields.universe, change: .rebuild,
          "The universe of synchronization packets: receivers that know them show all universes of a frame at one time."
        ),
        Field(
          "preview", \.preview,
          "Marks packets as a preview: meant for programs that show the lights, not for lamps."),
        Field(
          "source", \.source, .text(), change: .rebuild,
          "The name of this source that receivers show, up to 63 bytes."),
      ] + [endSceneField] + endFields
    init() {}
  }

  static let multicast = "multicast"
  static let multicastIPv6 = "multicast-ipv6"

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort(
        "in", [.level, .light, .pixels], "Levels 0…1, a slot each; or light; or pixels, a slot for each byte."
      )
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    UniverseFields.checkEnd(shaping)
    settings.check(shaping, last: SlotAddress.universes.upperBound)
    if settings.sync == Int(SacnSource.discoveryUniverse) {
      shaping.report(
        "slot-address", "sync", "\(SacnSource.discoveryUniverse) is the universe of announcements")
    }
    return []
  }

  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    settings.endChoice
  }

  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)] {
    settings.claims(inputs) { "sACN universe \($0)" }
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all.sent(by: context.configuration.gate)
    if let pixels = settings.pixelSlots(context.inputs[0].channels) {
      let streams = try SacnStreams(context, pixels.universes)
      let (mark, observer) = (streams.mark, context.configuration.universes)
      let delivery = PixelDelivery(
        destinations: streams.destinations, universes: pixels.universes, synchronize: streams.synchronize
      ) {
        PixelUniverses(pixels, streams.make(), observer: observer) { max(1, mark.priority) }
      }
      return context.pixelParts(
        streams.key, by: delivery, begin: { mark.take(settings) }, eachFrame: streams.announce)
    }
    // The graph check has accepted the address.
    let places = UniversePlaces(context.inputs[0], address: settings.address)!
    let streams = try SacnStreams(context, places.universes)
    let route = context.universeRoute(streams.key, places, to: streams.destinations, streams.make)
    return NodeParts(
      frame: OutputFrame(
        context, routes: [route], master: settings.master, endScene: settings.lastScene,
        sendsInFreewheel: settings.freewheel == .send,
        begin: {
          route.settings = settings.ofRoute
          (route.synchronize, route.announce) = (streams.synchronize, streams.announce)
          route.take(places)
          // A slot priority of 0 would mean that the slot is not sent.
          route.prioritize(UInt8(max(1, settings.priority)))
          streams.mark.take(settings)
        }))
  }
}

extension SacnOutput.Settings {
  /// The settings with the priority of a spare, where the show is one.
  fileprivate func sent(by gate: OutputGate) -> Self {
    var settings = self
    settings.priority = gate.priority(priority)
    return settings
  }
}
