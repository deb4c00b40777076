/// The action of a cue or an alarm in a graph file, with its places.
struct ActionSettings {
  var scene: String?
  var seconds: Double?
  var messages: [GraphMessage] = []
  /// The place of the scene's name.
  private(set) var sceneMark: SourceRange?

  /// The action as the show performs it.
  var action: ShowAction {
    ShowAction(
      scene: scene, seconds: seconds, messages: messages.map(\.text), sources: messages.map(\.source))
  }

  /// The most messages of one action.
  static let mostMessages = 100

  /// Records places.
  mutating func note(_ pairs: [Tree.Pair]) {
    sceneMark = pairs.first { $0.key.text == "scene" }?.value.mark
  }

  /// The fields of the action in a record that contains it.
  static func fields<Root: FieldRecord>(
    _ scene: any WritableKeyPath<Root, String?> & Sendable,
    _ seconds: any WritableKeyPath<Root, Double?> & Sendable,
    _ messages: any WritableKeyPath<Root, [GraphMessage]> & Sendable
  ) -> [Field<Root>] {
    [
      Field("scene", scene, .text(), "The scene that the show goes to."),
      Field(
        "seconds", seconds, .number(.seconds, ShowScene.times),
        "How long the change takes; by default the time that the scene states, or 0 s if it states none."),
      Field(
        "do", messages, .oneOf([GraphMessage.kind, .list(GraphMessage.kind, count: 0...mostMessages)]),
        "Messages, one or a list: of the control port ([/visgraph/transport/play, /visgraph/master 0 5]), or to another "
          + "program (osc.udp://127.0.0.1:9000/go 1); text with spaces stands in double quotes."),
    ]
  }
}

/// A cue as a graph file writes it.
struct CueSettings: FieldRecord, FieldValue {
  var label: String?
  var action = ActionSettings()
  var follow: Double?
  var continues: Double?
  var link: String?
  /// The place of `link`, and that of `follow` or `continue`, whichever is last.
  private(set) var linkMark: SourceRange?
  private(set) var followMark: SourceRange?

  static let recordName = "cue"
  static let fields: [Field<CueSettings>] =
    [
      Field(
        "label", \.label, .text(pattern: "^.{1,200}$", form: "1 to 200 characters"), "What it is called.")
    ] + ActionSettings.fields(\.action.scene, \.action.seconds, \.action.messages) + [
      Field(
        "follow", \.follow, .number(.seconds, ShowCue.times),
        "The next cue starts by itself, so long after the scene and the fades of this one have arrived."
      ),
      Field(
        "continue", \.continues, .number(.seconds, ShowCue.times),
        "The next cue starts by itself, so long after this one has started; 0 starts both together."),
      Field(
        "link", \.link, .text(pattern: CueNumber.pattern, form: "the number of a cue"),
        "The number of the cue that comes next, where it is not the next number."),
    ]

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> CueSettings? {
    if tree.isNothing { return CueSettings() }
    guard let pairs = tree.map else {
      context.expected(kind.words, tree)
      return nil
    }
    let before = context.count
    var cue = CueSettings()
    cue.read(pairs, in: recordName, context)
    cue.action.note(pairs)
    for pair in pairs {
      if pair.key.text == "link" { cue.linkMark = pair.value.mark }
      if ["follow", "continue"].contains(pair.key.text) { cue.followMark = pair.key.mark }
    }
    return context.count == before ? cue : nil
  }

  /// When the next cue is started without a go.
  var followOn: ShowCue.FollowOn? { continues.map { .begin($0) } ?? follow.map { .end($0) } }
}

/// The cues of a graph by number; they may stand in a file of their own.
struct CueList: FieldValue {
  /// A cue, with the place of its number.
  struct Entry {
    let number: CueNumber
    let mark: SourceRange
    let cue: CueSettings
  }

  /// In file order.
  private(set) var entries: [Entry] = []

  static let kind = ValueKind.oneOf([.map(.record(CueSettings.self)), .file])
  /// The first key of a file of cues.
  static let version = "visgraph-cues"

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> CueList? {
    if tree.isNothing { return CueList() }
    guard tree.text != nil else { return cues(tree, context) }
    guard let file = GraphFile.read(tree, as: .file, context),
      let content = context.files.tree(of: file, as: "a cue file", at: tree.mark, context)
    else { return nil }
    return context.fromRoot { cues(inFile: content, context) }
  }

  /// Checks the top level of a cue file by itself: not what its cues name in a graph.
  static func check(file tree: Tree, _ context: ReadContext) { _ = cues(inFile: tree, context) }

  private static func cues(inFile tree: Tree, _ context: ReadContext) -> CueList? {
    guard let pairs = tree.map, let own = pairs.first(where: { $0.key.text == version })?.value else {
      context.report(.noCueFile(version, at: tree.mark))
      return nil
    }
    guard own.text == "1" else {
      context.report(.wrongCueVersion(own, version))
      return nil
    }
    let known = [version, "cues"]
    let before = context.count
    for pair in pairs {
      guard let key = pair.key.text, !key.hasPrefix("x-"), !known.contains(key) else { continue }
      context.report(
        .unknownSetting(key, of: "a cue file", allowed: known, at: pair.key.mark, quick: context.hasPlenty))
    }
    let list = pairs.first { $0.key.text == "cues" }?.value
    let cues = list.map { list in context.within("cues") { self.cues(list, context) } }
    return context.count == before ? cues ?? CueList() : nil
  }

  private static func cues(_ tree: Tree, _ context: ReadContext) -> CueList? {
    if tree.isNothing { return CueList() }
    guard let pairs = tree.map else {
      context.expected("a map from numbers to cues, such as { 1: { scene: calm } }", tree)
      return nil
    }
    let before = context.count
    var (list, lines) = (CueList(), [CueNumber: Int]())
    for pair in pairs {
      guard let key = pair.key.text, !key.hasPrefix("x-") else { continue }
      guard let number = CueNumber(key) else {
        context.report(.wrongCueNumber(key, at: pair.key.mark))
        continue
      }
      if let line = lines.updateValue(pair.key.mark.line, forKey: number) {
        context.report(.cueTwice(number, at: pair.key.mark, firstLine: line))
      }
      let cue = context.within(key) { CueSettings.read(pair.value, as: .record(CueSettings.self), context) }
      if let cue { list.entries.append(Entry(number: number, mark: pair.key.mark, cue: cue)) }
    }
    return context.count == before ? list : nil
  }

  func written(as kind: ValueKind) -> String {
    if entries.isEmpty { return "{}" }
    return "{ " + entries.map { "\($0.number): \($0.cue.writtenFields)" }.joined(separator: ", ") + " }"
  }
}
