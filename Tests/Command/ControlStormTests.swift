import Foundation
import TestSupport
import Testing

/// The control port under attack by tools/fuzz, in a network namespace of its own: a short run of what
/// `tools/fuzz control` does a million times.
@Suite(.serialized) struct ControlStormTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Attacks a show, and gives what was seen.
  private func attack(_ more: String...) throws -> (code: Int32?, lines: String) {
    let finds = try TemporaryFolder()
    let tools = Self.root.appending(path: "tools/fuzz.d/control").path
    // What is slow here may be the machine.
    let child = try Child(
      [
        "\(tools)/alone", "python3", "-B", "\(tools)/fuzz.py", Visgraph.path,
        Self.root.appending(path: "graphs/sounds").path, "--finds", finds.path, "--busy",
      ] + more)
    return (child.exitCode(within: 600), child.results + child.notes)
  }

  @Test func `4,000 hostile packets and streams from four addresses change nothing that may not be changed`()
    throws
  {
    let (code, lines) = try attack("--packets", "4000", "--seed", "29")
    #expect(code == 0 && lines.contains("no faults"), "\(lines)")
    // It has looked at what it was to look at.
    #expect(lines.contains("4000 packets and streams (") && lines.contains("values looked at ("), "\(lines)")
  }
}
