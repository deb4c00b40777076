import Graphs

/// A node with numbers that levels can drive.
protocol DrivenNode: Sendable {
  /// The names of its output ports, and of input ports that are not drives.
  static var takenPorts: [String] { get }
}

/// One entry of `drive`: a level that drives one number of a node.
struct Drive: FieldRecord, FieldValue {
  var key = DriveKey()
  /// The input port of the driving levels.
  var by = Drive.firstPort
  /// The range of the level.
  var from = [0.0, 1.0]
  /// The range of the number.
  var to = [DriveEnd(0), DriveEnd(1)]
  var curve = 1.0
  /// Whether the number stays within `to` when the level is outside `from`.
  var clamp = true
  /// The number while nothing plays; nil: the first end of `to`.
  var idle: DriveEnd?

  /// A drive without a key.
  init() {}

  /// The first input port, which drives unless `by` names another.
  static let firstPort = "level"

  /// The noun in messages.
  static let recordName = "drive"
  /// Its fields, in the order of the docs.
  static let fields: [Field<Drive>] = [
    Field(
      "key", \.key,
      "The path of the number, such as scale, position.x or cells.spark.cells.glow.scale; Apple's full words "
        + "(emitterCells.spark.scale) are understood."),
    Field(
      "by", \.by, .text(pattern: "^[A-Za-z0-9_-]{1,64}$", form: "1 to 64 letters, digits, - and _"),
      "The input port whose levels drive it; a name of your choice makes a port of that name."),
    Field(
      "from", \.from, .pair(.number(.ratio, 0...1)), "The levels that lead to the ends of `to`."
    ),
    Field(
      "to", \.to, .pair(DriveEnd.kind),
      "What the number becomes, in its own unit: [10 %, 90 %] of the stage for a position."),
    Field(
      "curve", \.curve, .number(.none, 0.01...100),
      "The exponent: 1 is straight, 2 begins gently, 0.5 begins steeply."),
    Field(
      "clamp", \.clamp,
      "Keeps levels outside of `from` at the ends of `to`; without it the number goes on, within its legal range."
    ),
    Field(
      "idle", \.idle, "The number while nothing plays; by default the first end of `to`."),
  ]
}

/// A number such as `5`, `10 %` or `90 deg`. Its unit is that of the driven number, which is found after reading.
struct DriveEnd: FieldValue {
  /// The text as it was written.
  let text: String
  private let quantity: Quantity
  private let fps: FrameRate
  private let stage: Stage
  let location: SourceLocation?

  /// A number without a unit.
  init(_ number: Int) {
    text = "\(number)"
    // A whole number always parses.
    quantity = Quantity(text)!
    (fps, stage, location) = (FrameRate(60), Stage(), nil)
  }

  private init(_ text: String, _ quantity: Quantity, _ tree: Tree, _ context: ReadContext) {
    self.text = text
    self.quantity = quantity
    (fps, stage, location) = (context.fps, context.stage, SourceLocation(tree, context))
  }

  /// The default kind of a field of this type.
  static let kind = ValueKind.oneOf([
    Double.kind, .text(pattern: ValueKind.quantityPattern),
  ])

  /// Reads a value; nil where it is faulty, with the fault in `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> DriveEnd? {
    guard let text = tree.text, !tree.isNothing, let quantity = Quantity(text) else {
      context.expected("a number in the unit of the key, such as 0.5, 10 % or 90 deg", tree)
      return nil
    }
    return DriveEnd(text, quantity, tree, context)
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String {
    quantity.unit.isEmpty ? quantity.number.written(as: Double.kind) : text.written(as: .text())
  }

  /// The number in a unit; nil where its own unit does not convert to it.
  func value(in unit: Graphs.Unit) -> Double? { unit.value(of: quantity, fps: fps, stage: stage) }

