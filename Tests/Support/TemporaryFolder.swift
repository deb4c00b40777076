import Foundation

/// A folder of a test, removed with its contents when this object is freed.
public final class TemporaryFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/visgraph-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a text file. Returns its path.
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// Writes bytes to a file. Returns its path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// Writes a program, such as a script. Returns its path. Another process writes it: a file that this process has open
  /// for writing cannot be executed (ETXTBSY), and every child that starts meanwhile inherits the descriptor until its
  /// exec.
  @discardableResult
  public func writeProgram(_ text: String, to name: String) throws -> String {
    let source = try write(text, to: "\(name).text")
    let copy = try Child(["sh", "-c", "cp \"$1\" \"$2\" && chmod 755 \"$2\"", "sh", source, file(name)])
    guard copy.exitCode() == 0 else { throw Child.Failure(description: copy.notes) }
    return file(name)
  }
}
