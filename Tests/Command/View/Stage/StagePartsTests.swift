import Foundation
import Rendering
import TestSupport
import Testing

/// What the address of a stage asks for, in a real browser.
@Suite(.serialized, .blockingInBrowser) struct StagePartsTests {
  /// Several screens make one wall: each shows its part, with the very pixels that the whole has there,
  /// where both begin at a multiple of the 8 pixels of the dither.
  @Test(arguments: [
    ("view=right&emitter=sparks", "640x720", 640, 0), ("rect=0.25,0.2,0.5,0.5", "640x360", 320, 144),
  ])
  func `a part of the stage has the pixels of the whole`(
    _ words: String, _ size: String, _ left: Int, _ top: Int
  ) throws {
    // Samples and frames that come too late on a busy machine are missing in the show, and not in the film.
    let wrong = try lastOf(4) { () -> Int? in
      let show = try ViewedShow()
      let folder = try TemporaryFolder()
      let look = try PageLook(
        "\(show.address)/?draw=cpu&delay=100&\(words)", until: StagePageTests.stop,
        ["String(stagePage.counts.frame)"], picture: folder.file("page.png"), on: .init(size: size))
      #expect(look.isReady && look.log.isEmpty, "\(look)")
      let frame = try #require(look.answers[0].flatMap { Int($0) })
      let page = try Picture.read(path: folder.file("page.png"))
      let whole = try StagePageTests.rendered(frame, in: folder)
      let part = (0..<page.height).flatMap { row in
        let start = 4 * ((top + row) * whole.width + left)
        return whole.pixels[start..<start + 4 * page.width]
      }
      #expect("\(page.width)x\(page.height)" == size)
      let expected = Picture(width: page.width, height: page.height, pixels: Array(part))
      let farthest = StagePageTests.farthest(page, expected)
      return farthest == 0 ? nil : farthest
    }
    #expect(wrong == nil)
  }

  /// The light of the page's two halves and how much of it is clear, as sums over what the canvas shows.
  private static let light = """
    (async () => {
      const bitmap = await createImageBitmap(document.querySelector('canvas'));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      let [left, right, clear] = [0, 0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const light = data[i] + data[i + 1] + data[i + 2];
        if ((i / 4) % bitmap.width < bitmap.width / 2) left += light; else right += light;
        if (data[i + 3] === 0) clear++;
      }
      return [left, right, clear].map((sum) => Math.round(sum / bitmap.width / bitmap.height * 1000)).join(' ');
    })()
    """

  private func light(_ words: String, stage: String = "1280x720", velocity: Int = 20) throws -> [Int] {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      stage: { size: \(stage), background: "#05060d", arrange: row }
      nodes:
        tone: { type: tone-source, channels: 2 }
        meter: { type: meter }
        level: { type: meter-table }
        sparks: { type: emitter, cells: { spark: { birthRate: 80, lifetime: 1, velocity: \(velocity) } } }
      wires: [tone -> meter -> level -> sparks]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    let look = try PageLook(
      "\(show.address)/?draw=cpu&\(words)", until: StagePageTests.stop, [Self.light])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    return look.answers[0]?.split(separator: " ").compactMap { Int($0) } ?? []
  }

  @Test func `one channel is shown alone, without a background if the stage is transparent`() throws {
    let sums = try light("channel=1&clear")
    try #require(sums.count == 3)
    #expect(sums[0] > 0 && sums[1] == 0 && sums[2] > 0, "\(sums)")
  }

  @Test func `a missing emitter leaves the stage with its background`() throws {
    // #05060d in each half: 24 of each pixel, halved.
    #expect(try light("emitter=other") == [12_000, 12_000, 0])
  }

