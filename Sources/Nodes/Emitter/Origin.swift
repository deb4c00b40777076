import Graphs

/// Where a value of the graph file stands, for what turns out at fault only once others are known. [control]
///
/// The check of a file runs on one thread, and nobody reports once it is over: hence unchecked.
struct Origin: @unchecked Sendable {
  /// As written.
  let tree: Tree
  /// What sentences call it (`sparks.drive.1.key`).
  let subject: String
  private let reading: Reading

  init(_ tree: Tree, _ reading: Reading) {
    self.tree = tree
    self.reading = reading
    subject = reading.subject
  }

  /// Reports a fault at the place; one that was told already, by a node that this one is like, is not told again.
  func report(_ code: String, _ sentence: String, notes: [String] = []) {
    let fault = Diagnostic(code, sentence, at: tree.mark, notes: notes)
    guard !reading.hasTold(fault) else { return }
    reading.report(fault)
  }

  /// Whether more is wrong already than is shown: to look for what was meant is then not worth the time.
  var hasPlenty: Bool { reading.hasPlenty }

  /// Reports what is wrong with the unit of a number.
  func reportNumber(_ unit: Graphs.Unit, in range: ClosedRange<Double>) {
    _ = reading.within(subject) { reading.number(tree, unit, in: range) }
  }
}
