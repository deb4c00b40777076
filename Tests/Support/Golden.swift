public import Foundation

/// The folder of the project.
public let projectFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Files below Tests that hold what a test expects. `tools/generate --goldens` makes all of them anew; what has changed
/// is then looked at before it is committed.
public enum Golden {
  /// Whether the files are made anew rather than compared with.
  public static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1"

  /// The folder Tests.
  public static let folder = projectFolder.appending(path: "Tests").path

  /// Where a file, named from Tests on, first differs from what was found, in words; nil when it does not. A file that is
  /// not there has no bytes.
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

  /// The paths of all files below a folder of Tests that end so, without that ending, in order.
  public static func names(below place: String, ending: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
    return paths.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }
}
