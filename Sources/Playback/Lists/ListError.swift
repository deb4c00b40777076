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
    /// A name or an address that cannot be one of a file.
    case name = "list-name"
    /// A link in a folder that leads out of where files may lie.
    case outside = "list-outside"
    /// A folder without audio files, a list without entries.
    case empty = "list-empty"
    /// A line that says nothing a list may say.
    case line = "list-line"
    /// A list that is not in its format, from some line on.
    case format = "list-format"
    /// A list that means harm.
    case hostile = "list-hostile"
    /// A list of too many bytes, or a line of too many.
    case tooLarge = "list-too-large"
    /// A list that names itself, if by way of others.
    case cycle = "list-cycle"
    /// Folders or lists too deep inside each other.
    case depth = "list-depth"
    /// More tracks or entries than are taken.
    case tooMany = "list-too-many"
    /// The index of a stream of a network (HLS), which names pieces of it.
    case stream = "list-stream"
    /// Faults besides those that are reported.
    case more = "list-more"
  }

  /// The stable name.
  public let code: Code
  /// What it is about: a file, a folder, an address.
  public let path: String
  /// The list that names it; nil where it was named by itself.
  public let list: String?
  /// The line in the list, from 1; nil where there is none.
  public let line: Int?
  /// What the system said, or the numbers at fault; may be empty.
  public let reason: String

  /// States a fault.
  public init(_ code: Code, path: String, in list: String? = nil, line: Int? = nil, reason: String = "") {
    self.code = code
    self.path = path
    self.list = list
    self.line = line
    self.reason = reason
  }

  /// The same, reported of an entry of a list; one that already has a list stays as it is.
  func found(in list: String?, line: Int?) -> ListError {
    guard self.list == nil, let list else { return self }
    return ListError(code, path: path, in: list, line: line, reason: reason)
  }

  /// A line of a list that is too long to be one.
  static func longLine(_ line: Int, of list: String, _ limits: ListLimits) -> ListError {
    ListError(
      .tooLarge, path: "line \(line)", in: list, line: line, reason: "it has more than \(limits.text) bytes")
  }

  /// A list with more tracks than are taken.
  static func tooManyTracks(in list: String, line: Int, _ limits: ListLimits) -> ListError {
    ListError(.tooMany, path: list, in: list, line: line, reason: "at most \(limits.tracks) tracks")
  }
}

extension ListError {
  /// The whole sentence: where, what, what to do; without a full stop.
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
    case .more: return "\(reason) more faults are not told"
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

/// How much is taken from folders and lists: far more than anybody has, far less than hurts.
public struct ListLimits: Equatable, Sendable {
  /// Tracks in all.
  public var tracks = 100_000
  /// Entries of folders that are looked at in all, whatever they are.
  public var entries = 1_000_000
  /// Folders that lie inside each other.
  public var depth = 32
  /// Lists that name each other.
  public var nesting = 8
  /// Bytes of one list.
  public var bytes = 16 << 20
  /// Bytes of one line, or of one text of an XSPF list.
  public var text = 8192
  /// Faults that are kept; the last then says how many there were besides.
  public var faults = 1000

  /// The usual ones.
  public init() {}
}
