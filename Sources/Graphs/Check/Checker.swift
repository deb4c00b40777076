/// Any bytes give a graph or faults, in bounded time and memory (`Limits`).
public struct Checker: Sendable {
  /// The node types that files may use.
  public let catalog: Catalog
  /// Checks the messages that a graph sends to its own show (in cues, alarms, hooks); nil: they are not checked.
  private let messages: MessageCheck?

  /// Makes a checker.
  public init(_ catalog: Catalog, messages: MessageCheck? = nil) {
    self.catalog = catalog
    self.messages = messages
  }

  /// Checks a graph file.
  public func check(path: String, overrides: [Override] = []) -> CheckResult {
    check(SourceText.read(path: path), called: path, overrides, anyFile: false)
  }

  /// Checks a graph file, or another file that graphs name: a file of settings such as an emitter file, a fixture file
  /// or a cue file.
  public func checkAnyFile(path: String, overrides: [Override] = []) -> CheckResult {
    check(SourceText.read(path: path), called: path, overrides, anyFile: true)
  }

  /// Checks a text that was read, or reports why the file could not be read.
  public func check(
    _ read: Result<SourceText, Diagnostic>, called path: String, _ overrides: [Override], anyFile: Bool
  ) -> CheckResult {
    switch read {
    case .success(let source): return check(source, overrides: overrides, anyFile: anyFile)
    case .failure(let fault):
      let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")
      context.report(fault)
      return CheckResult(nil, [context], warnings: [], SourceText(path: path, bytes: []), context.files)
    }
  }

  /// Checks bytes of unknown origin as the kind of file that they claim to be; for fuzzing.
  public func check(bytes: [UInt8]) -> CheckResult {
    check(SourceText(path: "graph.yaml", bytes: bytes), anyFile: true)
  }

  /// Checks a text. Relative paths in it start from the folder of `source.path`. With `anyFile` the text may also be
  /// a file of settings, which gives no graph, and no faults if it is valid.
  public func check(_ source: SourceText, overrides: [Override] = [], anyFile: Bool = false) -> CheckResult {
    let result = check(MendedText(source), shown: source, overrides, anyFile)
    guard !result.faults.isEmpty, let mended = Typography.mended(source, near: result.faults) else {
      return result
    }
    // Checks again with the plain characters in place, so that no reported fault only follows from a typographic one.
    return check(mended, shown: source, overrides, anyFile)
  }

  private func check(
    _ text: MendedText, shown source: SourceText, _ overrides: [Override], _ anyFile: Bool
  ) -> CheckResult {
    let files = GraphFileCache(pictures: catalog.pictureCheck)
    let top = ReadContext(fps: FrameRate(60), stage: Stage(), folder: source.folder, files: files)
    let (tree, faults) = Composer.compose(text)
    for fault in faults { top.report(fault) }
    if let tree, let type = settingsFile(tree) {
      check(tree, isFaulty: !faults.isEmpty, as: type, source, overrides, anyFile: anyFile, top)
      return CheckResult(nil, [top], warnings: [], source, files, isSettingsFile: anyFile)
    }
    if let tree, let mark = self.mark(of: FixtureProfile.version, in: tree) {
      if anyFile {
        _ = FixtureProfile(tree, isFaulty: !faults.isEmpty, path: source.path, top)
      } else {
        top.report(.isFixtureFile(at: mark))
      }
      return CheckResult(nil, [top], warnings: [], source, files, isSettingsFile: anyFile)
    }
    if let tree, let mark = self.mark(of: CueList.version, in: tree) {
      if !anyFile {
        top.report(.isCueFile(at: mark))
      } else if faults.isEmpty {
        CueList.check(file: tree, top)
      }
      return CheckResult(nil, [top], warnings: [], source, files, isSettingsFile: anyFile)
    }
    guard let tree, let pairs = pairs(of: tree, top) else {
      return CheckResult(nil, [top], warnings: [], source, files)
    }
    let meant = MisplacedKeys(catalog, top).topLevel(pairs)
    let reading = GraphReading(
      Tree(.map(meant), mark: tree.mark), source, overrides, catalog, messages, top, files)
    return reading.result()
  }

  /// The pairs of the top level; nil, after reporting a fault, if this version of visgraph cannot read the format.
  private func pairs(of tree: Tree, _ context: ReadContext) -> [Tree.Pair]? {
    guard let pairs = tree.map else {
      context.report(.notAGraph(tree))
      return nil
    }
    guard let version = pairs.first(where: { $0.key.text == "visgraph" })?.value else {
      // A key of another case is reported with the others.
      if !pairs.contains(where: { $0.key.text?.lowercased() == "visgraph" }) {
        context.report(.missingVersion())
      }
      return pairs
    }
    guard let text = version.text, text != "1" else {
      if version.text == nil { context.report(.wrongVersion(version)) }
      return pairs
    }
    if Quantity(text).map({ $0.number > 1 && $0.unit.isEmpty }) == true {
      context.report(.newerVersion(text, at: version.mark))
      return nil
    }
    context.report(.wrongVersion(version))
    return pairs
  }
}

extension Checker {
  /// The place of the key `version`, which marks a file of another kind than a graph; nil without it, and for a graph.
  private func mark(of version: String, in tree: Tree) -> SourceRange? {
    let keys = (tree.map ?? []).prefix(1000).map(\.key)
    return keys.contains { $0.text == "visgraph" } ? nil : keys.first { $0.text == version }?.mark
  }

  /// The node type whose settings a file holds, known by a key such as `visgraph-emitter`; nil for a graph.
  func settingsFile(_ tree: Tree) -> (any NodeType.Type)? {
    catalog.types.first { type in type.settingsFile.flatMap { mark(of: $0.version, in: tree) } != nil }
  }

  /// Checks a file of settings by itself.
  func check<Type: NodeType>(
    _ tree: Tree, isFaulty: Bool, as type: Type.Type, _ source: SourceText, _ overrides: [Override],
    anyFile: Bool,
    _ context: ReadContext
  ) {
    guard let file = Type.settingsFile else { return }
    guard anyFile else {
      let mark = tree.map?.first { $0.key.text == file.version }?.key.mark
      return context.report(.isSettingsFile(file, at: mark ?? tree.mark))
    }
    for override in overrides {
      context.report(
        Diagnostic(
          "not-a-graph", "--set does not apply to \(file.noun), which has neither values nor nodes",
          at: override.mark))
    }
    let settings = SettingsFileContent<Type>(tree, isFaulty: isFaulty, file, source.path, context)
    guard !settings.isFaulty else { return }
    // The type checks all settings together, as in a node without wires.
    let inputs = Type.inputs(settings.all).map {
      CheckedInput(name: $0.name, type: $0.accepts.first, channels: [], sources: [])
    }
    let shaped = Type.shape(
      id: "", PerChannel(all: settings.all), inputs: inputs, folder: context.folder)
    for fault in shaped.placed { context.report(fault) }
    for fault in shaped.issues {
      let mark = fault.field.flatMap { settings.trees[$0]?.mark } ?? tree.mark
      context.report(Diagnostic(fault.code, fault.message, at: mark))
    }
  }
}
