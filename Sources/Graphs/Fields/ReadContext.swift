import _StringProcessing
import Glibc
import System

/// What a value needs to know while it is read, and where its faults go. [control]
public final class ReadContext {
  /// Frames per second, so that `1 frame` has a length.
  public let fps: FrameRate
  /// The stage, so that `%` of it has a length.
  public let stage: Stage
  /// The folder of the graph file.
  public let folder: String
  /// The files that were named so far.
  let files: GraphFileCache
  /// What was found wrong so far, no more than ten times what is ever shown.
  public private(set) var diagnostics: [Diagnostic] = []
  private var places: Set<SourceRange> = []
  /// How many faults were found, kept or not.
  public private(set) var count = 0
  /// How many of them follow from others so plainly that they are not reported.
  public private(set) var hidden = 0
  /// Whether what it finds wrong is never reported: what it reads has been read before, or is read again.
  public private(set) var isQuiet = false
  /// Where values stand of which it is known already that they are at fault.
  var spoiled: Set<SourceRange> = []
  private var path: [String] = []
  /// The keys that were read: their texts, and where they stand.
  private(set) var secrets: [(text: String, mark: SourceRange)] = []
  /// The places of folders that were asked for.
  private var folders: [String: String] = [:]
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]

  /// Starts reading.
  public convenience init(fps: FrameRate, stage: Stage, folder: String) {
    self.init(fps: fps, stage: stage, folder: folder, files: GraphFileCache())
  }

  init(fps: FrameRate, stage: Stage, folder: String, files: GraphFileCache) {
    self.fps = fps
    self.stage = stage
    self.folder = folder
    self.files = files
  }

  /// A context for reading once more what has been judged elsewhere.
  func quiet() -> ReadContext {
    let context = apart()
    context.isQuiet = true
    return context
  }

  /// A context that knows the same of the graph, and has faults of its own.
  func apart() -> ReadContext {
    ReadContext(fps: fps, stage: stage, folder: folder, files: files)
  }

  /// Looks at a picture that a value names; reports where the value stands what is wrong with the picture.
  public func inspect(picture file: GraphFile, _ tree: Tree) {
    guard let fault = files.fault(ofPicture: file.path) else { return }
    report(
      Diagnostic(
        fault.code, "\(subject): \(fault.message)", at: tree.mark))
  }

  /// What `make` makes of the bytes of a file that a value names, once for each file however often it is named; nil where that
  /// is at fault, which is reported where the value stands. `noun` is what sentences call the kind of file.
  public func content<Content: AnyObject>(
    of file: GraphFile, as noun: String, _ tree: Tree, make: ([UInt8]) -> Result<Content, Diagnostic>
  ) -> Content? {
    switch files.content(of: file, as: noun, make: make) {
    case .success(let content): return content
    case .failure(var fault):
      fault.mark = tree.mark
      fault.message = "\(subject): \(fault.message)"
      report(fault)
      return nil
    }
  }

  /// Takes a fault; beyond those that are kept it is only counted, and its sentence is never made.
  public func report(_ diagnostic: @autoclosure () -> Diagnostic) {
    count += 1
    if diagnostics.count < 10 * Limits.faults { keep(diagnostic()) }
  }

  /// Apart from `report`, which is compiled once for each sentence.
  private func keep(_ fault: Diagnostic) {
    if !spoiled.isEmpty, let mark = fault.mark, spoiled.contains(mark) {
      hidden += 1
      return
    }
    if let mark = fault.mark { places.insert(mark) }
    diagnostics.append(fault)
  }

  /// From now on no fault shows the texts of a value, as they are keys.
  func hide(_ tree: Tree) {
    switch tree.content {
    case .scalar(let text, _): if !text.isEmpty { secrets.append((text, tree.mark)) }
    case .number, .flag: if let text = tree.text { secrets.append((text, tree.mark)) }
    case .list(let trees): for tree in trees { hide(tree) }
    case .map(let pairs): for pair in pairs { hide(pair.value) }
    }
  }

  /// Whether this fault was kept already. Looked up by place first: of thousands of faults hardly two share one.
  public func hasReported(_ fault: Diagnostic) -> Bool {
    guard let mark = fault.mark else { return diagnostics.contains(fault) }
    return places.contains(mark) && diagnostics.contains { $0.mark == mark && $0 == fault }
  }

  /// Whether more is wrong already than is shown: to look for what was meant is then not worth the time.
  public var hasPlenty: Bool { count > Limits.faults }

  /// What sentences call the value being read: `meter.release`, `sparks.cells.spark.birthRate`.
  public var subject: String { plain(path.joined(separator: ".")) }

  /// Reads something that lies deeper, under a name; sentences then speak of it by its whole path.
  public func within<Result>(_ name: String, _ body: () -> Result) -> Result {
    path.append(name)
    defer { path.removeLast() }
    return body()
  }

  /// Reads something that is no part of what is being read, such as a file of its own.
  func apart<Result>(_ body: () -> Result) -> Result {
    let before = path
    path = []
    defer { path = before }
    return body()
  }

  /// Reports that a value is not of the kind that is taken: "meter.release is a list; it takes …".
  public func expected(_ what: String, _ tree: Tree, notes: [String] = []) {
    report(.wrongKind(subject, is: tree, takes: what, notes: notes))
  }

  /// Where a file lies from the root, folders that are links followed; the path itself where there is no such folder.
  func place(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let folder = SourceText.folder(of: path)
    if folders[folder] == nil {
      folders[folder] = RealPath(folder)?.text ?? folder
    }
    let place = folders[folder] ?? folder
    return place == "/" ? "/\(name)" : "\(place)/\(name)"
  }

  /// Whether a text has the form of a pattern; a pattern is short and our own, a text is anybody's: long ones fail.
  func fits(_ text: String, _ pattern: String) -> Bool {
    guard text.utf8.count <= 1024 else { return false }
    if patterns[pattern] == nil { patterns[pattern] = try? Regex(pattern) }
    return patterns[pattern].flatMap { try? $0.firstMatch(in: text) } != nil
  }

  /// Nothing that others have not reported gets lost: takes over the faults of another reading.
  func takeOver(_ other: ReadContext) {
    for diagnostic in other.diagnostics { report(diagnostic) }
    count += other.count - other.diagnostics.count
    hidden += other.hidden
  }
}
