import Controls
import Foundation
import Graphs
import TestSupport
import Testing

/// Graph files that are wrong, and the diagnostics of `check` for each: `Tests/Faults/NAME.yaml` and `NAME.txt`, by
/// subject. Files that they name lie in a folder `files` beside them.
///
/// A new case is a graph file; `tools/generate --goldens` writes its text.
@Suite struct FaultTests {
  static let names = Golden.names(below: "Faults", ending: ".yaml").filter { !$0.contains("/files/") }

  @Test(arguments: names)
  func `a wrong graph file gets diagnostics with the place, the fault and the remedy`(name: String) throws {
    let path = "\(Golden.folder)/Faults/\(name)"
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let checked = Checker.complete.checkAnyFile(path: path + ".yaml")
    #expect(checked.graph == nil || checked.faults.isEmpty)
    let diagnostics = DiagnosticText.text(checked).replacing(folder, with: "")
    #expect(diagnostics != "", "nothing is wrong with it")
    let difference = try Golden.difference(of: "Faults/\(name).txt", from: Data(diagnostics.utf8))
    #expect(difference == nil, "\(name): \(difference ?? "")")
  }

  @Test(.enabled(if: !Golden.isRecording))
  func `there are at least 250 wrong files, each with its text`() {
    #expect(Self.names.count >= 250)
    #expect(Golden.names(below: "Faults", ending: ".txt") == Self.names)
  }
}
