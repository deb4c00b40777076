import System

/// A command of a player with the file open that it leads to, which has been found to give sound. [any]
///
/// `Player.open` makes it and waits for disks; `Player.perform` does it at once.
public final class OpenedCommand: Sendable {
  /// What is to be done, as a control score has it.
  public let command: PlayerCommand
  /// The files of the list that a load comes to; nil: the list stays.
  let files: [String]?
  /// What of that list was left out.
  let leftOut: [ListError]
  /// Why the files before it cannot be played.
  let skipped: [AudioError]
  private let path: String
  private let reader: Locked<(any AudioReader)?>

  /// A command that leads to no other file.
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

  /// The file, where it is this one and nobody has taken it.
  func take(_ path: String) -> (any AudioReader)? {
    guard path == self.path else { return nil }
    return reader.withLock { reader in
      defer { reader = nil }
      return reader
    }
  }

  /// Closes the file, where nobody has taken it.
  func close() { reader.withLock { $0 = nil } }
}

/// Why nothing of what a player was asked for can be played, as data; `message` is its one sentence.
public enum OpenRefusal: Error, Equatable, Sendable {
  /// No file can be: why the first cannot, and how many there are.
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

  /// What, where, what to do; without a full stop.
  public var message: String {
    switch self {
    case .file(let fault, 1): fault.message
    case .file(let fault, let count): "none of \(count) files can be played; the first: \(fault.message)"
    case .list(let fault): fault.message
    }
  }
}
