/// Why a file of another program cannot be read. [control]
public struct ImportError: Error, Equatable, Sendable {
  /// A stable code in kebab case.
  public let code: String
  /// What is wrong, where, and what is allowed, in one sentence without a full stop.
  public let message: String

  init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error for a mode that was requested of a file without modes.
  public static func modeless(_ path: String) -> ImportError {
    ImportError(
      "no-modes", "\(FileText.shown(path, most: 4096)): is no lamp, and --mode takes one mode of a lamp")
  }
}
