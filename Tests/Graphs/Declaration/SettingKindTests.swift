import TestSupport
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

  @Test func `a remembered picture is looked at again when its file has changed, or too many were before it`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.png")
    let looks = LookCount()
    let catalog = Catalog(types: []) { _, pixels in
      looks.count += 1
      pixels += 10
      return looks.isFaulty ? ("fault", "") : nil
    }.cachingPictureChecks()
    let check = try #require(catalog.pictureCheck)
    func look(_ before: Int) -> (Bool, Int, Int) {
      var pixels = before
      let fault = check(path, &pixels)
      return (fault == nil, pixels, looks.count)
    }
    _ = try folder.write("a", to: "a.png")
    #expect(look(5) == (true, 15, 1))
    #expect(look(5) == (true, 15, 1))
    #expect(look(0) == (true, 10, 1))
    #expect(look(6) == (true, 16, 2))
    _ = try folder.write("ab", to: "a.png")
    #expect(look(0) == (true, 10, 3))
    looks.isFaulty = true
    #expect(look(0) == (true, 10, 3))
    _ = try folder.write("abc", to: "a.png")
    #expect(look(0).0 == false)
    #expect(look(0) == (false, 10, 5))
  }
}

private final class LookCount: @unchecked Sendable {
  var count = 0
  var isFaulty = false
}
