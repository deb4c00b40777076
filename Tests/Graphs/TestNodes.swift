import Graphs
import Particles

/// Node types of these tests only, modeled on the real ones.
let testCatalogue = Catalog(types: [
  Tone.self, Gauge.self, Curve.self, Blend.self, Sprinkler.self, Speaker.self, Postman.self, Clicker.self,
])

/// A source with `channels`.
enum Tone: NodeType {
  struct Settings: FieldRecord {
    var channels = 1
    var names: [String] = []
    var frequency = 440.0
    var gain = 0.0
    var path = GraphFile()
    static let recordName = "tone"
    static let fields: [Field<Settings>] = [
      Field(
        "channels", \.channels, .number(.none, 1...64, whole: true), change: .rebuild, "How many channels."),
      Field("names", \.names, .list(.text(), count: 0...64), change: .rebuild, "Names of the channels."),
      Field("frequency", \.frequency, .number(.hertz, 1...20000), each: true, "How high it is."),
      Field("gain", \.gain, .number(.decibels, -120...20), each: true, "How loud it is."),
      Field("path", \.path, change: .rebuild, "A file, if any."),
    ]
  }
  static let name = "tone"
  static let help = "Plays a steady tone. It stands for every source of sound."
  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("audio", .type(.audio), "The tone.")]
  }
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    if shaping.settings.all.path.text == "missing.wav" {
      shaping.report("file-not-found", "path", "there is no file missing.wav")
    }
    return [Channel.numbered(shaping.settings.all.channels, names: shaping.settings.all.names)]
  }
}

/// Modeled on a meter: audio in, dBFS out, a second output.
enum Gauge: NodeType {
  enum Mode: String, FieldChoice {
    case peak, average
    var help: String { self == .peak ? "the highest sample" : "the root of the mean square" }
    static var aliases: [String: Mode] { ["rms": .average] }
  }
  struct Settings: FieldRecord {
    var release = 0.3
    var mode = Mode.peak
    var hold: Double?
    var enabled = true
    static let recordName = "gauge"
    static let fields: [Field<Settings>] = [
      Field(
        "release", \.release, .number(.seconds, 0...60), each: true, aliases: ["decay"], "How fast it falls."),
      Field("mode", \.mode, each: true, "What is measured."),
      Field("hold", \.hold, .number(.seconds, 0...10), "How long a peak stays."),
      Field("enabled", \.enabled, "Whether it measures."),
    ]
  }
  static let name = "gauge"
  static let aliases = ["vu"]
  static let help = "Measures levels."
  static let example: String? = "meter: { type: gauge, release: 250 ms }"
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("audio", [.audio], "What is measured.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("level", .type(.decibels), "The level."),
      OutputPort("peak", .type(.decibels), "The held peak."),
    ]
  }
}

/// Modeled on a meter table: dBFS in, 0…1 out.
enum Curve: NodeType {
  struct Settings: FieldRecord {
    var minimum = -80.0
    var root: Float = 2
    static let recordName = "curve"
    static let fields: [Field<Settings>] = [
      Field("minimum", \.minimum, .number(.decibels, -160 ... -1), change: .rebuild, "What counts as 0."),
      Field("root", \.root, .number(.none, 0.1...10), "How the curve bends."),
    ]
  }
  static let name = "curve"
  static let help = "Turns dBFS into 0…1."
  static func inputs(_ settings: Settings) -> [InputPort] { [InputPort("level", [.decibels], "A level.")] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("level", .type(.level), "The same, 0…1.")]
  }
}

/// Modeled on a mixer: as many inputs as set, as wide as the first.
enum Blend: NodeType {
  struct Settings: FieldRecord {
    var inputs = 2
    static let recordName = "blend"
    static let fields: [Field<Settings>] = [
      Field("inputs", \.inputs, .number(.none, 1...16, whole: true), change: .rebuild, "How many inputs.")
    ]
  }
  static let name = "blend"
  static let help = "Adds sounds."
  static func inputs(_ settings: Settings) -> [InputPort] {
    (1...settings.inputs).map {
      InputPort("in\($0)", [.audio], width: $0 == 1 ? .own : .asFirst, required: $0 == 1, "Sound \($0).")
    }
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("audio", .type(.audio), "The sum.")]
  }
}

/// Modeled on an emitter: records in records, a list of records, a second level input.
enum Sprinkler: NodeType {
  struct Cell: FieldRecord, FieldValue {
    var birthRate = 0.0
    var lifetime = 0.0
    var color = Color(red: 1, green: 1, blue: 1)
    var contents = GraphFile()
    var cells = Named<Cell>()
    static let recordName = "cell"
    static let fields: [Field<Cell>] = [
      Field("birthRate", \.birthRate, .number(.perSecond, 0...100_000), "Particles born a second."),
      Field("lifetime", \.lifetime, .number(.seconds, 0...3600), "How long one lives."),
      Field("color", \.color, "The color."),
      Field("contents", \.contents, "The picture."),
      Field("cells", \.cells, aliases: ["emitterCells"], "Cells that each particle emits."),
    ]
  }
  struct Drive: FieldRecord, FieldValue {
    var key = ""
    var from = [0.0, 1]
    var to = [0.0, 1]
    static let recordName = "drive"
    static let fields: [Field<Drive>] = [
      Field("key", \.key, "What is driven."),
      Field("from", \.from, .list(.number(.none, -1e6...1e6), count: 2...2), "The level's range."),
      Field("to", \.to, .list(.number(.none, -1e6...1e6), count: 2...2), "The number's range."),
    ]
  }
  struct Settings: FieldRecord {
    var cells = Named<Cell>()
    var drive: [Drive] = []
    var x = 0.0
    static let recordName = "sprinkler"
    static let fields: [Field<Settings>] = [
      Field("cells", \.cells, change: .rebuild, aliases: ["emitterCells"], "What it emits."),
      Field("drive", \.drive, "What levels do."),
      Field("x", \.x, .number(.pointsAcross, -1e6...1e6), "Where it stands."),
    ]
  }
  static let name = "sprinkler"
  static let help = "Emits particles."
  static func inputs(_ settings: Settings) -> [InputPort] {
    [
      InputPort("level", [.level], "The level that drives."),
      InputPort("move", [.level], width: .asFirst, required: false, "A second level."),
    ]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
}

/// Modeled on a sound output.
enum Speaker: NodeType {
  struct Settings: FieldRecord {
    static let recordName = "speaker"
    static let fields: [Field<Settings>] = []
  }
  static let name = "speaker"
  static let help = "Makes it heard."
  static func inputs(_ settings: Settings) -> [InputPort] { [InputPort("audio", [.audio], "What is heard.")] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
}

/// Modeled on an OSC output: takes dBFS or 0…1, one or several targets.
enum Postman: NodeType {
  struct Settings: FieldRecord {
    var to: [String] = []
    static let recordName = "postman"
    static let fields: [Field<Settings>] = [
      Field("to", \.to, .oneOf([.text(pattern: ":[0-9]+$"), .list(.text(), count: 0...32)]), "Where to.")
    ]
  }
  static let name = "postman"
  static let help = "Sends levels."
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("level", [.decibels, .level], "What is sent.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("level", .asFirstInput, "The same.")]
  }
}

/// Gives events.
enum Clicker: NodeType {
  struct Settings: FieldRecord {
    static let recordName = "clicker"
    static let fields: [Field<Settings>] = []
  }
  static let name = "clicker"
  static let help = "Finds beats."
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("audio", [.audio], "Where beats are.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [OutputPort("beat", .type(.event), "A beat.")] }
}
