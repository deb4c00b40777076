import Foundation
import Glibc
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
  struct Screen: Sendable {
    var isLight = false
    var size = "1280x720"
  }

  /// One look at a time, as each page is painted with all cores, and all in one browser, which takes long to begin. It
  /// is started by the first look, and anew after one that failed.
  private static let browser = Locked<LineServer?>(nil)

  private static func startBrowser() throws -> LineServer {
    let program = HouseTests.root.appending(path: "Tests/Pages/browser.js").path
    // Nothing else lets go of it, with the folder that it has, when all tests are done.
    atexit { _ = PageLook.browser.withLockIfAvailable { $0 = nil } }
    return try LineServer(["node", "--experimental-default-type=module", "--no-warnings", program, "--serve"])
  }

  /// Opens a page, runs a script once `ready` holds there, and asks.
  init(
    _ url: String, until ready: String, _ questions: [String], picture: String? = nil, script: String? = nil,
    on screen: Screen = Screen()
  ) throws {
    var words = [url, ready] + questions
    words += ["--size", screen.size, "--scheme", screen.isLight ? "light" : "dark"]
    if let script { words += ["--script", script] }
    if let picture { words += ["--picture", picture] }
    let line = String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    self = try Self.browser.withLock { browser in
      do {
        let server = try browser ?? Self.startBrowser()
        browser = server
        let answer = try server.answer(to: line, within: 120)
        return try JSONDecoder().decode(PageLook.self, from: Data(answer.utf8))
      } catch {
        browser = nil
        throw error
      }
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
  init(
    _ url: String, until ready: String, _ questions: [String], on screen: PageLook.Screen = .init()
  ) {
    let seen = seen
    thread = TestThread {
      let look = try? PageLook(url, until: ready, questions, on: screen)
      seen.withLock { $0 = look }
    }
  }

  /// What was seen, once the page is closed.
  func result() throws -> PageLook {
    #expect(poll(within: 300) { thread.isDone })
    return try #require(seen.withLock { $0 })
  }
}
