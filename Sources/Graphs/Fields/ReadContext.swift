import _StringProcessing
import Glibc
import System

/// What the reader of a value needs to know of the graph, and the list of faults. [control]
public final class ReadContext {
  /// The most faults that are kept: ten times what is ever shown, because the first by their places are shown.
  private static let mostKept = 10 * Limits.faults

  /// Frames per second, which `1 frame` is converted by.
  public let fps: FrameRate
  /// The stage, which `%` is converted by.
  public let stage: Stage
  /// The folder of the graph file.
  public let folder: String
  /// The files named so far.
  let files: GraphFileCache
  /// The faults so far, at most `mostKept`.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The places of `diagnostics`.
  private var keptMarks: Set<SourceRange> = []
  /// How many faults were found, including those that were not kept or are hidden.
  public private(set) var count = 0
  /// How many faults were left out because they follow from others.
  public private(set) var hidden = 0
  /// Whether no fault is shown, because the same text has been read before, or will be read again. Faults are kept and
  /// counted all the same, so that a reader can ask whether there were any.
  public private(set) var isQuiet = false
  /// Places of values that are known to be invalid.
  var spoiled: Set<SourceRange> = []
  private var path: [String] = []
  /// Secrets that were read, with their places.
  private(set) var secrets: [(text: String, mark: SourceRange)] = []
  /// Resolved paths of folders.
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

  /// A context whose faults are not shown, to read a text that is checked elsewhere.
  func quiet() -> ReadContext {
    let context = separate()
    context.isQuiet = true
    return context
  }

  /// A context with the same facts of the graph and a list of faults of its own. Its path begins anew, so messages name
  /// a value by what is read from here on; it is not quiet, and no place is spoiled.
  func separate() -> ReadContext {
    ReadContext(fps: fps, stage: stage, folder: folder, files: files)
  }

  /// Checks a picture that a value names; its fault is reported at the value.
  public func inspect(picture file: GraphFile, _ tree: Tree) {
    guard let fault = files.fault(ofPicture: file.path) else { return }
    report(
      Diagnostic(
        fault.code, "\(subject): \(fault.message)", at: tree.mark))
  }

  /// Makes an object of the bytes of a file that a value names, once for each file. Nil where that fails, which is
  /// reported at the value. `noun` is the kind of file in messages.
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

  /// Records a fault. Beyond the number that is kept, faults are only counted and their messages are not made.
  public func report(_ diagnostic: @autoclosure () -> Diagnostic) {
    count += 1
    if diagnostics.count < Self.mostKept { keep(diagnostic()) }
  }

  /// Separate from `report`, which the compiler inlines once for each message.
  private func keep(_ fault: Diagnostic) {
    if !spoiled.isEmpty, let mark = fault.mark, spoiled.contains(mark) {
      hidden += 1
      return
    }
    if let mark = fault.mark { keptMarks.insert(mark) }
    diagnostics.append(fault)
  }

  /// Notes the texts of a secret value. The result of the check masks them in every diagnostic.
  func noteSecret(_ tree: Tree) {
    switch tree.content {
    case .scalar(let text, _): if !text.isEmpty { secrets.append((text, tree.mark)) }
    case .number, .flag: if let text = tree.text { secrets.append((text, tree.mark)) }
    case .list(let trees): for tree in trees { noteSecret(tree) }
    case .map(let pairs): for pair in pairs { noteSecret(pair.value) }
    }
  }

  /// Whether this fault was kept. The place is looked up first: few faults of thousands share one.
  public func hasReported(_ fault: Diagnostic) -> Bool {
    guard let mark = fault.mark else { return diagnostics.contains(fault) }
    return keptMarks.contains(mark) && diagnostics.contains { $0.mark == mark && $0 == fault }
  }

  /// Whether more faults were counted, hidden ones among them, than are shown. Suggestions are then not worth their
  /// time.
  public var hasPlenty: Bool { count > Limits.faults }

  /// The name of the current value in messages: `meter.release`, `sparks.cells.spark.birthRate`.
  public var subject: String { plain(path.joined(separator: ".")) }

  /// Reads a part of the value under a name; messages name the part by its whole path.
  public func within<Result>(_ name: String, _ body: () -> Result) -> Result {
    path.append(name)
    defer { path.removeLast() }
    return body()
  }

  /// Reads what is no part of the current value, such as a file: its path begins anew.
  func fromRoot<Result>(_ body: () -> Result) -> Result {
    let before = path
    path = []
    defer { path = before }
    return body()
  }

  /// Reports that a value has the wrong kind: "meter.release is a list; it takes …".
  public func expected(_ what: String, _ tree: Tree, notes: [String] = []) {
    report(.wrongKind(subject, is: tree, takes: what, notes: notes))
  }

  /// The absolute path of a file, with links of its folder resolved; the path itself where the folder does not exist.
  func realPath(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    let folder = SourceText.folder(of: file)
    if folders[folder] == nil {
      folders[folder] = RealPath(folder)?.text ?? folder
    }
    let resolved = folders[folder] ?? folder
    return resolved == "/" ? "/\(name)" : "\(resolved)/\(name)"
  }

  /// Whether a pattern matches anywhere in a text; one for the whole text says so by `^` and `$`. Patterns are short and
  /// built in, but texts are untrusted: more than 1024 bytes never match.
  func fits(_ text: String, _ pattern: String) -> Bool {
    guard text.utf8.count <= 1024 else { return false }
    if patterns[pattern] == nil { patterns[pattern] = try? Regex(pattern) }
    return patterns[pattern].flatMap { try? $0.firstMatch(in: text) } != nil
  }

  /// Adds the faults of another context, and the secrets that it has read, to this one.
  func takeOver(_ other: ReadContext) {
    for diagnostic in other.diagnostics { report(diagnostic) }
    count += other.count - other.diagnostics.count
    hidden += other.hidden
    secrets += other.secrets
  }
}
