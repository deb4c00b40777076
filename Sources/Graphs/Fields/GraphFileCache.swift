/// Looks at a picture by its path: what is wrong with it, as a code and a sentence; nil when it can be shown. `pixels`
/// counts those of all pictures of a graph so far, and is the number to add to. [control]
public typealias PictureCheck =
  @Sendable (_ path: String, _ pixels: inout Int) -> (code: String, message: String)?

/// Settings read from a file, of whatever type.
protocol AnySettings: AnyObject {}

/// The files that a graph uses besides itself: each is looked at once, however often it is named. [control]
final class GraphFileCache {
  private let pictureCheck: PictureCheck?
  private var verdicts: [String: (code: String, message: String)?] = [:]
  /// Pixels of all pictures so far.
  private var pixels = 0
  private var seen: Set<String> = []
  /// Their paths, in the order in which they were met.
  private(set) var paths: [String] = []

  /// Files of settings by type and path, whatever became of them.
  private var settings: [String: Result<any AnySettings, Diagnostic>] = [:]
  /// What was made of the bytes of files, by kind and path.
  private var contents: [String: Result<AnyObject, Diagnostic>] = [:]
  private var bytes = Limits.filesBytes
  private var events = Limits.events
  private var budget = Limits.fileSettings
  /// The texts that were read, for showing lines of them.
  private(set) var texts: [SourceText] = []

  init(pictures: PictureCheck? = nil) { pictureCheck = pictures }

  /// What `read` makes of a file, once for each key; nil where there is no such file, and then that has been reported at
  /// `mark`. Faults inside it are reported where they are, once.
  func content<Content: AnySettings>(
    of name: GraphFile, as noun: String, key: String, at mark: SourceRange, _ context: ReadContext,
    read: (Tree?, Bool) -> Content
  ) -> Content? {
    let found =
      settings[key]
      ?? compose(name, as: noun).map { content in
        context.apart {
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

  /// What stands in a file that is not read as settings of a type; nil where that is at fault, which is reported: at `mark`
  /// where there is no such file.
  func tree(of name: GraphFile, as noun: String, at mark: SourceRange, _ context: ReadContext) -> Tree? {
    switch compose(name, as: noun) {
    case .success(let content):
      context.apart { for fault in content.faults { context.report(fault) } }
      return content.faults.isEmpty ? content.tree : nil
    case .failure(var fault):
      fault.mark = mark
      fault.message = "\(context.subject): \(fault.message)"
      context.report(fault)
      return nil
    }
  }

  /// Reads a file as far as its YAML goes.
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

  /// What `make` makes of the bytes of a file, once for each path and kind; a fault where there is no such file, where it is
  /// too large, or where `make` finds one. `noun` is what sentences call the kind.
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

  /// Takes from how much nodes may have from files and change by path in all; says once that there is no more.
  func spend(_ count: Int, at mark: SourceRange, _ context: ReadContext) -> Bool {
    if budget >= 0, count > budget { context.report(.tooManyFileSettings(at: mark)) }
    budget = count > budget ? -1 : budget - count
    return budget >= 0
  }

  /// Notes that a file is used; also one at fault, since it may be mended.
  func use(_ path: String) {
    if seen.insert(path).inserted { paths.append(path) }
  }

  /// What is wrong with a picture; nil when it can be shown.
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
