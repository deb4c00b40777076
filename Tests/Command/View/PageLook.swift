import Foundation
import System
import TestSupport
import Testing

/// What a real browser, a headless Chromium, says of a page.
struct PageLook: Decodable, Sendable {
  /// Whether what was waited for came to hold.
  let isReady: Bool
  /// What the questions were answered, in order.
  let answers: [String?]
  /// What the page wrote to its console.
  let log: [String]

  /// How a page is shown.
  struct Screen {
    var isLight = false
    var size = "1280x720"
  }

  /// One browser at a time: each paints with all cores.
  private static let turn = Locked(())

  /// Opens a page, runs a script once `ready` holds there, and asks.
  init(
    _ url: String, until ready: String, _ questions: [String], picture: String? = nil, script: String? = nil,
    on screen: Screen = Screen()
  ) throws {
    let browser = HouseTests.root.appending(path: "Tests/Pages/browser.js").path
    var words =
      ["node", "--experimental-default-type=module", "--no-warnings", browser, url, ready] + questions
    words += ["--size", screen.size, "--scheme", screen.isLight ? "light" : "dark"]
    if let script { words += ["--script", script] }
    if let picture { words += ["--picture", picture] }
    self = try Self.turn.withLock { _ in
      let child = try Child(words)
      try #require(child.exitCode(within: 120) == 0, "\(child.notes)")
      return try JSONDecoder().decode(PageLook.self, from: Data(child.results.utf8))
    }
  }
}

/// A show that runs live without a sound server, and where its pages are.
struct ViewedShow {
  let child: Child
  let address: String

  init(_ arguments: String..., graph: String? = nil, port: UInt16? = nil) throws {
    let graph = graph ?? HouseTests.root.appending(path: "graphs/stereo-sparks.yaml").path
    let all =
      ["run", graph, "--host", "clock", "--control", "off", "--view", port.map { "\($0)" } ?? "on"]
      + arguments
    child = try Child([Visgraph.path] + all)
    address = "http://127.0.0.1:\(try child.viewPort())"
  }
}

/// A page that is looked at while the test does other things.
final class PageLookAside: Sendable {
  private let seen = Locked<PageLook?>(nil)
  private let thread: TestThread

  /// Opens it as `PageLook` does.
  init(_ url: String, until ready: String, _ questions: [String]) {
    let seen = seen
    thread = TestThread {
      let look = try? PageLook(url, until: ready, questions)
      seen.withLock { $0 = look }
    }
  }

  /// What was seen, once the page is closed.
  func result() throws -> PageLook {
    #expect(poll(within: 300) { thread.isDone })
    return try #require(seen.withLock { $0 })
  }
}
