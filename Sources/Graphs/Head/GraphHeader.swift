internal import Particles

/// The settings of a graph as a whole.
struct GraphHeader: FieldRecord {
  var name: String?
  var client: String?
  var fps = FrameRate(60)
  var stage = Stage()
  var control = ControlSettings()
  var view = ViewSettings()
  var identity = GraphIdentity()
  var requires = GraphRequirements()
  var flashes: Int?
  var patch: [FixtureSettings] = []
  var main: String?
  var scenes = Named<SceneSettings>()
  var cues = CueList()
  var tracking = true
  var clock: [AlarmSettings] = []
  var hooks = ShowHooks()

  static let recordName = "graph file"
  static let fields: [Field<GraphHeader>] = [
    Field(
      "name", \.name, .text(pattern: "^.{1,200}$", form: "1 to 200 characters"), change: .live,
      "The name of the graph; by default that of its file."),
    Field(
      "fps", \.fps, change: .rebuild,
      "Frames per second: how often levels are sent and pictures drawn. 1…1000, or a fraction such as 30000/1001."
    ),
    Field("stage", \.stage, change: .rebuild, "What pictures show."),
    Field(
      "client", \.client, .text(pattern: "^[^:]{1,63}$", form: "1 to 63 characters, none of them a colon"),
      change: .restart,
      "The name of the JACK client; by default visgraph."),
    Field(
      "control", \.control, change: .restart,
      "Where OSC messages that control the show are taken, who may send them, and which programs are sent its state."
    ),
    Field(
      "view", \.view, change: .restart,
      "Where the pages are served, stage and desk, who may open them, and with which key."),
    Field(
      "id", \.identity.id,
      .text(pattern: "^[A-Za-z0-9._-]{1,200}$", form: "1 to 200 letters, digits, dots, - and _"),
      "The identifier by which programs know the graph, such as org.example.museum; it stays when the name changes."
    ),
    Field(
      "version", \.identity.version, Self.line,
      "The version of the graph, in whatever form its author counts."),
    Field("author", \.identity.author, Self.line, "Who made it."),
    Field(
      "description", \.identity.description, .text(pattern: "^(?s:.{1,4000})$", form: "1 to 4000 characters"),
      "What it is, in a few sentences."),
    Field(
      "licence", \.identity.licence, Self.line, aliases: ["license"], "Under which terms it may be used."),
    Field("requires", \.requires, "What it needs to run: node types, sample rates, channels of sound."),
    Field(
      "flashes", \.flashes, .number(.none, flashRange, whole: true),
      "The most flashes a second (WCAG asks for 3 at most) of each level 0…1 that goes to lights, of the stage, and of the "
        + "events of an output; by default without a limit."),
    Field(
      "patch", \.patch, .list(FixtureSettings.kind, count: 0...1000), change: .rebuild,
      "The patched fixtures, row by row: what each slot does and where it begins. Nodes of the type lights light "
        + "them."),
    Field(
      "main", \.main, .text(),
      "The scene that the show starts in; by default none, with the settings of the nodes."),
    Field(
      "scenes", \.scenes,
      "Scenes by name: settings of nodes by their paths, such as { sparks.birthRate: 2 }, and which nodes are off. A "
        + "setting that only other scenes set has in this one the value of its node."),
    Field(
      "cues", \.cues,
      "Cues by number, such as { 1: { scene: calm }, 2.5: { scene: storm } }, or the file that holds them. "
        + "/visgraph/cue/go and the key g step through them in the order of their numbers."),
    Field(
      "tracking", \.tracking,
      "Whether /visgraph/cue/goto and back restore the look that all cues before would have led to, as a tracking console "
        + "does; false: a cue does only what it states itself, and what others have done stays."),
    Field(
      "clock", \.clock, .list(AlarmSettings.kind, count: 0...Limits.alarms),
      "What is done at a time of day, such as [{ at: 22:00, scene: night }]."),
    Field(
      "hooks", \.hooks,
      "What is done by itself when something happens to the show as a whole, such as { silence: /visgraph/scene calm 5 }: a "
        + "message or a list of them, to this show as its control port takes them, or to another program."),
  ]
  /// The range of the limit `flashes`, in flashes per second.
  static let flashRange = 1.0...30.0
  private static var line: ValueKind { .text(pattern: "^.{1,500}$", form: "1 to 500 characters") }
  /// Keys of the top level that are read elsewhere.
  static let others = ["visgraph", "values", "nodes", "wires"]
}

