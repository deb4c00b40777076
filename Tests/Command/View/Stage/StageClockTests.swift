import Foundation
import TestSupport
import Testing

/// What a stage makes of the answers of the program's clock, and of the moments at which its browser calls it.
@Suite struct StageClockTests {
  @Test func `the clock of the program is where all answers meet, a picture begins when the browser says`()
    throws
  {
    let script = HouseTests.root.appending(path: "Tests/Pages/clock.js").path
    let child = try Child(["node", "--experimental-default-type=module", "--no-warnings", script])
    #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
    #expect(child.results == "")
  }
}
