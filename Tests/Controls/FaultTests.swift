import Controls
import Foundation
import Graphs
import TestSupport
import Testing

/// Graph files that are wrong, and what `check` says of each: `Tests/Faults/NAME.yaml` and `NAME.txt`, by subject. What
/// such files name lies in a folder `files` beside them.
///
/// A new one is a graph file; `tools/generate --goldens` writes its text.
@Suite struct FaultTests {
  static let names = Golden.names(below: "Faults", ending: ".yaml").filter { !$0.contains("/files/") }

  @Test(arguments: names)
  func `a wrong graph file is told where, what and what to do`(name: String) throws {
    let path = "\(Golden.folder)/Faults/\(name)"
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let checked = Checker.complete.checkAnyFile(path: path + ".yaml")
    #expect(checked.graph == nil || checked.faults.isEmpty)
    let said = DiagnosticText.text(checked).replacing(folder, with: "")
    #expect(said != "", "nothing is wrong with it")
    let difference = try Golden.difference(of: "Faults/\(name).txt", from: Data(said.utf8))
    #expect(difference == nil, "\(name): \(difference ?? "")")
  }

  @Test(.enabled(if: !Golden.isRecording))
  func `there are as many as anybody can make, and each text has its file`() {
    #expect(Self.names.count >= 250)
    #expect(Golden.names(below: "Faults", ending: ".txt") == Self.names)
  }
}
