import DMX
import Engine
import Graphs
import OSC

@testable import Nodes

/// An output of a protocol that the program does not have. It takes this file, the packet, and a line in the catalog.
enum KinetOutput: RunnableNode {
  static let name = "kinet-output"
  static let role: NodeRole? = .sender
  static let help = "Sends levels 0…1 as universes of DMX by KiNET."

  struct Settings: UniverseSettings {
    var to = ""
    var address = "1/1"
    var rate = 44.0
    var atEnd = OutputEnd.dark
    var endScene: String?
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "kinet-output"
    static let fields: [Field<Settings>] =
      [
        Field("to", \.to, UniverseFields.host, change: .rebuild, "Where to."), addressField, rateField,
        endSceneField,
      ] + endFields
    init() {}
  }

  private final class Stream: UniverseStream {
    private let packet: KinetPacket
    init(_ universe: Int) { packet = KinetPacket(universe: universe) }
    var slots: UnsafeMutableBufferPointer<UInt8> { packet.slots }
    func next() -> UnsafeRawBufferPointer { packet.next() }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .light], "Levels 0…1, a slot each; or light.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    UniverseFields.checkEnd(shaping)
    UniverseFields.check(shaping.settings.all.address, last: SlotAddress.universes.upperBound, shaping)
    return []
  }

  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    settings.endChoice
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let places = UniversePlaces(context.inputs[0], address: settings.address)!
    let outlet = context.datagrams(to: try UniverseFields.endpoint(settings.to, port: KinetPacket.port))
    let destination = PacketDestination(name: settings.to, outlets: places.universes.map { _ in outlet })
    let route = context.universeRoute("kinet \(settings.to)", places, to: [destination]) {
      places.universes.map(Stream.init)
    }
    return NodeParts(
      frame: OutputFrame(
        context, routes: [route], master: settings.master, endScene: settings.lastScene,
        sendsInFreewheel: settings.freewheel == .send,
        begin: {
          route.settings = settings.ofRoute
          route.take(places)
        }))
  }
}
