/// Why a file of another program cannot be read: what, where, and what is allowed. [control]
public struct ImportError: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A mode was asked for of a file that has none.
  public static func modeless(_ path: String) -> ImportError {
    ImportError(
      "no-modes", "\(FileText.shown(path, most: 4096)): is no lamp, and --mode takes one mode of a lamp")
  }
}
