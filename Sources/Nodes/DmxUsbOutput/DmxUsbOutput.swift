import DMX
import Engine
import Graphs
import OSC

/// Sends levels as one DMX universe to a USB interface.
enum DmxUsbOutput: RunnableNode {
  static let name = "dmx-usb-output"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends levels 0…1 as one universe of DMX to a USB interface: an Enttec DMX USB Pro, or one that is compatible. The \
    first channel is the slot `address`, the others follow, up to slot 512; 0 is 0, 1 is 255. Of the light of \
    `lights` it sends what the patch has in the universe of `address`, and leaves the rest to other outputs. A change \
    goes out at once, then at most `rate` times a second, in whole frames; the interface repeats by itself what it \
    has. A device that is pulled out is looked for until it is back. At the end the lights go out; if the process is \
    killed by force, the interface goes on with what it has.

    A device belongs to one output of a graph. In a blackout \(Dimmed.levels.name) are \
    \(Dimmed.levels.inBlackout); under the master they are \(Dimmed.levels.underMaster).
    """
  static let example: String? = """
    lamps: { type: dmx-usb-output, device: /dev/ttyUSB0, address: 1/1 }
    """

  struct Settings: UniverseSettings {
    var device = ""
    var address = "1/1"
    var rate = 44.0
    var atEnd = OutputEnd.dark
    var endScene: String?
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "dmx-usb-output"
    static let fields: [Field<Settings>] =
      [
        Field(
          "device", \.device,
          .text(pattern: "^/dev/[A-Za-z0-9._:/+@-]{1,200}$", form: "/dev/NAME", isChecked: true),
          change: .rebuild,
          "The serial device, such as /dev/ttyUSB0; the names in /dev/serial/by-id stay when others are plugged in."
        ),
        addressField, rateField,
      ] + [endSceneField] + endFields
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .light], "Levels 0…1, a slot each; or light.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    UniverseFields.checkEnd(shaping)
    if settings.device.isEmpty {
      shaping.report("no-target", nil, "a dmx-usb-output needs a `device`, such as `device: /dev/ttyUSB0`")
    }
    let input = shaping.inputs[0]
    if input.type == .light {
      let universe = SlotAddress(settings.address)?.universe
      let universes = Set(input.channels.compactMap(\.light?.universe)).sorted()
      if let universe, !universes.isEmpty, !universes.contains(universe) {
        shaping.report(
          "slot-address", "address",
          "no light is for the universe \(universe) of `address`; there is some for \(universes.map(String.init).joined(separator: ", "))"
        )
      }
    } else {
      let first = SlotAddress(settings.address)
      UniverseFields.check(
        settings.address, last: first?.universe ?? SlotAddress.universes.upperBound, shaping)
    }
    return []
  }

  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    settings.endChoice
  }

  static func claims(_ settings: Settings, inputs: [CheckedInput]) -> [(setting: String, claim: String)] {
    settings.device.isEmpty ? [] : [("device", settings.device)]
  }

  /// The packets of the universe.
  private final class Stream: UniverseStream {
    private let packet = EnttecPacket()
    var slots: UnsafeMutableBufferPointer<UInt8> { packet.slots }
    func next() -> UnsafeRawBufferPointer { packet.bytes }
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let device = settings.device
    // The graph check has accepted the address.
    let places = UniversePlaces(context.inputs[0], address: settings.address, isAlone: true)!
    let outlet = context.outlet { context.share("serial device \(device)") { SerialSink(device) } }
    let destination = PacketDestination(name: device, outlets: [outlet])
    let route = context.universeRoute("serial \(device)", places, to: [destination]) {
      [Stream()]
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
