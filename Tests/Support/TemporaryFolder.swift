import Foundation

/// A folder of a test's own, removed with everything in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/visgraph-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in it.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a text file and gives its path.
  public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// Writes bytes and gives the path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// Writes a program, such as a script, and gives its path. Another process does, which has no other child: what one of
  /// ours holds open for writing nobody can run (ETXTBSY), and every program that we start holds it for a moment.
  @discardableResult
  public func writeProgram(_ text: String, to name: String) throws -> String {
    let source = try write(text, to: "\(name).text")
    let copy = try Child(["sh", "-c", "cp \"$1\" \"$2\" && chmod 755 \"$2\"", "sh", source, file(name)])
    guard copy.exitCode() == 0 else { throw Child.Failure(description: copy.notes) }
    return file(name)
  }
}
