import Foundation
import TestSupport
import Testing

/// Levels, packets and particles are those that are kept in Tests/Golden, to the byte: in debug, in release, on any
/// processor.
///
/// After a change that is meant, in the folder:
/// `visgraph render graph.yaml --for 3 -o expected.csv -o expected.osc --force`.
@Suite struct GoldenTests {
  private static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Golden"

  @Test(arguments: ["tones", "file", "events", "particles"])
  func `levels and packets are the kept ones`(name: String) throws {
    let out = try TemporaryFolder()
    let kept = "\(Self.folder)/\(name)"
    let ending = try Visgraph.run(
      "render", "\(kept)/graph.yaml", "--for", "3", "-o", out.file("a.csv"), "-o", out.file("a.osc"))
    #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    #expect(firstDifference(bytes(of: "\(kept)/expected.csv"), bytes(of: out.file("a.csv"))) == nil)
    let (expected, packets) = (bytes(of: "\(kept)/expected.osc"), bytes(of: out.file("a.osc")))
    #expect(expected == packets, "\(firstEntry(expected, packets))")
  }

  /// Words for the first entry in which two scores differ.
  private func firstEntry(_ one: Data, _ other: Data) -> String {
    guard let at = zip(one, other).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return "\(one.count) and \(other.count) bytes"
    }
    return
      "at byte \(at): \(hexadecimal(one.dropFirst(at).prefix(32))), \(hexadecimal(other.dropFirst(at).prefix(32)))"
  }
}
