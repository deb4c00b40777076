public import Foundation

/// The folder of the project.
public let projectFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The files below Tests that hold expected results. `tools/generate --goldens` makes all of them anew; an author looks
/// at the differences before the commit.
public enum Golden {
  /// Whether the files are written anew, and not compared.
  public static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"

  /// The folder Tests.
  public static let folder = projectFolder.appending(path: "Tests").path

  /// Describes where a file, named relative to Tests, first differs from `found`. Nil if it does not differ. A missing
  /// file counts as empty.
  public static func difference(of name: String, from found: Data) throws -> String? {
    let path = "\(folder)/\(name)"
    guard isRecording else { return firstDifference(bytes(of: path), found) }
    if found.isEmpty {
      try? FileManager.default.removeItem(atPath: path)
    } else if found != bytes(of: path) {
      try found.write(to: URL(fileURLWithPath: path))
    }
    return nil
  }

  /// The paths of all files below a folder of Tests with this ending, sorted, without the ending.
  public static func names(below place: String, ending: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
    return paths.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }
}
