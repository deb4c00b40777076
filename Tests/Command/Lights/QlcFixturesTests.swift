import Foundation
import TestSupport
import Testing

/// What lamps do that were imported from files of QLC+, beside what QLC+ makes of the same files.
@Suite(.blocking) struct QlcFixturesTests {
  /// What Tests/Lights/qlc_fixtures.py prints.
  private struct Printed: Decodable {
    let lamps: Int
    let compared: Int
    /// What differs here, in QLC+, and from what QLC+ says that slots are.
    let ours: [String]
    let theirs: [String]
    let kinds: [String]
  }

  @Test func `ten fixtures give the slots of QLC+, for 20 values of each attribute`() throws {
    let script = projectFolder.appending(path: "Tests/Lights/qlc_fixtures.py").path
    let child = try Child(["python3", script, Visgraph.path])
    let code = child.exitCode(within: 240)
    if code == 77 {
      #expect(ProcessInfo.processInfo.environment["CI"] == nil, "QLC+ is not installed: tools/setup tests")
      return noteTooBusy("QLC+ is not installed, run tools/setup tests")
    }
    try #require(code == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
    #expect(printed.ours == [])
    #expect(printed.theirs == [])
    #expect(printed.kinds == [])
    #expect(printed.lamps == 10 && printed.compared == 3540)
  }
}
