import Foundation
import Glibc
import Rendering
import TestSupport
import Testing

/// A relay between a show and those who look at it, all of them real programs.
@Suite(.serialized, .blockingInBrowser) struct RelayTests {
  private static let graph = """
    visgraph: 1
    name: Far away
    view: { key: { stage: look-at-it, desk: a-word-of-ours } }
    nodes:
      tone: { type: tone-source, level: -20 dB }
      meter: { type: meter }
      level: { type: meter-table }
      sparks: { type: emitter, cells: { spark: { birthRate: 80, lifetime: 1, contents: spark.png } } }
    wires:
      - tone -> meter -> level -> sparks
    """

  private static func show(in folder: TemporaryFolder, port: UInt16? = nil) throws -> ViewedShow {
    let pixels = [[UInt8]](repeating: [200, 0, 0, 255], count: 16).flatMap { $0 }
    try Picture(width: 4, height: 4, pixels: pixels).write(path: folder.file("spark.png"), replacing: true)
    return try ViewedShow(graph: folder.write(graph, to: "graph.yaml"), port: port)
  }

  /// A relay of what stands at an address, and the port where it serves pages.
  private static func relay(_ address: String) throws -> (child: Child, port: UInt16) {
    let child = try Visgraph.start("relay", address)
    return (child, try child.viewPort())
  }

