import Engine
import Graphs
import OSC

/// Sends levels and events by OSC.
enum OscOutput: RunnableNode {
  static let name = "osc-output"
  static let off: (setting: String, value: String, help: String)? = (
    "master", "0", "its values are those of a master of 0, and events are held back"
  )
  static let role: NodeRole? = .sender
  static let help = """
    Sends levels by OSC over UDP or TCP: one message per channel with one float, or all in one. Levels 0…1 are \
    clamped, dBFS goes out as it is, NaN is never sent. After a rest the first change is sent at once, then changes \
    at most `rate` times a second; the last value is never lost, and unchanged values are repeated. Once the sound is \
    idle, the values fall as the meters do, and end with one exact 0.

    A TCP connection is opened again within 2 s after its receiver is back. A receiver that does not read delays no \
    other: its packets are dropped and counted, and when it reads again it gets all current values.

    In a blackout \(dimmed.map { "\($0.name) are \($0.inBlackout)" }.joined(separator: "; ")). The master: \
    \(dimmed.map { "\($0.name) are \($0.underMaster)" }.joined(separator: "; ")).
    """
  private static let dimmed: [Dimmed] = [.levels, .decibels, .numbers, .events]

  struct Settings: FieldRecord {
    var to = OscTargets()
    var address = "/visgraph/{node}/{channel}"
    /// The address template of events.
    var eventAddress = "/visgraph/{node}/{source}/{event}/{channel}"
    /// How levels become packets, for all targets that do not override it.
    var sending = SendSettings()
    /// The names of the stated settings: `address` and those in `sending`.
    var stated: Set<String> = []
    /// The defaults for a receiver, for settings that are not stated.
    var preset: OscPreset?
    /// The interface by which multicasts leave; nil: by the routes of the system.
    var interface: String?
    /// The maximum number of hops (TTL) of multicasts; nil: that of the system.
    var hops: Int?
    /// The scene in whose look the receivers are left.
    var endScene: String?
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "osc-output"
    static let fields: [Field<Settings>] = [
      Field(
        "to", \.to, change: .rebuild,
        "The targets: HOST:PORT, or osc.tcp://HOST:PORT/ by TCP with a size before each packet (OSC 1.0), "
          + "osc.slip://HOST:PORT/ by TCP "
          + "as SLIP (OSC 1.1), osc.unix:///PATH to a Unix socket; one or a list, or maps with settings of their "
          + "own. A host may be a multicast group (239.0.0.1) or a network's broadcast address."),
      Multicasts.interface(\.interface), Multicasts.hops(\.hops),
      Field(
        "address", \.statedAddress, OscText.address("node", "source", "channel", "name"), change: .rebuild,
        "The address: {node} is this node's id, {source} the id of the node wired in, {channel} counts from 1, {name} "
          + "is the channel's name. With `send: vector` it has no {channel}, and is /visgraph/{node} by default."
      ),
      Field(
        "eventAddress", \.eventAddress, OscText.address("node", "source", "channel", "name", "event"),
        change: .rebuild,
        "The address of events that arrive at the port `events`; {event} is the event's name."),
      Field(
        "preset", \.preset, change: .rebuild,
        "What a console or program needs, for those of these settings that are not stated: `address`, `argument`, "
          + "`values`, `arguments`, `packet`, `bundle`."),
      SendFields.form.general, SendFields.argument.general, SendFields.values.general,
      SendFields.arguments.general, SendFields.bundle.general, SendFields.packet.general,
      SendFields.rate.general,
      SendFields.change.general, SendFields.again.general,
      Field(
        "zeroOnStop", \.sending.zeroOnStop, change: .rebuild,
        "Sends one exact 0 for every channel at the end; for dBFS -160, and for a number its value while nothing plays."
      ),
      Field(
        "endScene", \.endScene, .text(),
        "The scene that is left at the end in place of the 0 of `zeroOnStop`: its first frame while nothing plays, "
          + "with master and blackout applied."),
      Field("freewheel", \.freewheel, "What happens while the host runs faster than real time."),
      Field(
        "master", \.master, .number(.none, 0...1),
        "A master of this output alone, multiplied by that of the show; it acts as described above."
      ),
    ]
    init() {}

    /// How levels become packets: as stated, otherwise by the preset.
    var filled: SendSettings {
      var filled = sending
      preset?.fill(&filled, stated: stated)
      return filled
    }

