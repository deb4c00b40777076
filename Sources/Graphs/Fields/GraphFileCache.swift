/// Checks a picture by its path: a code and a message of its fault, or nil. `pixels` counts the pixels of all pictures
/// of a graph; the check adds to it. [control]
public typealias PictureCheck =
  @Sendable (_ path: String, _ pixels: inout Int) -> (code: String, message: String)?

/// Settings of any type that were read from a file.
protocol AnySettings: AnyObject {}

/// The files that a graph names. Each is read and checked once, however often it is named. [control]
final class GraphFileCache {
  private let pictureCheck: PictureCheck?
  /// The result for each picture that was checked.
  private var verdicts: [String: (code: String, message: String)?] = [:]
  /// Pixels of all pictures so far.
  private var pixels = 0
  private var seen: Set<String> = []
  /// The paths of all files, in the order of their first use.
  private(set) var paths: [String] = []

  /// Settings or a fault, by type and path of the file.
  private var settings: [String: Result<any AnySettings, Diagnostic>] = [:]
  /// The objects made of files' bytes, by noun and path.
  private var contents: [String: Result<AnyObject, Diagnostic>] = [:]
  /// The bytes, and the YAML events, that may still be read from files.
  private var bytes = Limits.filesBytes
  private var events = Limits.events
  /// The settings that files and paths may still add to nodes; -1 after the limit was exceeded.
  private var budget = Limits.fileSettings
  /// The texts that were read, so that diagnostics can quote their lines.
  private(set) var texts: [SourceText] = []

  init(pictures: PictureCheck? = nil) { pictureCheck = pictures }

  /// Reads settings from a file, once for each key; nil where it cannot be read, which is reported at `mark`. Faults
  /// inside the file are reported once, at their places in the file.
  func content<Content: AnySettings>(
    of name: GraphFile, as noun: String, key: String, at mark: SourceRange, _ context: ReadContext,
    read: (Tree?, Bool) -> Content
  ) -> Content? {
    let found =
      settings[key]
      ?? compose(name, as: noun).map { content in
        context.fromRoot {
          for fault in content.faults { context.report(fault) }
          return read(content.tree, !content.faults.isEmpty)
        }
      }
    settings[key] = found
    switch found {
    case .success(let settings): return settings as? Content
    case .failure(var fault):
      fault.mark = mark
      fault.message = "\(context.subject): \(fault.message)"
      context.report(fault)
      return nil
    }
  }

  /// The YAML of a file that is not read as settings; nil where the file is missing or invalid. A missing file is
  /// reported at `mark`, other faults at their places in the file.
  func tree(of name: GraphFile, as noun: String, at mark: SourceRange, _ context: ReadContext) -> Tree? {
    switch compose(name, as: noun) {
    case .success(let content):
      context.fromRoot { for fault in content.faults { context.report(fault) } }
      return content.faults.isEmpty ? content.tree : nil
    case .failure(var fault):
      fault.mark = mark
      fault.message = "\(context.subject): \(fault.message)"
      context.report(fault)
      return nil
    }
  }

  /// Reads a file and composes its YAML.
  private func compose(
    _ name: GraphFile, as noun: String
  ) -> Result<(tree: Tree?, faults: [Diagnostic]), Diagnostic> {
    use(name.path)
    guard bytes > 0, events > 0 else { return .failure(.filesTooLarge()) }
    let most = min(Limits.fileBytes, bytes)
    switch SourceText.read(path: name.path, called: name.text, as: noun, most: most) {
    case .failure(let fault):
      return .failure(fault.code == "file-too-large" && most < Limits.fileBytes ? .filesTooLarge() : fault)
    case .success(let source):
      bytes -= source.bytes.count
      texts.append(source)
      var count = events
      let content = Composer.compose(file: source, events: &count)
      events -= count
      return .success(content)
    }
  }

  /// Makes an object of a file's bytes, once for each path and noun. It fails where the file is missing or too large,
  /// or where `make` fails. `noun` is the kind of file in messages.
  func content<Content: AnyObject>(
    of name: GraphFile, as noun: String, make: ([UInt8]) -> Result<Content, Diagnostic>
  ) -> Result<Content, Diagnostic> {
    let key = "\(noun) \(name.path)"
    if let known = contents[key] {
      return known.flatMap { ($0 as? Content).map(Result.success) ?? .failure(.filesTooLarge()) }
    }
    use(name.path)
    let most = min(Limits.fileBytes, bytes)
    let made = SourceText.read(path: name.path, called: name.text, as: noun, most: most).flatMap { source in
      bytes -= source.bytes.count
      return make(source.bytes)
    }.mapError { fault in
      fault.code == "file-too-large" && most < Limits.fileBytes ? .filesTooLarge() : fault
    }
    contents[key] = made.map { $0 }
    return made
  }

  /// Takes `count` from the budget of settings that files and paths may add to all nodes. False once it is spent, which
  /// is reported once.
  func spend(_ count: Int, at mark: SourceRange, _ context: ReadContext) -> Bool {
    if budget >= 0, count > budget { context.report(.tooManyFileSettings(at: mark)) }
    budget = count > budget ? -1 : budget - count
    return budget >= 0
  }

  /// Records that a file is used. An invalid one counts too, because it may be corrected while the show runs.
  func use(_ path: String) {
    if seen.insert(path).inserted { paths.append(path) }
  }

  /// The fault of a picture; nil where it can be shown. At most `Limits.pictures` pictures are checked.
  func fault(ofPicture path: String) -> (code: String, message: String)? {
    if let verdict = verdicts[path] { return verdict }
    guard verdicts.count < Limits.pictures else {
      return ("too-many-pictures", "the graph uses more than \(Limits.pictures) pictures")
    }
    use(path)
    let verdict = pictureCheck?(path, &pixels)
    verdicts[path] = .some(verdict)
    return verdict
  }
}
