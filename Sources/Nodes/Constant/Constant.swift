import Engine
import Graphs
import Particles

/// Outputs constant levels, or the components of a constant color.
enum Constant: RunnableNode {
  static let name = "constant"
  static let off: (setting: String, value: String, help: String)? = (
    "value", "0", "its levels are 0"
  )
  static let help = """
    Gives levels that stay as they are set: `value`, for all channels or for each of its own. With `parts: rgb` they are \
    the parts of `color`, each times `value`, in channels named red, green and blue. Scenes, cues, faders and messages \
    change both while it runs.
    """

  /// The components that it outputs.
  enum Parts: String, FieldChoice {
    case level, rgb, rgba, rgbw
    var help: String {
      switch self {
      case .level: "the value"
      case .rgb: Gradient.Parts.rgb.help
      case .rgba: Gradient.Parts.rgba.help
      case .rgbw: Gradient.Parts.rgbw.help
      }
    }
    /// The components of a color; nil: a level alone.
    var ofColor: Gradient.Parts? { Gradient.Parts(rawValue: rawValue) }
  }

  struct Settings: FieldRecord {
    /// The level, 0…1; it multiplies the components of a color.
    var value = 1.0
    /// The number of channels; not for colors.
    var channels = 1
    var names: [String] = []
    var parts = Parts.level
    var color = Color()
    var encoding = Gradient.Encoding.srgb

    static let recordName = "constant"
    static let fields: [Field<Settings>] = [
      Field(
        "value", \.value, .number(.ratio, 0...1), each: true,
        "The level; the parts of a color are multiplied by it."),
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave; a color has its own."),
      Field("names", \.names, .channelNames(), "The names of the channels."),
      Field("parts", \.parts, change: .rebuild, "The levels that leave."),
      Field("color", \.color, "The color, where `parts` are those of one."),
      Field("encoding", \.encoding, "How the numbers of a color are meant."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The levels, or the parts of the color, each 0…1.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    guard let parts = settings.parts.ofColor else {
      return [shaping.named(Channel.numbered(settings.channels), by: settings.names)]
    }
    if settings.channels != 1 {
      shaping.report(
        "channels-of-a-color", "channels",
        "`parts: \(settings.parts.rawValue)` makes \(parts.names.count) channels of one color; leave `channels` out"
      )
    }
    let channels = parts.names.enumerated().map { Channel($0.offset + 1, name: $0.element) }
    return [shaping.named(channels, by: settings.names)]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let outputs = context.levelOutputs[0]
    let settings = context.settings
    let color = settings.all.parts.ofColor.map {
      ColorParts.numbers(of: settings.all.color, as: $0, settings.all.encoding)
    }
    let levels = outputs.indices.map { channel in
      Float((color?[channel] ?? 1) * settings[channel].value)
    }
    return NodeParts(
      frame: LevelFunction { frame in
        for (channel, output) in outputs.enumerated() { frame.levels[output] = levels[channel] }
      })
  }
}
