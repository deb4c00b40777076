import Glibc

/// Why a film, or a row of pictures, cannot be begun or finished. [any]
public struct FilmFault: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let sentence: String

  /// Makes a fault.
  public init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// What the system said of a file.
  static func file(_ path: String, _ number: Int32) -> FilmFault {
    FilmFault(
      number == EEXIST ? "file-exists" : "cannot-write", "\(path): \(String(cString: strerror(number)))")
  }
}
