import System

/// A player's command with its file, which is open and has been found to give sound. [any]
///
/// `Player.open` makes it and waits for disks; `Player.perform` carries it out at once.
public final class OpenedCommand: Sendable {
  /// The command in the form in which a control score records it.
  public let command: PlayerCommand
  /// The new list of a load; nil: the list stays.
  let files: [String]?
  /// Entries of that list that were left out.
  let leftOut: [ListError]
  /// Faults of the files that were tried before it.
  let skipped: [AudioError]
  private let path: String
  private let reader: Locked<(any AudioReader)?>

  /// Makes a command without a file.
  public init(_ command: PlayerCommand) {
    self.command = command
    (files, leftOut, skipped, path) = (nil, [], [], "")
    reader = Locked(nil)
  }

  init(
    _ command: PlayerCommand, files: [String]?, leftOut: [ListError], skipped: [AudioError],
    _ reader: sending any AudioReader
  ) {
    self.command = command
    (self.files, self.leftOut, self.skipped) = (files, leftOut, skipped)
    path = reader.path
    self.reader = Locked(reader)
  }

  /// Whether it has a file.
  public var isOpen: Bool { !path.isEmpty }

  /// The open file, if it has this path and was not taken before.
  func take(_ path: String) -> (any AudioReader)? {
    guard path == self.path else { return nil }
    return reader.withLock { reader in
      defer { reader = nil }
      return reader
    }
  }

  /// Closes the file, if it was not taken.
  func close() { reader.withLock { $0 = nil } }
}

/// Why none of the files of a command can be played, as data; `message` is its one sentence.
public enum OpenRefusal: Error, Equatable, Sendable {
  /// No file can be played: the first one's fault, and the number of files.
  case file(AudioError, of: Int)
  /// A folder or a list leads to no file.
  case list(ListError)

  /// The stable name.
  public var code: String {
    switch self {
    case .file(let fault, _): fault.code.rawValue
    case .list(let fault): fault.code.rawValue
    }
  }

  /// What, where, and what to do; without a full stop.
  public var message: String {
    switch self {
    case .file(let fault, 1): fault.message
    case .file(let fault, let count): "none of \(count) files can be played; the first: \(fault.message)"
    case .list(let fault): fault.message
    }
  }
}
