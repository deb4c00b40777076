import System

/// What is wrong with a playlist, a folder or an entry of one, as data; `message` is its one sentence.
public struct ListError: Error, Equatable, Sendable {
  /// The stable name of a fault.
  public enum Code: String, CaseIterable, Sendable {
    /// Nothing lies at the path.
    case missing = "list-missing"
    /// The system refuses to open the file or the folder.
    case unreadable = "list-unreadable"
    /// The path leads to a device, a pipe or a socket.
    case notAFile = "list-not-a-file"
    /// The entry is an address in a network.
    case remote = "list-remote"
    /// A name or an address that cannot be that of a file.
    case name = "list-name"
    /// A link in a folder leads out of the folders that are allowed.
    case outside = "list-outside"
    /// A folder has no audio files, or a list no entries.
    case empty = "list-empty"
    /// A line has nothing that its format knows.
    case line = "list-line"
    /// A list breaks its format from some line on.
    case format = "list-format"
    /// A list exceeds limits that only attacks reach, or declares entities.
    case hostile = "list-hostile"
    /// A list or a line has too many bytes.
    case tooLarge = "list-too-large"
    /// A list names itself, directly or through others.
    case cycle = "list-cycle"
    /// Folders or lists are nested too deep.
    case depth = "list-depth"
    /// There are more tracks or entries than are taken.
    case tooMany = "list-too-many"
    /// The list is the index of an HLS stream.
    case stream = "list-stream"
    /// Further faults that are only counted.
    case more = "list-more"
  }

  /// The stable name.
  public let code: Code
  /// The file, folder or address at fault.
  public let path: String
  /// The list that names `path`; nil if it was named directly.
  public let list: String?
  /// The line in the list, from 1, if there is one.
  public let line: Int?
  /// The system's error text, or the numbers at fault; may be empty.
  public let reason: String

  /// Makes a fault.
  public init(_ code: Code, path: String, in list: String? = nil, line: Int? = nil, reason: String = "") {
    self.code = code
    self.path = path
    self.list = list
    self.line = line
    self.reason = reason
  }

  /// The same fault with the list and line of the entry; a fault that already has a list stays as it is.
  func found(in list: String?, line: Int?) -> ListError {
    guard self.list == nil, let list else { return self }
    return ListError(code, path: path, in: list, line: line, reason: reason)
  }

  static func longLine(_ line: Int, of list: String, _ limits: ListLimits) -> ListError {
    ListError(
      .tooLarge, path: "line \(line)", in: list, line: line, reason: "it has more than \(limits.text) bytes")
  }

  static func tooManyTracks(in list: String, line: Int, _ limits: ListLimits) -> ListError {
    ListError(.tooMany, path: list, in: list, line: line, reason: "at most \(limits.tracks) tracks")
  }
}

extension ListError {
  /// The whole sentence: where, what and what to do; without a full stop.
  public var message: String {
    let list = list.map(FileName.shown)
    let place = list.map { line == nil ? "\($0): " : "\($0):\(line ?? 0): " } ?? ""
    return place + "\(what): \(remedy)"
  }

  private var what: String {
    let why = reason.isEmpty ? "" : " (\(reason))"
    let path = FileName.shown(path)
    switch code {
    case .missing: return "there is no file or folder '\(path)'"
    case .unreadable: return "'\(path)' cannot be opened\(why)"
    case .notAFile: return "'\(path)' is a device or a pipe, not an audio file"
    case .remote: return "'\(path)' lies in a network"
    case .name: return "'\(path)' cannot be the name of a file\(why)"
    case .outside: return "'\(path)' is a link to another place"
    case .empty: return "'\(path)' has no audio files"
    case .line: return "'\(path)' is no line of such a list\(why)"
    case .format: return "'\(path)' is a broken list\(why)"
    case .hostile: return "'\(path)' is not read\(why)"
    case .tooLarge: return "'\(path)' is too large\(why)"
    case .cycle: return "'\(path)' is a list that comes back to itself"
    case .depth: return "'\(path)' lies too deep\(why)"
    case .tooMany: return "'\(path)' has more than is taken\(why)"
    case .stream: return "'\(path)' is the index of a stream (HLS), not a list of files"
    case .more: return "\(reason) more faults are not listed"
    }
  }

  private var remedy: String {
    switch code {
    case .missing:
      list == nil ? "check the spelling" : "check the list; a path is relative to the folder of the list"
    case .unreadable: "check its permissions and those of its folders"
    case .notAFile: "name a regular file"
    case .remote: "only files are played; download it first"
    case .name: "rename the file in UTF-8, or mend the list"
    case .outside: "it is left out; files are taken from the graph's folder and below"
    case .empty: "name a folder with music in it, or the files themselves"
    case .line: "it is left out"
    case .format: "what comes before is played; save the list again"
    case .hostile: "save the list again with another program"
    case .tooLarge: "divide the list"
    case .cycle: "it is played once"
    case .depth: "name the folder or the list itself"
    case .tooMany: "the rest is left out; name folders further down"
    case .stream: "only files are played; save the stream as one file first"
    case .more: "mend these first"
    }
  }
}

/// Limits for folders and lists: far above real collections, and low enough to bound time and memory.
public struct ListLimits: Equatable, Sendable {
  /// Most tracks in total.
  public var tracks = 100_000
  /// Most entries of folders and lists in total.
  public var entries = 1_000_000
  /// Most folders nested in each other.
  public var depth = 32
  /// Most lists nested in each other.
  public var nesting = 8
  /// Most bytes of a list.
  public var bytes = 16 << 20
  /// Most bytes of a line, or of a text of an XSPF list.
  public var text = 8192
  /// Most faults that are kept; one more then has the number of the others.
  public var faults = 1000

  /// The default limits.
  public init() {}
}
