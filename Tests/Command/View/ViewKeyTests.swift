import Foundation
import Glibc
import TestSupport
import Testing

/// What pages say to a client that lacks the key, has one for less than they want, or asks for what is not there.
@Suite(.serialized, .blockingInBrowser) struct ViewKeyTests {
  private static let graph = """
    visgraph: 1
    name: A view
    view: { key: { stage: look-at-it, desk: a-word-of-ours } }
    nodes:
      tone: { type: tone-source, level: -20 dB, channels: 2 }
      gain: { type: gain }
      meter: { type: meter }
      level: { type: meter-table }
      sparks: { type: emitter, cells: { spark: { birthRate: 80, lifetime: 1 } } }
      rain: { type: emitter, cells: { drop: { birthRate: 8, lifetime: 1 } } }
    wires:
      - tone -> gain -> meter -> level -> sparks
      - level -> rain
    """

  /// A proxy before a show, behind which nobody is this machine.
  private struct Proxied {
    let show: ViewedShow
    let child: Child
    let address: String

    init(graph: String) throws {
      show = try ViewedShow("--allow", "any", graph: graph)
      let port = try #require(show.address.split(separator: ":").last)
      let program = HouseTests.root.appending(path: "Tests/Pages/proxy.js").path
      let child = try Child([
        "node", "--experimental-default-type=module", "--no-warnings", program, "\(port)",
      ])
      #expect(poll(within: 60) { child.results.hasSuffix("\n") }, "\(child.notes)")
      self.child = child
      address = "http://127.0.0.1:\(child.results.filter(\.isNumber))"
    }
  }

  /// Types a key into the page that asks for one, once, and waits for what is then there.
  private static func type(_ key: String, until ready: String) -> String {
    """
    (() => {
      const field = document.getElementById('key');
      if (!field) return \(ready);
      if (!sessionStorage.typed && document.readyState === 'complete') {
        sessionStorage.typed = `${document.getElementById('reason').textContent}`;
        field.value = '\(key)';
        field.form.requestSubmit();
      }
      return false;
    })()
    """
  }

