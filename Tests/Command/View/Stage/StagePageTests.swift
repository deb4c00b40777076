import Foundation
import Glibc
import Rendering
import System
import TestSupport
import Testing

/// The stage in a real browser, looking at a real show.
@Suite(.serialized, .blockingInBrowser) struct StagePageTests {
  /// Takes nothing after some frame that the page has not reached yet, and says so once its picture is there.
  static let stop = """
    (() => {
      const page = stagePage;
      if (page.counts.frame > 0 && !page.last) {
        page.last = page.counts.frame + 60;
        const take = page.take.bind(page);
        page.take = (record) => { if (page.counts.frame < page.last) take(record); };
      }
      return page.counts.frame >= page.last && !page.isDirty && !page.drawing.painter.waiting;
    })()
    """

  /// The picture of a frame as `render` draws it.
  static func rendered(_ frame: Int, in folder: TemporaryFolder) throws -> Picture {
    let graph = HouseTests.root.appending(path: "graphs/stereo-sparks.yaml").path
    // The frame that lasts at that moment. The song is played again and again, also where a page came late to it.
    let seconds = (Double(frame) - 0.5) / 60
    let ending = try Visgraph.run(
      "render", graph, "--at", "\(seconds)", "--for", "\(seconds + 1)", "-o", folder.file("film.png"))
    try #require(ending.code == 0, "\(ending.notes)")
    return try Picture.read(path: folder.file("film.png"))
  }