    /// The address template of a target.
    func address(for target: OscTarget) -> String {
      if let own = target.address ?? target.preset?.address { return own }
      return statesAddress ? address : preset?.address ?? address
    }

    /// Whether the address is stated; else it is the preset's.
    var statesAddress: Bool { stated.contains("address") }

    /// The address; what sets it states it.
    fileprivate var statedAddress: String {
      get { address }
      set {
        address = newValue
        stated.insert("address")
      }
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.level, .decibels, .number], "Levels of any kind."),
      InputPort(
        "events", [.event], required: false,
        "Events; each is one message with the number 1, held back in a blackout and where the graph limits flashes."
      ),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func sceneChoice(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    settings.endScene.map { ("endScene", .named($0)) }
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.to.all.isEmpty {
      shaping.report("no-target", nil, "an osc-output needs a `to`, such as `to: 127.0.0.1:7700`")
    }
    do { _ = try OscEvents.template(settings.eventAddress, event: "event") } catch {
      shaping.report(error.code, "eventAddress", "\(error)")
    }
    var check = OscTargetCheck(shaping)
    check.check()
    return []
  }

  /// The address template of a target. For a vector, the default address has no {channel}, also where it is stated.
  static func template(_ settings: Settings, _ target: OscTarget) throws(OSCError) -> AddressTemplate {
    let text = settings.address(for: target)
    if target.sending(over: settings.filled).send == .vector && text == Settings().address {
      return try AddressTemplate("/visgraph/{node}")
    }
    return try AddressTemplate(text)
  }

  /// The addresses of a target's messages: one for each channel; a single one for a vector.
  static func addresses(
    _ target: OscTarget, _ settings: Settings, id: String, channels: [Channel], upstream: [String]
  ) throws(OSCError) -> [String] {
    let template = try template(settings, target)
    return placeholderValues(target, settings, id: id, channels: channels, upstream: upstream).map(
      template.expand)
  }

  /// The values of placeholders in each message of a target.
  private static func placeholderValues(
    _ target: OscTarget, _ settings: Settings, id: String, channels: [Channel], upstream: [String]
  ) -> [AddressTemplate.Values] {
    let isVector = target.sending(over: settings.filled).send == .vector
    return (isVector ? Array(channels.prefix(1)) : channels).enumerated().map { index, channel in
      .init(node: id, source: upstream[index], channel: index + 1, name: channel.name ?? "\(index + 1)")
    }
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let routes = try settings.to.all.map { target in try makeRoute(target, context) }
    let sending = settings.to.all.map { $0.sending(over: settings.filled) }
    return NodeParts(
      frame: OutputFrame(
        context, routes: routes, master: settings.master, endScene: settings.endScene,
        sendsInFreewheel: settings.freewheel == .send,
        begin: {
          for (route, sendSettings) in zip(routes, sending) { route.sender.adjust(to: sendSettings) }
        },
        events: OscEvents(context, through: routes)))
  }

  private static func makeRoute(_ target: OscTarget, _ context: NodeContext<Settings>) throws -> OscRoute {
    let settings = context.settings.all
    let send = target.sending(over: settings.filled)
    let channels = context.inputs[0].channels
    let addresses = try addresses(
      target, settings, id: context.id, channels: channels, upstream: context.upstream(0))
    let endpoint = try Endpoint(target.to, streams: true)
    let (interface, hops) = (target.interface ?? settings.interface, target.hops ?? settings.hops)
    // Requested in every plan, also where the route is kept: objects that no plan requests are released.
    let outlet = context.outlet(to: endpoint, interface: interface, hops: hops)
    let lightsKey = "\(endpoint) \(interface ?? "") \(addresses.joined(separator: " "))"
    let lights = context.share("lights of \(context.id) \(lightsKey)") {
      OscRoute.KeptLights()
    }
    // A route is kept while the texts of its messages stay the same. Renamed channels change them.
    let placeholderValues = placeholderValues(
      target, settings, id: context.id, channels: channels, upstream: context.upstream(0))
    let messageTexts = send.arguments.isEmpty ? addresses : addresses + placeholderValues.map { "\($0)" }
    return try context.keep(if: { $0.messageTexts == messageTexts && $0.delay == target.delay }) {
      OscRoute(
        endpoint: endpoint,
        sender: try Sender(
          addresses: addresses, channels: channels.count, settings: send, places: placeholderValues),
        addresses: addresses, messageTexts: messageTexts, delay: target.delay, lights: lights, outlet: outlet)
    }
  }
}