  @Test
  func
    `walls of rows, gaps between screens, a page that is filled and what stands over are where they should be`()
    throws
  {
    let show = try ViewedShow()
    func part(_ query: String) -> String {
      """
      import('/stage-options.js').then(({ readOptions }) => {
        const { x, y, width, height } = readOptions('\(query)').part;
        return [x, y, width, height].map((number) => number.toFixed(4)).join(' ');
      })
      """
    }
    func view(_ query: String) -> String {
      """
      Promise.all([import('/stage-options.js'), import('/stage-draw.js')]).then(([options, { viewOf }]) => {
        const view = viewOf({ width: 200, height: 100 }, options.readOptions('\(query)'), 400, 400);
        return [view.scale, view.x, view.y, view.left, view.right, view.top, view.bottom].join(' ');
      })
      """
    }
    let asked: [(String, String)] = [
      // Three screens and two gaps of a tenth are 3.2 screens.
      (part("?view=2of3&gap=0.1"), "0.3438 0.0000 0.3125 1.0000"),
      (part("?view=5of3x2"), "0.3333 0.5000 0.3333 0.5000"),
      (part("?view=6of3x2&gap=0.5,0.25"), "0.7500 0.5556 0.2500 0.4444"),
      (part("?view=bottom&gap=0.25"), "0.0000 0.5556 1.0000 0.4444"),
      (part("?view=7of3x2"), "0.0000 0.0000 1.0000 1.0000"),
      (part("?view=2of3&gap=7"), "0.3333 0.0000 0.3333 1.0000"),
      (view("?"), "2 0 100 0 400 100 300"), (view("?fit=cover"), "4 -200 0 0 400 0 400"),
      (view("?bleed"), "2 0 100 0 400 0 400"), (view("?view=left&fit=cover"), "4 0 0 0 400 0 400"),
    ]
    let look = try PageLook(
      "\(show.address)/?draw=cpu", until: "stagePage.counts.frames > 1", asked.map(\.0))
    #expect(look.isReady && look.log.isEmpty && look.answers == asked.map(\.1), "\(look)")
  }

  @Test func `with bleed particles are seen beyond the stage's edges`() throws {
    // A narrow stage leaves most of the page free, and its particles fly to the right.
    let free = try light("", stage: "100x720", velocity: 500)
    let bled = try light("bleed", stage: "100x720", velocity: 500)
    try #require(free.count == 3 && bled.count == 3)
    #expect(free[1] < 13_500 && bled[1] > 15_000, "\(free) \(bled)")
  }

  @Test func `a hidden page is sent nothing, and has every particle once it is visible again`() throws {
    let show = try ViewedShow()
    // Frames wait in the page when it leaves, and the server hears of that after the next print: what comes meanwhile
    // is not for a page that has left.
    let hidden = """
      (() => {
        const { counts, connection } = stagePage;
        const show = (state) => {
          Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        };
        if (!window.phase && counts.frames > 30 && stagePage.waiting.length > 0) {
          window.phase = 'hidden';
          window.messages = 0;
          connection.on('binary', () => window.messages++);
          let isJoined = true;
          Object.defineProperty(stagePage, 'isJoined', {
            get: () => isJoined,
            set: (value) => {
              if (!value) window.waited ??= stagePage.waiting.length;
              isJoined = value;
            },
          });
          const { send } = connection;
          connection.send = (message) => {
            if (message.stage !== false) return send.call(connection, message);
            delete connection.send;
            const [before, begin] = [window.messages, performance.now()];
            const leave = () => {
              if (window.messages === before || performance.now() < begin + 1200) return setTimeout(leave, 20);
              connection.send(message);
              window.sent = window.messages - before;
              [window.last, window.since] = [window.messages, performance.now()];
              window.phase = 'left';
            };
            leave();
          };
          show('hidden');
        }
        if (window.phase === 'left') {
          if (window.messages !== window.last) [window.last, window.since] = [window.messages, performance.now()];
          // More than a second in which nothing came.
          if (performance.now() - window.since > 1500) {
            [window.phase, window.seen] = ['seen', counts.frames];
            show('visible');
          }
        }
        // Two prints have been compared by then.
        return window.phase === 'seen' && counts.frames > window.seen + 150;
      })()
      """
    // On a busy machine no frame may wait at the moment at which the page leaves.
    let missed = try lastOf(3) { () -> PageLook? in
      let look = try PageLook(
        "\(show.address)/?draw=gl&delay=4000", until: hidden,
        ["String(stagePage.counts.mended + stagePage.counts.broken)", "String(waited > 0 && sent > 0)"])
      #expect(look.isReady && look.answers.first == "0" && look.log.isEmpty, "\(look)")
      return look.answers.last == "true" ? nil : look
    }
    #expect(missed == nil)
  }
}
