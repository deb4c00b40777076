extension Checker {
  /// The type whose settings a file holds, when it says so and does not say that it is a graph.
  func settingsFile(_ tree: Tree) -> (any NodeType.Type)? {
    let keys = Set((tree.map ?? []).prefix(1000).compactMap(\.key.text))
    if keys.contains("visgraph") { return nil }
    return catalogue.types.first { $0.settingsFile.map { keys.contains($0.version) } == true }
  }

  /// Checks a file of settings by itself.
  func check<Type: NodeType>(
    _ tree: Tree, faulty: Bool, as type: Type.Type, _ source: SourceText, _ overrides: [Override],
    anyFile: Bool,
    _ reading: Reading
  ) {
    guard let file = Type.settingsFile else { return }
    guard anyFile else {
      let mark = tree.map?.first { $0.key.text == file.version }?.key.mark
      return reading.report(.isSettingsFile(file, at: mark ?? tree.mark))
    }
    for override in overrides {
      reading.report(
        Diagnostic("not-a-graph", "\(file.noun) has neither values nor nodes to set", at: override.mark))
    }
    let settings = FileSettings<Type>(tree, faulty: faulty, file, source.path, reading)
    guard !settings.faulty else { return }
    // What the type finds wrong in the whole, as it would in a node that nothing is wired to.
    let found = FaultBox()
    let inputs = Type.inputs(settings.all).map {
      Shaping<Type.Settings>.Input(type: $0.accepts.first, channels: [])
    }
    _ = Type.shape(
      Shaping(
        id: "", settings: PerChannel(all: settings.all), inputs: inputs, folder: reading.folder,
        report: { code, field, sentence in found.add(code, field, sentence) }))
    for fault in found.take() {
      let mark = fault.field.flatMap { settings.trees[$0]?.mark } ?? tree.mark
      reading.report(Diagnostic(fault.code, fault.sentence, at: mark))
    }
  }
}