extension Stage: FieldRecord, FieldValue {
  /// The name of the record in the docs.
  public static let recordName = "stage"
  /// The fields, in the order of the docs.
  public static let fields: [Field<Stage>] = [
    Field(
      "size", \.size, change: .rebuild,
      "Width and height in points, such as 1280x720. Pictures of any size show the same."),
    Field(
      "background", \.backdrop, change: .live,
      "What is behind everything: a color, or a picture (PNG) that covers the stage. What ends in .png or holds a / "
        + "is a picture, relative to this file."),
    Field(
      "tone", \.tone, change: .live, "What becomes of more light than a screen can show."),
    Field(
      "arrange", \.arrange, change: .live,
      "Where the emitters of a node's channels stand on the stage; a `position` of the emitter overrides it."
    ),
    Field(
      "margin", \.margin, .number(.ratio, 0...0.5), change: .live,
      "What stays free at each edge when emitters are arranged, in parts of the stage's width and height."),
  ]

  private var size: PictureSize {
    get { PictureSize(width: width, height: height) }
    set { (width, height) = (newValue.width, newValue.height) }
  }

  private var backdrop: StageBackground {
    get {
      picture.map(StageBackground.picture) ?? .color(background)
    }
    set {
      switch newValue {
      case .color(let color): (background, picture) = (color, nil)
      case .picture(let file): (background, picture) = (Stage().background, file)
      }
    }
  }
}

extension FrameRate: FieldValue {
  /// The allowed rates, in Hz.
  static let range = 1.0...1000

  /// The default kind of a field of this type.
  public static var kind: ValueKind {
    .oneOf([.number(.none, range), .text(pattern: "^[0-9]+(\\.[0-9]+)?(/[0-9]+)?$")])
  }

  /// Reads the value; nil after reporting a fault. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> FrameRate? {
    if let rate = tree.text.flatMap(FrameRate.init), range.contains(rate.perSecond) { return rate }
    context.expected("a number 1…1000, or a fraction such as 30000/1001", tree)
    return nil
  }

  /// The value as text of a graph file.
  public func written(as kind: ValueKind) -> String { seconds == 1 ? "\(frames)" : "\(frames)/\(seconds)" }

  /// Parses `60`, `29.97` or `30000/1001` as an exact fraction; nil for other texts.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 12 }) else { return nil }
    let decimal = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard decimal.count <= 2, (parts + decimal).allSatisfy({ !$0.isEmpty }),
      decimal.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }),
      let whole = Int(decimal.joined())
    else { return nil }
    var frames = whole
    var seconds = 1
    if decimal.count == 2 { for _ in 0..<decimal[1].utf8.count { seconds *= 10 } }
    if parts.count == 2 {
      guard decimal.count == 1, let under = Int(parts[1]), under > 0, parts[1].utf8.first != 0x2B
      else { return nil }
      seconds = under
    }
    // Reduces the fraction by the greatest common divisor.
    var (a, b) = (frames, seconds)
    while b != 0 { (a, b) = (b, a % b) }
    guard a > 0 else { return nil }
    frames /= a
    seconds /= a
    self.init(frames, per: seconds)
  }
}

/// The background of the stage as a graph file has it.
enum StageBackground: FieldValue {
  case color(Color)
  case picture(GraphFile)

  static let kind = ValueKind.oneOf([.color, .file])
  /// The pattern of a picture's path in the schema; other texts are colors.
  static let picturePattern = "/|\\.[pP][nN][gG]$"

  /// A text is a picture where it ends in `.png` or contains a slash, so that a misspelt color is not taken for a path.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> StageBackground? {
    let isPicture = tree.text.map { text in
      text.lowercased().hasSuffix(".png") || text.contains("/") && !CSSColorFunction.isMeant(by: text)
    }
    guard isPicture == true else {
      return Color.read(tree, as: kind, context).map(StageBackground.color)
    }
    guard let file = GraphFile.read(tree, as: .file, context) else { return nil }
    context.inspect(picture: file, tree)
    return .picture(file)
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .color(let color): color.written(as: .color)
    case .picture(let file): file.written(as: .file)
    }
  }
}
