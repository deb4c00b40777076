import Graphs

extension Diagnostic {
  /// A fault that shows only when the graph is made ready to run, in one line.
  var line: String { "\(sentence) [\(code)]" }
}
