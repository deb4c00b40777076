import Graphs

/// Checks a text as `graph.yaml` with the tests' own nodes.
func check(_ text: String, set overrides: String...) -> CheckResult {
  Checker(testCatalogue).check(
    SourceText(path: "graph.yaml", text: text), overrides: overrides.compactMap(Override.init))
}

/// The diagnostics of a text.
func diagnosticText(_ text: String, set overrides: String...) -> String {
  DiagnosticText.text(
    Checker(testCatalogue).check(
      SourceText(path: "graph.yaml", text: text), overrides: overrides.compactMap(Override.init)))
}

func settings<Type: NodeType>(_ graph: CheckedGraph, _ id: String, _ type: Type.Type) -> PerChannel<
  Type.Settings
>? {
  graph.nodes.first { $0.id == id }?.settings(of: Type.self)
}
