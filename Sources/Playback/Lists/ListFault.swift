/// What is wrong with a playlist, a folder or an entry of one, as data; `message` is its one sentence.
public struct ListFault: Error, Equatable, Sendable {
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
    /// Faults besides those that are told.
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

  /// The same, told of an entry of a list; one that already has a list stays as it is.
  func found(in list: String?, line: Int?) -> ListFault {
    guard self.list == nil, let list else { return self }
    return ListFault(code, path: path, in: list, line: line, reason: reason)
  }

  /// A line of a list that is too long to be one.
  static func longLine(_ line: Int, of list: String, _ limits: ListLimits) -> ListFault {
    ListFault(
      .tooLarge, path: "line \(line)", in: list, line: line, reason: "it has more than \(limits.text) bytes")
  }

  /// A list with more tracks than are taken.
  static func tooManyTracks(in list: String, line: Int, _ limits: ListLimits) -> ListFault {
    ListFault(.tooMany, path: list, in: list, line: line, reason: "at most \(limits.tracks) tracks")
  }
}
