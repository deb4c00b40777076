import Engine
import Graphs
import Realtime

/// Mixes channels down to fewer channels.
enum Mix: RunnableNode {
  static let name = "mix"
  static let help = """
    Mixes any number of channels down to fewer: with n channels out, channel k takes every n-th channel in, beginning \
    with the k-th. Eight channels to two: the odd ones left, the even ones right. A channel that leaves is named by \
    what the names of the channels in it have in common. If they have nothing in common, a single one has the id of \
    this node. `names` overrides this.
    """

  /// How channels are added.
  enum MixMethod: String, FieldChoice {
    case mean, sum
    var help: String {
      switch self {
      case .mean: "divided by their number, so that the mix is never louder than its loudest channel"
      case .sum: "added as they are"
      }
    }
  }

  struct Settings: FieldRecord {
    var channels = 1
    var by = MixMethod.mean
    var names: [String] = []

    static let recordName = "mix"
    static let fields: [Field<Settings>] = [
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave."),
      Field("by", \.by, "How channels add up."),
      Field(
        "names", \.names, .channelNames(),
        "The names of the channels that leave; by default what the names of the channels in them have in common."
      ),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The channels to mix.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The mix.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let width = shaping.settings.all.channels
    let inputCount = shaping.inputs[0].channels.count
    if width > inputCount {
      shaping.report(
        "mix-widens", "channels",
        "a mix makes fewer channels of many: \(inputCount) arrive, \(width) cannot leave; one channel goes to all by "
          + "itself wherever more are needed")
      return [Channel.numbered(max(1, inputCount))]
    }
    let names = (0..<width).map { channel in
      Channel.commonName(
        of: stride(from: channel, to: inputCount, by: width).map { shaping.inputs[0].channels[$0] })
    }
    // Names are used only if all are different. A single channel without a name gets the node's id.
    let areDistinct = Set(names.compactMap { $0 }).count == names.count { $0 != nil }
    let channels = names.enumerated().map { index, name in
      Channel(index + 1, name: width == 1 ? name ?? shaping.id : areDistinct ? name : nil)
    }
    return [shaping.named(channels, by: shaping.settings.all.names)]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    Array(stride(from: channel, to: shaping.inputs[0].channels.count, by: shaping.settings.all.channels))
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let state = context.keep { BlockState(MixBlock()) }
    let width = context.settings.all.channels
    let factors = (0..<width).map { channel in
      let parts = (context.inputs[0].channels.count - channel + width - 1) / width
      return context.settings.all.by == .mean ? 1 / Float(max(1, parts)) : 1
    }
    return NodeParts(block: BlockPart(MixBlock.self, state) { .init(factors: $0.array(factors)) })
  }
}
