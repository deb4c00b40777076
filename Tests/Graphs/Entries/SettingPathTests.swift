import Testing

@testable import Graphs

@Suite struct SettingPathTests {
  private func tree(_ text: String) -> Tree? { Composer.compose(SourceText(path: "t", text: text)).tree }

  private func changed(_ old: String?, _ path: String, to value: String = "9", creates: Bool = false)
    -> String
  {
    let old = old.flatMap(tree)
    guard let value = tree(value) else { return "no value" }
    var path = SettingPath(path, value: value, creates: creates)
    let kind = Sprinkler.Settings.field(path.head)?.kind ?? .flag
    do throws(SettingPath.PathError) { return try path.change(old, kind).flow } catch {
      switch error {
      case .nothingInside(let place): return "nothing inside \(place)"
      case .unknown(let name, let place, let known, let before, let isSetting):
        return "\(before)|\(name) in \(place), \(isSetting ? "a setting, " : "")not \(known)"
      }
    }
  }

  @Test func `only the value at the end of a path is changed`() {
    #expect(
      changed("{ a: { birthRate: 1, lifetime: 2 }, b: {} }", "cells.a.birthRate")
        == "{ a: { birthRate: 9, lifetime: 2 }, b: {} }")
    #expect(changed("{ a: 1 }", "cells.a", to: "{ lifetime: [1, 2] }") == "{ a: { lifetime: [1, 2] } }")
    #expect(changed("5", "x") == "9")
    #expect(changed(nil, "x") == "9")
    #expect(changed("{ a: }", "cells.a.birthRate") == "{ a: { birthRate: 9 } }")
  }

  @Test func `older names lead to the same setting`() {
    #expect(
      changed("{ a: { cells: { b: { birthRate: 1 } } } }", "emitterCells.a.emitterCells.b.birthRate")
        == "{ a: { cells: { b: { birthRate: 9 } } } }")
    #expect(
      changed("{ a: { emitterCells: { b: { birthRate: 1 } } } }", "cells.a.cells.b.birthRate")
        == "{ a: { emitterCells: { b: { birthRate: 9 } } } }")
  }

  @Test func `of names with dots the longest match is taken`() {
    let old = "{ a: { lifetime: 1 }, a.b: { lifetime: 2 }, a.b.lifetimes: { lifetime: 3 } }"
    #expect(
      changed(old, "cells.a.b.lifetime")
        == "{ a: { lifetime: 1 }, a.b: { lifetime: 9 }, a.b.lifetimes: { lifetime: 3 } }")
    #expect(changed(old, "cells.a.lifetime").hasPrefix("{ a: { lifetime: 9 }"))
  }

  @Test func `an entry of a list is found by its number`() {
    #expect(changed("[{ key: a }, { key: b }]", "drive.2.key") == "[{ key: a }, { key: 9 }]")
    #expect(changed("[{ from: [1, 2] }]", "drive.1.from.2") == "[{ from: [1, 9] }]")
    #expect(changed("[{ key: a }]", "drive.0.key") == "drive.|0 in drive, not [\"1…1\"]")
    for number in [Int.min, Int.min + 1, -1, 2, Int.max] {
      #expect(changed("[{ key: a }]", "drive.\(number).key") == "drive.|\(number) in drive, not [\"1…1\"]")
    }
    #expect(changed("[{ key: a }]", "drive.x.key") == "drive.|x in drive, not [\"1…1\"]")
  }

  @Test func `a missing part of a path is reported, or created if requested`() {
    #expect(changed("{ a: {} }", "cells.b.birthRate") == "cells.|b in cells, not [\"a\"]")
    #expect(changed("{ a: {} }", "cells.b.birthRate", creates: true) == "cells.|b in cells, not [\"a\"]")
    #expect(
      changed("{ a: {} }", "cells.b", to: "{ birthRate: 9 }", creates: true)
        == "{ a: {}, b: { birthRate: 9 } }")
    #expect(changed("{}", "cells.b.birthRate", creates: true) == "{ b: { birthRate: 9 } }")
    #expect(
      changed("{ a: {} }", "cells.a.size")
        == "cells.a.|size in cells.a, a setting, not [\"birthRate\", \"lifetime\", \"color\", \"contents\", \"cells\"]"
    )
    #expect(changed("{ a: {} }", "cells.a.size.x", creates: true) == "{ a: { size: { x: 9 } } }")
    #expect(changed("{}", "cells..x") == "cells.| in cells, not []")
    #expect(changed("{}", "cells.") == "cells.| in cells, not []")
  }

  @Test func `a path into a plain value is refused`() {
    #expect(changed("5", "x.y") == "nothing inside x")
    #expect(changed("{ a: { birthRate: 5 } }", "cells.a.birthRate.y") == "nothing inside cells.a.birthRate")
    #expect(changed("7", "cells.a.birthRate") == "nothing inside cells")
    #expect(changed("{}", "drive.1.key") == "nothing inside drive")
  }
}
