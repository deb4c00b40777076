import Foundation
import TestSupport
import Testing

/// The pages for others that graphs/VIEW.md prints, opened as files in a real browser beside a real show.
@Suite(.serialized, .blockingInBrowser) struct ViewExampleTests {
  private static let graph = """
    visgraph: 1
    view: { key: a-word-of-ours }
    nodes:
      tone: { type: tone-source, level: -20 dB, channels: 2 }
      meter: { type: meter }
      level: { type: meter-table }
    wires: [tone -> meter -> level]
    """

  /// The first block of a language that the page prints, for the port of a show.
  private static func example(_ language: String, for show: ViewedShow) throws -> String {
    let text = try String(contentsOf: HouseTests.root.appending(path: "graphs/VIEW.md"), encoding: .utf8)
    let start = try #require(text.firstRange(of: "```\(language)\n")).upperBound
    let end = try #require(text[start...].firstRange(of: "```")).lowerBound
    let port = try #require(show.address.split(separator: ":").last)
    return String(text[start..<end]).replacing("127.0.0.1:7780", with: "127.0.0.1:\(port)")
  }

  private func show(in folder: TemporaryFolder) throws -> ViewedShow {
    try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
  }

  @Test func `the page of twenty lines shows every level`() throws {
    let folder = try TemporaryFolder()
    let show = try show(in: folder)
    let path = try folder.write(Self.example("html", for: show), to: "levels.html")
    let lines = "document.getElementById('levels').textContent.split('\\n')"
    let look = try PageLook(
      "file://\(path)", until: "\(lines).some((line) => line.startsWith('/visgraph/level/meter/2 '))",
      ["\(lines).find((line) => line.startsWith('/visgraph/level/meter/1 ')).trim().split(/ +/)[1]"])
    #expect(look.isReady && look.answers == ["-20.0"] && look.log.isEmpty, "\(look)")
    #expect(!show.child.hasEnded)
  }

  /// p5.js itself is not packaged: of it the sketch needs a size and a few functions.
  @Test func `the sketch for p5 draws a circle for every channel`() throws {
    let folder = try TemporaryFolder()
    let show = try show(in: folder)
    let page = """
      <!doctype html>
      <script>
        var [width, height, windowWidth, windowHeight, circles] = [400, 200, 400, 200, []]
        for (const name of ['createCanvas', 'background', 'noStroke', 'fill']) window[name] = () => {}
        window.circle = (...circle) => circles.push(circle)
      </script>
      <script>\(try Self.example("js", for: show))</script>
      <script>setup()</script>
      """
    let look = try PageLook(
      "file://\(try folder.write(page, to: "sketch.html"))",
      until: "(circles = [], draw(), circles.length === 2 && circles.every((one) => one[2] > 0))",
      ["circles.map((one) => one.slice(0, 2)).join()"])
    #expect(look.isReady && look.answers == ["100,100,300,100"] && look.log.isEmpty, "\(look)")
    #expect(!show.child.hasEnded)
  }
}
