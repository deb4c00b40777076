import Engine
import Graphs
import Playback
import Realtime

/// Takes sound from JACK by one port per channel.
enum JackInput: RunnableNode {
  static let name = "jack-input"
  static let role: NodeRole? = .hostInput
  static let help = """
    Takes sound from JACK: registers one port per channel, `ID_1`, `ID_2` and so on. It is connected to nothing \
    unless `connect` names something. Without a sound server its ports stay silent; `visgraph render --input ID=FILE` \
    plays a file in its place.
    """

  struct Settings: FieldRecord {
    /// The number of channels; nil: as many as there are names, otherwise 2.
    var channels: Int?
    var names: [String] = []
    var connect = ConnectSetting.none

    static let recordName = "jack-input"
    static let fields: [Field<Settings>] = [
      Field(
        "channels", \.channels, .number(.none, 1...512, whole: true), change: .rebuild,
        "How many channels; by default as many as there are names, otherwise 2."),
      Field(
        "names", \.names, .list(.text(), count: 0...512), change: .rebuild,
        "Names of the channels, usable in wires. In JACK a port is `ID_N`; its channel's name is its pretty name, "
          + "which JACK gets half a second or more after the port appears, for at most 64 ports: a patchbay that "
          + "reads names once shows `ID_N`."
      ),
      Field("connect", \.connect, "What the ports are connected to, now and whenever it appears."),
    ]
    init() {}

    /// The channels: as many as stated, as many as there are names, or 2.
    var stated: [Channel] { Channel.numbered(channels ?? (names.isEmpty ? 2 : names.count), names: names) }
  }

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The sound that arrives at the ports.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    if let channels = settings.channels, settings.names.count > channels {
      shaping.report(
        "more-names-than-channels", "names",
        "\(settings.names.count) names for \(channels) channels; remove `channels` or name fewer")
    }
    return [settings.stated]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels
    if let path = context.configuration.inputFiles[context.id] {
      return try PlayedFile.makeParts(
        context, paths: [path], settings: PlayerSettings(), channels: channels.count, isStandIn: true)
    }
    let state = context.keep { BlockState(JackInputBlock(channels: channels.count)) }
    let source = context.claimSources(channels.count)
    let ports = channels.enumerated().map { index, channel in
      PortRequest(.input, label: channel.name, connect: context.settings.all.connect.rule(channel: index))
    }
    return NodeParts(
      block: BlockPart(JackInputBlock.self, state, firstSource: source, ports: ports) { _ in .init() })
  }
}