  @Test func `without a key a page with a field for it is served, which opens the requested page`() throws {
    let folder = try TemporaryFolder()
    let proxied = try Proxied(graph: folder.write(Self.graph, to: "graph.yaml"))
    let desk = try PageLook(
      "\(proxied.address)/desk#node=gain",
      until: Self.type("a-word-of-ours", until: "!!document.getElementById('set-gain-0-gain')"),
      [
        "sessionStorage.typed", "location.pathname + location.search + location.hash",
        "String(document.getElementById('may').hidden)",
        "document.getElementById('stage-link').search",
      ])
    #expect(desk.isReady, "\(desk)")
    #expect(
      desk.answers == [
        "Other machines need the key: put ?key=WORD after the address.",
        "/desk?key=a-word-of-ours#node=gain", "true", "?key=a-word-of-ours",
      ], "\(desk)")
    // A wrong one is asked for again, and says so.
    let wrong = try PageLook(
      "\(proxied.address)/?view=left",
      until:
        "document.getElementById('reason')?.textContent.startsWith('That is not') || \(Self.type("a-word", until: "false"))",
      ["document.getElementById('reason').textContent", "location.search"])
    #expect(
      wrong.isReady && wrong.answers == ["That is not the key of this show.", "?view=left&key=a-word"],
      "\(wrong)")
  }

  @Test
  func `with the key of the stage the desk says that it only looks, and leads to the field for the other`()
    throws
  {
    let folder = try TemporaryFolder()
    let proxied = try Proxied(graph: folder.write(Self.graph, to: "graph.yaml"))
    // The message lasts some seconds; the list keeps it.
    let said = "document.querySelector('#messages li')?.lastChild.textContent"
    let looks = try PageLook(
      "\(proxied.address)/desk?key=look-at-it",
      until: "document.querySelectorAll('.node').length === 6 && \(said)",
      [
        said, "document.getElementById('may').textContent",
        "String(document.querySelector('.showbar').inert)",
        "[...document.querySelectorAll('.settings, .sound, .targets')].map((one) => one.getClientRects().length).join()",
        "[...document.querySelectorAll('#save, #undo, #reload')].map((one) => one.hidden).join()",
        "document.getElementById('may').getAttribute('href')",
      ])
    #expect(
      looks.answers == [
        "This page only looks: to steer, it needs the key of the desk.", "only looks", "true",
        "0,0,0", "true,true,true", "/key.html?key=look-at-it",
      ], "\(looks)")
    #expect(looks.log.isEmpty, "\(looks)")
    let steers = try PageLook(
      "\(proxied.address)/key.html?key=look-at-it",
      until: Self.type("a-word-of-ours", until: "!!document.querySelector('.setting')"),
      ["location.pathname + location.search", "String(document.getElementById('may').hidden)"])
    #expect(
      steers.isReady && steers.answers == ["/desk?key=a-word-of-ours", "true"], "\(steers)")
    // The stage leads to the desk those who may steer.
    let link = "document.getElementById('to-desk')"
    let stage = try PageLook(
      "\(proxied.address)/?draw=cpu&key=a-word-of-ours", until: "!\(link).hidden",
      [
        "\(link).pathname + \(link).search", "getComputedStyle(\(link)).display",
        "(dispatchEvent(new PointerEvent('pointermove')), getComputedStyle(\(link)).display)",
        "(dispatchEvent(new PointerEvent('pointermove', { movementX: 1 })), getComputedStyle(\(link)).display)",
      ])
    // On the stage, which stands on a wall, nothing is seen of it until the mouse moves; browsers send a move without a
    // way where a page appears below a mouse that rests.
    #expect(stage.answers == ["/desk?key=a-word-of-ours", "none", "none", "block"], "\(stage)")
    let guest = try PageLook(
      "\(proxied.address)/?draw=cpu&key=look-at-it", until: "stagePage.connection.hello",
      ["new Promise((done) => setTimeout(() => done(String(\(link).hidden)), 1200))"])
    #expect(guest.answers == ["true"], "\(guest)")
  }

  @Test func `the page of the key has no fault of accessibility, light and dark`() throws {
    let folder = try TemporaryFolder()
    let proxied = try Proxied(graph: folder.write(Self.graph, to: "graph.yaml"))
    for isLight in [false, true] {
      let look = try PageLook(
        "\(proxied.address)/desk", until: "document.getElementById('key')",
        [PageAccessibilityTests.violations], script: try PageAccessibilityTests.axe(),
        on: .init(isLight: isLight, size: "390x844"))
      #expect(look.isReady && look.answers == [""], "\(look)")
    }
  }

  @Test func `a stage reports unknown parts of its address, and what its graph lacks`() throws {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
    let missing = "document.getElementById('missing').textContent"
    func said(_ query: String) throws -> String {
      let look = try PageLook("\(show.address)/?draw=cpu&\(query)", until: "\(missing) !== ''", [missing])
      #expect(look.isReady && look.log.isEmpty, "\(look)")
      return look.answers[0] ?? ""
    }
    #expect(
      try said("view=middle")
        == "view=middle is left out: it takes left, right, top, bottom, 2of3 for the second of three, "
        + "or 5of3x2 for the fifth of three by two.")
    #expect(
      try said("gap=2&fit=wide")
        == "gap=2 is left out: it takes a part of a screen 0…1, or two: across, down. "
        + "fit=wide is left out: it takes cover or contain.")
    #expect(
      try said("rect=1,2&channel=0")
        == "rect=1,2 is left out: it takes four numbers 0…1, as 0,0.5,1,0.5: x, y, width, height. "
        + "channel=0 is left out: it takes a number from 1.")
    #expect(try said("emitter=fire") == "There is no emitter fire; there are sparks, rain.")
    // What is right, and a screen of the show, say nothing.
    for query in ["view=2of3&rect=0,0,1,1&emitter=rain&channel=2&delay=40&hold=0", "view=middle&kiosk"] {
      let look = try PageLook(
        "\(show.address)/?draw=cpu&\(query)", until: "stagePage.stage?.emitters.length === 2",
        ["new Promise((done) => setTimeout(() => done(\(missing)), 1200))"])
      #expect(look.answers == [""], "\(look)")
    }
    let plain =
      "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n"
    let bare = try ViewedShow(graph: folder.write(plain, to: "plain.yaml"))
    let none = "This graph has no emitter, so nothing is drawn on its stage."
    #expect(
      try PageLook("\(bare.address)/?draw=cpu", until: "\(missing) !== ''", [missing]).answers == [none])
    #expect(
      try PageLook(
        "\(bare.address)/desk", until: "document.querySelector('.setting')",
        ["document.getElementById('stage-note').textContent"]
      ).answers == [none])
  }

  @Test func `the run prints the address of the desk, without its key`() throws {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
    #expect(show.child.says("; desk \(show.address)/desk\n"), "\(show.child.notes)")
    #expect(!show.child.notes.contains("a-word-of-ours"))
  }
}