  @Test func `a page far behind two relays has the particles of the show to the bit, and its pictures`()
    throws
  {
    let folder = try TemporaryFolder()
    let show = try Self.show(in: folder)
    let near = try Self.relay(show.address)
    let far = try Self.relay("http://127.0.0.1:\(near.port)/?view=left")
    #expect(far.child.says("its stage is handed on", within: 60), "\(far.child.notes)")
    // Five prints have been compared by then.
    let look = PageLookAside(
      "http://127.0.0.1:\(far.port)/?draw=gl",
      until:
        "stagePage.counts.frames > 300 && [...stagePage.pictures.known.values()].some((one) => one?.pixels[0] === 200)",
      [
        "String(stagePage.counts.mended + stagePage.counts.broken)",
        "String(stagePage.connection.clock.isKnown)",
      ])
    // Meanwhile others come late at both relays, and are each given a state.
    for port in [near.port, far.port, near.port, far.port] {
      let peer = try ViewPeer(port, sends: [(#"{"stage": true}"#, nil)])
      #expect(peer.hears(#""may":"watch""#) && peer.hears(#"{"bytes": [2, 1, "#), "\(peer.notes)")
    }
    let seen = try look.result()
    #expect(seen.isReady && seen.answers == ["0", "true"] && seen.log.isEmpty, "\(seen)")
    for child in [far.child, near.child] {
      child.signal(SIGTERM)
      #expect(child.exitCode(within: 60) == 0, "\(child.notes)")
    }
  }

  @Test func `through a relay no viewer can steer or see the desk`() throws {
    let folder = try TemporaryFolder()
    let show = try Self.show(in: folder)
    let relay = try Self.relay(show.address)
    #expect(relay.child.says("its stage is handed on", within: 60), "\(relay.child.notes)")
    let peer = try ViewPeer(
      relay.port,
      sends: [
        (#"{"send": ["/visgraph/blackout", 1]}"#, "view-relay"), (#"{"listen": "/visgraph"}"#, "view-relay"),
        (#"{"ping": 7}"#, #"{"pong":7,"clock":"#), (#"{"stage": 3}"#, "view-argument"),
      ])
    #expect(peer.hears(#""code":"view-argument""#), "\(peer.notes) \(peer.lines)")
    let desk = try Child(["curl", "-s", "-w", "%{http_code}", "http://127.0.0.1:\(relay.port)/desk"])
    #expect(desk.exitCode() == 0 && desk.results.hasSuffix("404"), "\(desk.results)")
  }

  @Test func `a relay is opened by its machine's names and listed ones, and reports others`()
    throws
  {
    let relay = try Visgraph.start(
      "relay", "http://127.0.0.1:9/?key=look-at-it", "--view-name", "stage.example.org")
    let port = try relay.viewPort()
    for (host, code) in [
      ("stage.example.org", "200"), ("localhost", "200"), ("stage.example.com", "403"),
      ("printer.local", "403"),
    ] {
      let page = try Child([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "-H",
        "Accept: text/html",
        "http://127.0.0.1:\(port)/",
      ])
      #expect(page.exitCode() == 0 && page.results == code, "\(host): \(page.results)")
    }
    #expect(relay.says("view: a browser at 127.0.0.1 is refused, as it asks for stage.example.com: "))
    #expect(!relay.notes.contains("printer.local") && !relay.notes.contains("look-at-it"), "\(relay.notes)")
    relay.signal(SIGTERM)
    #expect(relay.exitCode(within: 60) == 0)
  }

  @Test func `a relay looks for a lost show, accepts no viewer meanwhile, and goes on when the show is back`()
    throws
  {
    let folder = try TemporaryFolder()
    // One that no other show takes while this one is away.
    let port = try OscReceiver.closedPort()
    let first = try Self.show(in: folder, port: port)
    let relay = try Self.relay(first.address)
    #expect(relay.child.says("its stage is handed on", within: 60), "\(relay.child.notes)")
    let early = try ViewPeer(relay.port, sends: [(#"{"stage": true}"#, nil)])
    #expect(early.hears(#"{"bytes": [4, 1, "#), "\(early.notes)")
    first.child.signal(SIGKILL)
    #expect(poll(within: 60) { early.hasEnded }, "\(early.lines.count)")
    #expect(relay.child.says("the show has ended the connection; it is looked for", within: 60))
    #expect(relay.child.says("the show cannot be reached", within: 60), "\(relay.child.notes)")
    let refused = try ViewPeer(relay.port, sends: [])
    #expect(poll(within: 60) { refused.hasEnded } && refused.notes.contains("503"), "\(refused.notes)")
    let second = try Self.show(in: folder, port: port)
    #expect(second.address == first.address)
    #expect(relay.child.says("its stage is handed on", times: 2, within: 60), "\(relay.child.notes)")
    let late = try ViewPeer(relay.port, sends: [(#"{"stage": true}"#, nil)])
    #expect(late.hears(#"{"bytes": [4, 1, "#), "\(late.notes)")
  }

  @Test func `a page that a relay refuses shows the reason`() throws {
    let relay = try Self.relay("http://127.0.0.1:9")
    let said = "stagePage.note.textContent === 'The show is not there; it is looked for.'"
    let look = try PageLook("http://127.0.0.1:\(relay.port)/", until: said, ["stagePage.connection.reason"])
    #expect(look.isReady && look.answers == ["The show is not there; it is looked for."], "\(look)")
    relay.child.signal(SIGTERM)
    #expect(relay.child.exitCode(within: 60) == 0, "\(relay.child.notes)")
  }

  @Test func `a page asks a relay without its show again as it does a server that does not answer`() throws {
    let relay = try Self.relay("http://127.0.0.1:9")
    // Each pause before a retry is twice the one before, up to 4 s; after a refusal it is 15 s.
    let look = try PageLook(
      "http://127.0.0.1:\(relay.port)/?by=socket",
      until: """
        (() => {
          if (!globalThis.pauses) {
            const wait = globalThis.setTimeout
            globalThis.pauses = []
            globalThis.setTimeout = (action, pause, ...rest) => {
              pauses.push(pause)
              return wait(action, pause, ...rest)
            }
          }
          // The script may come too late for one of them.
          return pauses.includes(2000) || pauses.includes(4000)
        })()
        """, ["String(pauses.includes(15000))", "stagePage.connection.reason"])
    let reason = "The show is not there; it is looked for."
    #expect(look.isReady && look.answers == ["false", reason], "\(look)")
    relay.child.signal(SIGTERM)
    #expect(relay.child.exitCode(within: 60) == 0, "\(relay.child.notes)")
  }

  @Test func `an invalid address of a show is wrong usage`() throws {
    let ending = try Visgraph.run("relay", "127.0.0.1:7780")
    #expect(ending.code == 64 && ending.notes.contains("an address begins with http://"), "\(ending.notes)")
  }
}
