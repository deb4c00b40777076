import Engine
import Graphs
import Realtime

/// Gives sound to JACK by one port per channel.
enum JackOutput: RunnableNode {
  static let name = "jack-output"
  static let role: NodeRole? = .hostOutput
  static let help = """
    Gives sound to JACK: registers one port per channel, `ID_1`, `ID_2` and so on, and connects them to the \
    loudspeakers unless `connect` states something else. Without a sound server it does nothing.
    """

  struct Settings: FieldRecord {
    var names: [String] = []
    var connect = ConnectSetting.physical

    static let recordName = "jack-output"
    static let fields: [Field<Settings>] = [
      Field(
        "names", \.names, .list(.text(), count: 0...512),
        "Names of the channels, shown in patchbays; by default the names that arrive by the wires."),
      Field("connect", \.connect, "What the ports are connected to, now and whenever it appears."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound to play.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    if shaping.settings.all.connect == .speakers {
      shaping.report(
        "speakers-are-for-inputs", "connect",
        "`speakers` follows what feeds the loudspeakers and is for inputs; `physical` connects to them")
    }
    return []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let state = context.keep { BlockState(JackOutputBlock()) }
    let names = context.settings.all.names
    let ports = context.inputs[0].channels.enumerated().map { index, channel in
      PortRequest(
        .output, label: index < names.count ? names[index] : channel.name,
        connect: context.settings.all.connect.rule(channel: index))
    }
    return NodeParts(block: BlockPart(JackOutputBlock.self, state, ports: ports) { _ in .init() })
  }
}
