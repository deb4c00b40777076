import Testing

@testable import Graphs

@Suite struct SettingKindTests {
  @Test func `a path leads through records and maps, whatever names they hold`() {
    #expect(Sprinkler.setting(at: "cells")?.kind.isFlag == false)
    for path in ["cells.a.birthRate", "cells.a.b.birthRate"] {
      guard case .number? = Sprinkler.setting(at: path)?.kind else {
        Issue.record("\(path)")
        continue
      }
    }
    #expect(Sprinkler.setting(at: "none") == nil)
    #expect(Gauge.setting(at: "release.x") == nil)
    #expect(Gauge.setting(at: String(repeating: "a.", count: 300)) == nil)
    #expect(Gauge.setting(at: "release")?.each == true)
    #expect(Gauge.hasSetting("release") && !Gauge.hasSetting("x"))
  }
}