  /// How far the bytes of two pictures are apart at most; 256 where they are of different sizes.
  static func farthest(_ a: Picture, _ b: Picture) -> Int {
    guard a.pixels.count == b.pixels.count else { return 256 }
    return zip(a.pixels, b.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// By the graphics processor within two steps of 255, by our own renderer to the byte.
  @Test(arguments: [("gl", 2), ("cpu", 0)])
  func `the stage shows the picture that render draws of the frame`(_ draw: String, _ tolerance: Int) throws {
    // Samples and frames that come too late on a busy machine are missing in the show, and not in the film.
    let wrong = try lastOf(4) { () -> Int? in
      let show = try ViewedShow()
      let folder = try TemporaryFolder()
      let look = try PageLook(
        "\(show.address)/?draw=\(draw)&delay=100", until: Self.stop,
        ["stagePage.drawing.name", "String(stagePage.counts.mended)", "String(stagePage.counts.frame)"],
        picture: folder.file("page.png"))
      #expect(look.isReady && look.answers.dropLast() == [draw, "0"] && look.log.isEmpty, "\(look)")
      let frame = try #require(look.answers[2].flatMap { Int($0) })
      let page = try Picture.read(path: folder.file("page.png"))
      let farthest = Self.farthest(page, try Self.rendered(frame, in: folder))
      return farthest <= tolerance ? nil : farthest
    }
    #expect(wrong == nil)
  }

  @Test func `a page whose particles differ is corrected by a state, and counts it`() throws {
    let show = try ViewedShow()
    let spoil = """
      (() => {
        if (stagePage.counts.frames > 60 && !stagePage.isSpoilt) {
          stagePage.isSpoilt = true;
          // A frame that the page leaves out; the first ones say where the numbers of the next lie.
          const take = stagePage.simulation.take.bind(stagePage.simulation);
          let left = 1;
          stagePage.simulation.take = (record) => record.kind === 4 && left-- > 0 ? 0 : take(record);
        }
        const { stage, simulation, counts } = stagePage;
        return counts.mended === 1 && stage.emitters.every(({ number }) => simulation.frame(number) > 0);
      })()
      """
    let look = try PageLook(
      "\(show.address)/?draw=gl", until: spoil,
      ["new Promise((done) => setTimeout(() => done(String(stagePage.counts.mended)), 2500))"])
    #expect(look.isReady && look.answers == ["1"], "\(look)")
    #expect(look.log.count == 1 && look.log[0].contains("its particles differ"), "\(look.log)")
  }

  @Test func `a page of another build reloads itself, once`() throws {
    let show = try ViewedShow()
    // The first load is sent a stage whose modules were made from other sources; so is the second, which stays.
    let other = """
      (() => {
        if (!(stagePage.counts.frames > 10)) return false;
        if (!window.isTold) {
          window.isTold = true;
          const record = { ...stagePage.description, body: stagePage.description.body.slice() };
          record.body[0] ^= 1;
          window.before = stagePage.counts.frames;
          stagePage.take(record);
        }
        return performance.getEntriesByType('navigation')[0].type === 'reload' && stagePage.counts.frames > window.before + 10;
      })()
      """
    let look = try PageLook("\(show.address)/?draw=gl", until: other, ["String(stagePage.counts.mended)"])
    #expect(look.isReady && look.answers == ["0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the stage goes dark with the blackout and dims with the master, also behind a relay`() throws {
    let show = try ViewedShow()
    let relay = try Visgraph.start("relay", show.address)
    #expect(relay.says("its stage is handed on", within: 60), "\(relay.notes)")
    let port = try show.child.viewPort()
    func ask(_ message: String) throws {
      let peer = try ViewPeer(
        port, sends: [(#"{"listen": "/visgraph/*"}"#, nil), (#"{"send": [\#(message)]}"#, nil)])
      #expect(peer.hears(message.replacing(", ", with: ":")), "\(peer.lines) \(peer.notes)")
    }
    try ask(#""/visgraph/master", 0.25"#)
    let opacity = "getComputedStyle(document.getElementById('stage')).opacity"
    for address in [show.address, "http://127.0.0.1:\(try relay.viewPort())"] {
      try ask(#""/visgraph/blackout", 1"#)
      let dark = try PageLook("\(address)/", until: "\(opacity) === '0'", [opacity])
      #expect(dark.isReady && dark.log.isEmpty, "\(dark)")
      try ask(#""/visgraph/blackout", 0"#)
      let dim = try PageLook("\(address)/", until: "\(opacity) === '0.25'", [opacity])
      #expect(dim.isReady, "\(dim)")
    }
  }

  @Test func `a page goes on by itself when the program is killed and restarted`() throws {
    // One that no other show takes while this one is away.
    let port = try OscReceiver.closedPort()
    let first = try ViewedShow(port: port)
    let peer = try ViewPeer.ofMaster(port)
    // Says by the master that it runs; then waits until the program has gone, and until frames come again.
    let again = """
      (() => {
        const { connection, counts } = stagePage;
        if (!window.hasBegun && counts.frames > 30) {
          window.hasBegun = true;
          // Looks come late on a busy machine: the page may be connected again by the next one.
          connection.on('close', () => (window.lost ??= counts.frames));
          connection.send({ send: ['/visgraph/master', 0.5] });
        }
        return counts.frames > window.lost + 30;
      })()
      """
    let address = first.address
    let look = PageLookAside(
      "\(address)/?draw=gl", until: again,
      ["stagePage.note.textContent", "String(stagePage.counts.mended + stagePage.counts.broken)"])
    try peer.waitForMark()
    first.child.signal(SIGKILL)
    try #require(first.child.exitCode() != nil)
    let second = try ViewedShow(port: port)
    #expect(second.address == address)
    let seen = try look.result()
    #expect(seen.isReady && seen.answers == ["", "0"], "\(seen)")
  }

  @Test func `a page whose program is silent, as without a network, shows that it waits`()
    throws
  {
    let show = try ViewedShow()
    let peer = try ViewPeer.ofMaster(try show.child.viewPort())
    let silent = """
      (() => {
        const { connection, counts, note } = stagePage;
        if (!window.hasBegun && counts.frames > 30) {
          window.hasBegun = true;
          connection.send({ send: ['/visgraph/master', 0.5] });
        }
        return window.hasBegun && !connection.isOpen && note.textContent !== '';
      })()
      """
    let look = PageLookAside("\(show.address)/?draw=gl", until: silent, ["stagePage.note.textContent"])
    try peer.waitForMark()
    // Its connections stay as they are, and nothing comes by them.
    show.child.signal(SIGSTOP)
    defer { show.child.signal(SIGCONT) }
    let seen = try look.result()
    #expect(seen.isReady && seen.answers == ["Waiting for visgraph …"], "\(seen)")
  }

  @Test
  func
    `a picture that is saved anew is shown after the next reload, and one that did not come is asked for again`()
    throws
  {
    let folder = try TemporaryFolder()
    func paint(_ red: UInt8) throws {
      let pixels = [[UInt8]](repeating: [red, 0, 0, 255], count: 16).flatMap { $0 }
      try Picture(width: 4, height: 4, pixels: pixels).write(path: folder.file("spark.png"), replacing: true)
    }
    try paint(200)
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        sparks: { type: emitter, cells: { spark: { birthRate: 20, lifetime: 1, contents: spark.png } } }
      wires: [tone -> meter -> level -> sparks]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    let peer = try ViewPeer.ofMaster(try show.child.viewPort())
    // Says by the master that the first picture is there; from then on one attempt to fetch fails.
    let changed = """
      (() => {
        const { connection, pictures } = stagePage;
        const reds = [...pictures.known].filter(([address]) => address !== '').map(([, picture]) => picture?.pixels[0]);
        if (!window.hasBegun && reds.includes(200)) {
          [window.hasBegun, window.failures] = [true, 0];
          const get = window.fetch;
          window.fetch = (...words) => window.failures++ === 0 ? Promise.reject(new Error('on purpose')) : get(...words);
          connection.send({ send: ['/visgraph/master', 0.5] });
        }
        return window.failures >= 2 && String(reds) === '100';
      })()
      """
    let look = PageLookAside(
      "\(show.address)/?draw=gl", until: changed,
      ["String(stagePage.drawing.painter.textures.size)", "String(stagePage.counts.mended)"])
    try peer.waitForMark()
    try paint(100)
    show.child.signal(SIGHUP)
    let seen = try look.result()
    // The built-in light may have been drawn meanwhile.
    #expect(seen.isReady && ["1", "2"].contains(seen.answers[0]) && seen.answers[1] == "0", "\(seen)")
  }
}
