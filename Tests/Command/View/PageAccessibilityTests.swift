import Foundation
import TestSupport
import Testing

/// What axe-core, the common list of what makes pages hard to use for some, finds in ours: nothing.
@Suite(.serialized, .blockingInBrowser) struct PageAccessibilityTests {
  /// The file of its rules, from the Python package that carries it.
  static func axe() throws -> String {
    let program = """
      import importlib.util
      print(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0] + "/axe.min.js")
      """
    let child = try Child(["python3", "-c", program])
    try #require(child.exitCode() == 0, "tools/setup tests installs it: \(child.notes)")
    return child.results.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A color on its way to another has the contrast of neither.
  private static let still = """
    Promise.all(document.getAnimations()
      .filter((moving) => Number.isFinite(moving.effect.getComputedTiming().endTime))
      .map((moving) => moving.finished.catch(() => {})))
    """

  /// What it finds, one rule and place a line, in each part of the page that a phone shows by itself.
  static let violations = """
    (async () => {
      const found = [];
      const tabs = [...document.querySelectorAll('nav button')].filter((tab) => tab.offsetParent);
      for (const tab of tabs.length > 0 ? tabs : [null]) {
        tab?.click();
        await \(still);
        const { violations } = await axe.run({ exclude: [['iframe']] }, { iframes: false, resultTypes: ['violations'] });
        for (const { id, nodes } of violations) found.push(...nodes.map((node) => `${tab?.id} ${id}: ${node.html.slice(0, 120)}`));
      }
      return found.join('\\n');
    })()
    """

  @Test func `the desk has no fault of accessibility, light and dark, on a screen and on a phone`() throws {
    let (show, axe) = (try ViewedShow(), try Self.axe())
    for size in ["1280x720", "390x844"] {
      for isLight in [false, true] {
        let look = try PageLook(
          "\(show.address)/desk",
          until: "document.querySelectorAll('.setting').length > 5 && document.querySelector('.player')",
          [Self.violations], script: axe, on: .init(isLight: isLight, size: size))
        #expect(look.isReady && look.answers == [""] && look.log.isEmpty, "\(size) \(isLight) \(look)")
      }
    }
  }

  @Test func `the stage has no fault of accessibility, and writes nothing to its console`() throws {
    let (show, axe) = (try ViewedShow(), try Self.axe())
    let look = try PageLook(
      "\(show.address)/?draw=gl", until: "stagePage.counts.pictures > 0", [Self.violations], script: axe)
    #expect(look.isReady && look.answers == [""] && look.log.isEmpty, "\(look)")
    #expect(!show.child.hasEnded)
  }

  @Test func `the playground has no fault of accessibility, light and dark, on a screen and on a phone`()
    throws
  {
    let axe = try Self.axe()
    // Tabs are made anew with each look at another part.
    let violations = """
      (async () => {
        const found = [];
        const count = document.querySelectorAll('[role=tab]').length;
        for (let i = 0; i < count; i++) {
          document.querySelectorAll('[role=tab]')[i].click();
          await \(Self.still);
          const { violations } = await axe.run({ resultTypes: ['violations'] });
          for (const { id, nodes } of violations) found.push(...nodes.map((node) => `${i} ${id}: ${node.html.slice(0, 120)}`));
        }
        return found.join('\\n');
      })()
      """
    for size in ["1280x720", "390x844"] {
      for isLight in [false, true] {
        let look = try PageLook(
          PlaygroundTests.page.absoluteString + "?draw=gl", until: "playground.counts.pictures > 0",
          [violations],
          script: axe, on: .init(isLight: isLight, size: size))
        #expect(look.isReady && look.answers == [""] && look.log.isEmpty, "\(size) \(isLight) \(look)")
      }
    }
  }
}
