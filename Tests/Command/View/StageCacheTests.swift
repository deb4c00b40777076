import Foundation
import Glibc
import TestSupport
import Testing

/// The stage handed on by caches of others, as patches/caches sets them up.
@Suite(.serialized, .blockingInBrowser) struct StageCacheTests {
  private static let graph = """
    visgraph: 1
    name: Far away
    view: { key: { stage: look-at-it, desk: a-word-of-ours } }
    nodes:
      tone: { type: tone-source, level: -20 dB }
      meter: { type: meter }
      level: { type: meter-table }
      sparks: { type: emitter, cells: { spark: { birthRate: 80, lifetime: 1 } } }
    wires:
      - tone -> meter -> level -> sparks
    """

  /// A cache in front of a show, and where it listens.
  private final class Cache {
    let show: ViewedShow
    let child: Child
    let address: String

    init(_ name: String, in folder: TemporaryFolder) throws {
      let show = try ViewedShow(graph: folder.write(StageCacheTests.graph, to: "graph.yaml"))
      self.show = show
      let port = try OscReceiver.closedPort()
      address = "http://127.0.0.1:\(port)"
      let origin = show.address.split(separator: ":").last.map(String.init) ?? ""
      var text = try String(
        contentsOf: projectFolder.appending(path: "patches/caches/\(name)"), encoding: .utf8)
      text.replace("7780", with: origin)
      text.replace("127.0.0.1:8080", with: "127.0.0.1:\(port)")
      let file = try folder.write(text, to: name)
      child =
        name == "nginx.conf"
        ? try Child(["/usr/sbin/nginx", "-p", folder.path, "-c", file])
        : try Child([
          "/usr/sbin/varnishd", "-F", "-n", folder.file("varnish"), "-a", "127.0.0.1:\(port)", "-f", file,
          "-s", "malloc,64m",
        ])
    }

    /// What `curl` says of an address: the status and the fields, in small letters, and the body.
    func get(_ path: String) throws -> String {
      let curl = try Child(["curl", "-s", "-i", "-m", "60", "\(address)\(path)"])
      _ = curl.exitCode()
      return curl.results.lowercased()
    }

    /// Ends the cache, and what it has started with it.
    func end() {
      child.signal(SIGTERM)
      #expect(child.exitCode(within: 60) != nil, "\(child.notes)")
    }
  }

  private static let areThere = ["nginx", "varnishd"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/\($0)")
  }

  @Test(
    .enabled(if: areThere, "needs nginx and Varnish (tools/setup tests)"),
    arguments: ["nginx.conf", "stage.vcl"])
  func `a page behind a cache has the particles of the show to the bit, by pieces, and late`(_ name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let cache = try Cache(name, in: folder)
    #expect(
      poll(within: 60) { (try? cache.get("/?key=look-at-it"))?.contains(" 200") == true },
      "\(cache.child.notes)")
    // Without the key nothing leads through; nor does anything of the desk.
    let refused = try [cache.get("/stream/now"), cache.get("/desk?key=a-word-of-ours")]
    #expect(refused[0].contains(" 403") && refused[1].contains(" 404"), "\(refused)")
    let look = try PageLook(
      "\(cache.address)/?draw=cpu&key=look-at-it", until: "stagePage.counts.frames > 200",
      [
        "String(stagePage.counts.mended + stagePage.counts.broken)",
        "String(stagePage.connection.isByPieces && stagePage.connection.pieces.count > 3)",
        "String(stagePage.delay)", "String(stagePage.connection.clock.isKnown)",
      ])
    #expect(look.isReady && look.answers == ["0", "true", "1.5", "true"], "\(look)")
    // A piece is kept for the others, the clock of the program is not.
    let now = try cache.get("/stream/now?key=look-at-it")
    let run = try #require(now.firstMatch(of: #/"run":"([0-9a-f]+)","piece":0.5,"delay":1.5,"state":(\d+)/#))
    let piece = try cache.get("/stream/\(run.1)/\(run.2)?key=look-at-it")
    #expect(
      piece.contains(" 200") && piece.contains("cache-control: public, max-age=60, immutable"), "\(piece)")
    let clocks = try (0..<2).map { _ in try cache.get("/stream/clock?key=look-at-it") }
    #expect(clocks[0] != clocks[1] && clocks[0].contains("cache-control: no-store"), "\(clocks)")
    cache.end()
  }

  @Test
  func `a page changes from pieces to a socket once there is one, and back, without another picture`()
    throws
  {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
    let port = try #require(show.address.split(separator: ":").last)
    let program = projectFolder.appending(path: "Tests/Pages/proxy.js").path
    // The first socket is refused, the second lasts four seconds, and from then on there is none.
    let proxy = try Child([
      "node", "--experimental-default-type=module", "--no-warnings", program, "\(port)", "0,4",
    ])
    #expect(poll(within: 60) { proxy.results.hasSuffix("\n") }, "\(proxy.notes)")
    let look = try PageLook(
      "http://127.0.0.1:\(proxy.results.filter(\.isNumber))/?draw=cpu&key=look-at-it",
      until: """
        (() => {
          const { connection, counts } = stagePage
          const note = () => {
            if (ways.at(-1) !== connection.isByPieces) ways.push(connection.isByPieces)
          }
          if (!globalThis.ways) {
            globalThis.ways = []
            // Looks come late on a busy machine: the socket may be gone by the next one.
            connection.addEventListener('open', note)
          }
          note()
          if (!ways.join().endsWith('true,false,true')) return false
          globalThis.mark ??= counts.frames
          return counts.frames > mark + 60
        })()
        """,
      ["String(stagePage.counts.mended + stagePage.counts.broken)", "stagePage.absence.state"])
    #expect(look.isReady && look.answers == ["0", "there"], "\(look)")
  }

  @Test func `a page by pieces goes on after it was hidden, and with another painter`() throws {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
    // Each step once frames have come since the one before.
    let steps = """
      (() => {
        const { counts, drawing } = stagePage;
        const show = (state) => {
          Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        };
        window.steps ??= ['hidden', 'visible', 'another painter', 'done'];
        window.mark ??= 0;
        const isDue = steps[0] === 'visible' ? !stagePage.isJoined : counts.frames > mark + 60;
        if (!isDue) return false;
        const step = steps.shift();
        if (step === 'another painter') drawing.onChange();
        else if (step !== 'done') show(step);
        window.mark = counts.frames;
        return step === 'done';
      })()
      """
    let look = try PageLook(
      "\(show.address)/?draw=cpu&by=pieces&key=look-at-it", until: steps,
      [
        "String(stagePage.counts.mended + stagePage.counts.broken)",
        "String(stagePage.connection.isByPieces)", "stagePage.absence.state",
      ])
    #expect(look.isReady && look.answers == ["0", "true", "there"], "\(look)")
  }

  @Test func `a page that the show itself serves uses the socket, and requests no piece`() throws {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph, to: "graph.yaml"))
    let look = try PageLook(
      "\(show.address)/?draw=cpu&key=look-at-it", until: "stagePage.counts.frames > 60",
      ["String(stagePage.connection.isByPieces)", "String(stagePage.connection.delay)"])
    #expect(look.isReady && look.answers == ["false", "0"] && look.log.isEmpty, "\(look)")
  }
}