  /// The faults of the number for a unit and a range. [control]
  func faults(in unit: Graphs.Unit, _ range: ClosedRange<Double>) -> [Diagnostic] {
    guard let location else { return [] }
    let context = ReadContext(fps: fps, stage: stage, folder: "")
    _ = context.within(location.subject) { context.number(location.tree, unit, in: range) }
    return context.diagnostics
  }
}

/// The path of a driven number, as in the graph file.
struct DriveKey: FieldValue {
  /// The text as it was written; empty: none.
  let text: String
  let location: SourceLocation?

  init() { (text, location) = ("", nil) }

  private init(_ text: String, _ location: SourceLocation?) {
    self.text = text
    self.location = location
  }

  /// The default kind of a field of this type.
  static let kind = ValueKind.text()

  /// Reads a value; nil where it is faulty, with the fault in `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> DriveKey? {
    String.read(tree, as: kind, context).map { DriveKey($0, SourceLocation(tree, context)) }
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String { text.written(as: kind) }
}

/// The entries of `drive`, in the order of the file.
struct Drives<Node: DrivenNode>: FieldValue {
  var all: [Drive] = []
  /// The input ports that they name besides the first, in the order of the file, including those of faulty entries.
  private(set) var ports: [String] = []

  init() {}

  /// The default kind of a field of this type.
  static var kind: ValueKind { .list(.record(Drive.self), count: 0...256) }

  /// Reads the entries. A faulty entry is left out, but its port stays, so that wires to it are not reported as well.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Drives? {
    if tree.isNothing { return Drives() }
    guard let entries = tree.list, entries.count <= 256 else {
      context.expected("a list of up to 256 drives, such as [{ key: scale, to: [0, 5] }]", tree)
      return nil
    }
    var drives = Drives()
    for (index, entry) in entries.enumerated() {
      context.within("\(index + 1)") { drives.add(entry, context) }
    }
    return drives
  }

  /// Reads an entry and adds it. Reports the faults that concern several of its keys.
  private mutating func add(_ tree: Tree, _ context: ReadContext) {
    func written(_ name: String) -> Tree? { tree.map?.first { $0.key.text == name }?.value }
    let taken = [Drive.firstPort] + Node.takenPorts + ports
    // A name that no port can have makes no port. `by` reports it when it is read.
    if let by = written("by")?.text, !taken.contains(by), isName(by) { ports.append(by) }
    guard let drive = Drive.read(tree, as: Drive.kind, context) else { return }
    if drive.key.text.isEmpty {
      context.report(
        Diagnostic(
          "missing-key", "\(context.subject) does not say what it drives", at: tree.mark,
          notes: ["write key: and the path of a number, such as key: scale"]))
    }
    if drive.from[0] == drive.from[1] {
      context.report(
        Diagnostic(
          "empty-range", "the two ends of \(context.subject).from are the same; a range needs a width",
          at: written("from")?.mark ?? tree.mark))
    }
    if Node.takenPorts.contains(drive.by) {
      context.report(
        Diagnostic(
          "reserved-port", "\(context.subject).by is \(drive.by), which is the name of another port",
          at: written("by")?.mark ?? tree.mark, notes: ["use another name"]))
    }
    all.append(drive)
  }

  /// Reads a value within one of the entries, by its path.
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool {
    all.read(tree, at: path, as: kind, context)
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String { all.written(as: kind) }
}

/// The place of a value in a graph file, for faults that are found only when other values are known. [any]
///
/// The settings of a running graph keep it. It holds the place alone: a `ReadContext` would keep the settings of all
/// files alive.
struct SourceLocation: Sendable {
  /// The value as it was written.
  let tree: Tree
  /// Its path in messages (`sparks.drive.1.key`).
  let subject: String

  /// Nil where faults are not reported.
  init?(_ tree: Tree, _ context: ReadContext) {
    if context.isQuiet { return nil }
    self.tree = tree
    subject = context.subject
  }

  /// A fault at this place.
  func fault(_ code: String, _ message: String, notes: [String] = []) -> Diagnostic {
    Diagnostic(code, message, at: tree.mark, notes: notes)
  }
}
