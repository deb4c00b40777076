import Graphs

/// A node whose numbers levels can steer.
protocol DrivenNode: Sendable {
  /// The names of its output ports and of inputs that are none of its drives.
  static var takenPorts: [String] { get }
}

/// One entry of `drive`: a level steering one number of a node.
struct Drive: FieldRecord, FieldValue {
  /// The path of the number.
  var key = DriveKey()
  /// The input port whose levels drive.
  var by = Drive.firstPort
  /// The part of the level that counts.
  var from = [0.0, 1.0]
  /// What it becomes.
  var to = [DriveEnd(0), DriveEnd(1)]
  /// The exponent.
  var curve = 1.0
  /// Whether levels outside of `from` stay at the ends of `to`.
  var clamp = true
  /// The number while nothing plays; nil: the lower end of `to`.
  var idle: DriveEnd?

  /// The level itself, driving nothing yet.
  init() {}

  /// The name of the first input port, whose levels drive where nothing else is said.
  static let firstPort = "level"

  /// What sentences call it.
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
      "idle", \.idle, "What the number is while nothing plays; the first end of `to` where nothing is said."),
  ]
}

/// A number in the unit of whatever is driven, which is not known while it is read: `5`, `10 %`, `90 deg`.
struct DriveEnd: FieldValue {
  /// As written.
  let text: String
  private let quantity: Quantity
  private let fps: FrameRate
  private let stage: Stage
  let location: SourceLocation?

  /// A bare number.
  init(_ number: Int) {
    text = "\(number)"
    // A whole number is a quantity.
    quantity = Quantity(text)!
    (fps, stage, location) = (FrameRate(60), Stage(), nil)
  }

  private init(_ text: String, _ quantity: Quantity, _ tree: Tree, _ context: ReadContext) {
    self.text = text
    self.quantity = quantity
    (fps, stage, location) = (context.fps, context.stage, SourceLocation(tree, context))
  }

  /// The kind when a declaration names none.
  static let kind = ValueKind.oneOf([
    Double.kind, .text(pattern: ValueKind.quantityPattern),
  ])

  /// Reads it; when it is at fault that goes to `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> DriveEnd? {
    guard let text = tree.text, !tree.isNothing, let quantity = Quantity(text) else {
      context.expected("a number in the unit of the key, such as 0.5, 10 % or 90 deg", tree)
      return nil
    }
    return DriveEnd(text, quantity, tree, context)
  }

  /// As a graph file would write it.
  func written(as kind: ValueKind) -> String {
    quantity.unit.isEmpty ? quantity.number.written(as: Double.kind) : text.written(as: .text())
  }

  /// The number in a unit; nil when its own unit is not understood there.
  func value(in unit: Graphs.Unit) -> Double? { unit.value(of: quantity, fps: fps, stage: stage) }

  /// What is wrong with it as a number in a unit and a range. [control]
  func faults(in unit: Graphs.Unit, _ range: ClosedRange<Double>) -> [Diagnostic] {
    guard let location else { return [] }
    let context = ReadContext(fps: fps, stage: stage, folder: "")
    _ = context.within(location.subject) { context.number(location.tree, unit, in: range) }
    return context.diagnostics
  }
}

/// The path of a driven number as the graph file has it.
struct DriveKey: FieldValue {
  /// As written; empty where none is.
  let text: String
  let location: SourceLocation?

  /// No key.
  init() { (text, location) = ("", nil) }

  private init(_ text: String, _ location: SourceLocation?) {
    self.text = text
    self.location = location
  }

  /// The kind when a declaration names none.
  static let kind = ValueKind.text()

  /// Reads it; when it is at fault that goes to `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> DriveKey? {
    String.read(tree, as: kind, context).map { DriveKey($0, SourceLocation(tree, context)) }
  }

  /// As a graph file would write it.
  func written(as kind: ValueKind) -> String { text.written(as: kind) }
}

/// The entries of `drive`, in file order.
struct Drives<Node: DrivenNode>: FieldValue {
  /// The entries.
  var all: [Drive] = []
  /// The input ports that they name besides the first, in file order; also those of entries at fault.
  private(set) var ports: [String] = []

  /// Nothing is driven.
  init() {}

  /// The kind when a declaration names none.
  static var kind: ValueKind { .list(.record(Drive.self), count: 0...256) }

  /// Reads them; an entry at fault is left out, but its port stays, so that wires to it are not called wrong too.
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

  private mutating func add(_ tree: Tree, _ context: ReadContext) {
    func written(_ name: String) -> Tree? { tree.map?.first { $0.key.text == name }?.value }
    let taken = [Drive.firstPort] + Node.takenPorts + ports
    // A name that no port can have is a fault of its own, and nobody is asked to wire it.
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
          at: written("by")?.mark ?? tree.mark, notes: ["take another name"]))
    }
    all.append(drive)
  }

  /// What lies in one of the entries.
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool {
    all.read(tree, at: path, as: kind, context)
  }

  /// As a graph file would write it.
  func written(as kind: ValueKind) -> String { all.written(as: kind) }
}

/// Where a value of the graph file stands, for what turns out at fault only once others are known. [any]
///
/// It outlives the reading, in the settings of the graph that runs: it keeps the place and not the `ReadContext`, which has
/// the settings of every file that was read, and would keep them and itself for good.
struct SourceLocation: Sendable {
  /// As written.
  let tree: Tree
  /// What sentences call it (`sparks.drive.1.key`).
  let subject: String

  /// nil where what is wrong is not reported.
  init?(_ tree: Tree, _ context: ReadContext) {
    if context.isQuiet { return nil }
    self.tree = tree
    subject = context.subject
  }

  /// A fault at the place.
  func fault(_ code: String, _ message: String, notes: [String] = []) -> Diagnostic {
    Diagnostic(code, message, at: tree.mark, notes: notes)
  }
}
