import Graphs

/// The entries of `drive`, in file order.
struct Drives: FieldValue {
  /// The entries.
  var all: [Drive] = []
  /// The input ports that they name besides the first, in file order; also those of entries at fault.
  private(set) var ports: [String] = []

  /// Nothing is driven.
  init() {}

  /// The kind when a declaration names none.
  static let kind = Kind.list(.record(Drive.self), count: 0...256)

  /// Reads them; an entry at fault is left out, but its port stays, so that wires to it are not called wrong too.
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Drives? {
    if tree.isNothing { return Drives() }
    guard let entries = tree.list, entries.count <= 256 else {
      reading.expected("a list of up to 256 drives, such as [{ key: scale, to: [0, 5] }]", tree)
      return nil
    }
    var drives = Drives()
    for (index, entry) in entries.enumerated() {
      reading.within("\(index + 1)") { drives.add(entry, reading) }
    }
    return drives
  }

  private mutating func add(_ tree: Tree, _ reading: Reading) {
    func written(_ name: String) -> Tree? { tree.map?.first { $0.key.text == name }?.value }
    let taken = [Emitter.firstPort] + Emitter.outputNames + ports
    // A name that no port can have is a fault of its own, and nobody is asked to wire it.
    if let by = written("by")?.text, !taken.contains(by), isName(by) { ports.append(by) }
    guard let drive = Drive.read(tree, as: Drive.kind, reading) else { return }
    if drive.key.text.isEmpty {
      reading.report(
        Diagnostic(
          "missing-key", "\(reading.subject) does not say what it drives", at: tree.mark,
          notes: ["write key: and the path of a number, such as key: scale"]))
    }
    if drive.from[0] == drive.from[1] {
      reading.report(
        Diagnostic(
          "empty-range", "the two ends of \(reading.subject).from are the same; a range needs a width",
          at: written("from")?.mark ?? tree.mark))
    }
    if Emitter.outputNames.contains(drive.by) {
      reading.report(
        Diagnostic(
          "reserved-port", "\(reading.subject).by is \(drive.by), which is the name of an output",
          at: written("by")?.mark ?? tree.mark, notes: ["take another name"]))
    }
    all.append(drive)
  }

  /// As a graph file would write it.
  func written(as kind: Kind) -> String { all.written(as: kind) }
}
