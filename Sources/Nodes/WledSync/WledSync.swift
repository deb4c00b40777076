import DMX
import Engine
import Graphs
import Metering
import OSC
import Realtime

/// Sends the sound to lamps that run WLED, by its audio sync.
enum WledSync: RunnableNode {
  static let name = "wled-sync"
  static let off = SacnOutput.off
  static let role: NodeRole? = .sender
  static let help = """
    Sends what is heard to lamps that run WLED, by its audio sync (version 2, UDP port 11988), so that their \
    sound-reactive effects need no microphone: the level, 16 bands from 43 to 9259 Hz, the strongest frequency, and \
    beats. Several channels are averaged. Levels between `from` and `full` become 0 to 255; a full-scale sine is 0 dB. \
    A beat is an event at `peak`, or, if none is wired, a level that rises well above what it was. Lamps have to be \
    set to receive.

    A packet goes out every frame, every second or every third and so on, as `rate` lets it, 50 a second at most. In \
    a blackout and at the end it is one of silence; the master reduces levels and bands.
    """
  static let example: String? = """
    lamps: { type: wled-sync, to: multicast, interface: eth0 }   # all lamps of the network that receive
    lamp:  { type: wled-sync, to: 10.0.0.23, from: -40 dB }
    """

  struct Settings: LightOutputSettings {
    var to: [String] = []
    var interface: String?
    var from = -50.0
    var upper = 0.0
    var rate = 50.0
    var atEnd = OutputEnd.dark
    var freewheel = OutputFreewheel.hold
    var master: Float = 1

    static let recordName = "wled-sync"
    static let fields: [Field<Settings>] =
      [
        Field(
          "to", \.to, .oneOf([UniverseFields.host, .list(UniverseFields.host, count: 1...64)]),
          change: .rebuild,
          "The receivers: `multicast`, for all lamps of the network, or lamps as HOST or HOST:PORT; one or a list."
        ),
        Multicasts.interface(\.interface),
        Field("from", \.from, .number(.decibels, -120...0), "The level that becomes 0."),
        Field("full", \.upper, .number(.decibels, -60...20), "The level that becomes 255."),
        Field(
          "rate", \.rate, .number(.perSecond, 1...WledSyncPacket.rate), "The most packets a second."),
      ] + endFields
    init() {}
  }

  static let multicast = "multicast"

  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("in", [.audio], "What lamps hear: the mean of all channels."),
      InputPort("peak", [.event], required: false, "Events that are beats, such as those of an `onset`."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if settings.to.isEmpty {
      shaping.report(
        "no-target", nil, "a wled-sync needs a `to`, such as `to: 10.0.0.23` or `to: multicast`")
    }
    if settings.from >= settings.upper {
      shaping.report(
        "empty-range", "full",
        "the range would end at \(shortest(settings.upper)) dB, not above where it begins")
    }
    return []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let rate = context.configuration.sampleRate
    let channels = context.inputs[0].channels.count
    let ear = context.keep { WledEar(rate: Double(rate)) }
    let tap = context.keep { TapBlock.tap(channels: channels, lookingBack: ear.length, rate: rate) }
    let block = context.keep { BlockState(TapBlock(tap.writer)) }
    let destinations = try settings.to.map { text in
      let endpoint =
        text == multicast
        ? try Endpoint(host: WledSyncPacket.group, port: WledSyncPacket.port)
        : try UniverseFields.endpoint(text, port: WledSyncPacket.port)
      return PacketDestination(
        name: text, outlets: [context.datagrams(to: endpoint, interface: settings.interface)])
    }
    let lights = context.share("lights of \(context.id) wled-sync \(settings.to) \(settings.interface ?? "")")
    { UniverseRoute.KeptLights() }
    let sender = context.keep { WledSyncSender() }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() },
      frame: WledSyncFrame(context, ear, tap, to: destinations, by: sender, lights: lights))
  }
}
