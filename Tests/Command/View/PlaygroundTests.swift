import Engine
import Foundation
import Graphs
import Hosts
import Nodes
import Particles
import Rendering
import TestSupport
import Testing

/// The playground: one file, opened without a server, by a real browser.
@Suite(.serialized, .blockingInBrowser) struct PlaygroundTests {
  static let page = HouseTests.root.appending(path: "docs/play/index.html")
  private static let isMoving = "playground.counts.pictures > 10 && playground.counts.frames > 30"
  private static let emitters = HouseTests.root.appending(path: "tools/play.d/emitters.yaml").path

  /// Two seconds of music at 48 kHz, as a file, and what a script does that gives them to the page. As floats: a whole
  /// number becomes one by 32,768 with us, and in browsers by 32,767 where it is above 0.
  private static func music(in folder: TemporaryFolder) throws -> (path: String, script: String) {
    let path = folder.file("music.wav")
    let song = HouseTests.root.appending(path: "graphs/sounds/kick-and-voice.flac").path
    let child = try Child(["sox", "-D", song, "-e", "floating-point", "-b", "32", path, "trim", "0", "2"])
    try #require(child.exitCode() == 0, "\(child.notes)")
    let bytes = try Data(contentsOf: URL(filePath: path)).base64EncodedString()
    let script = "window.music = Uint8Array.from(atob('\(bytes)'), (letter) => letter.charCodeAt(0));"
    return (path, try folder.write(script, to: "music.js"))
  }

  /// Fingerprints of all emitters of the page after some frames of the music, as JSON.
  private static let played = """
    (async () => {
      await playground.sound.beginFile(music.buffer, 'music.wav');
      const prints = {};
      for (const emitter of playground.emitters) {
        playground.open(emitter);
        prints[emitter.name] = playground.run(120);
      }
      return JSON.stringify({ prints, lost: playground.counts.lost });
    })()
    """

  private struct Played: Decodable, Equatable {
    var prints: [String: [String]]
    var lost = 0
  }

  /// The same by the program itself: each emitter by itself, under the name that the page gives it.
  private static func native(_ music: String) throws -> Played {
    let list = try String(contentsOfFile: emitters, encoding: .utf8)
    var played = Played(prints: [:])
    for node in try #require(Checker(.full).check(path: emitters).graph).nodes
    where node.type.name == "emitter" {
      let palette = list.firstRange(of: "palette: ").flatMap { range in
        node.id == "sparks" ? String(list[range.lowerBound...].prefix { $0 != "\n" }) : nil
      }
      let text = """
        visgraph: 1
        stage: { size: 1280x720, arrange: row }
        nodes:
          song: { type: file-source, path: \(music) }
          meter: { type: meter }
          level: { type: meter-table }
          emitter: { type: emitter, emitter: \(HouseTests.root.path)/graphs/emitters/\(node.id).yaml\(palette.map { ", \($0)" } ?? "") }
        wires: [song -> meter -> level -> emitter]
        """
      let folder = try TemporaryFolder()
      let checked = Checker(.full).check(path: try folder.write(text, to: "graph.yaml"))
      let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
      let show = Show()
      let plan = try show.open(
        graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
      OfflineHost(engine: show.engine, frames: show.frames, cycle: 256).run(plan.streams, to: { 96_000 })
      played.prints[node.id] = plan.emitters.flatMap { emitter in
        emitter.withSystems { $0.map { String($0.fingerprint, radix: 16) } }
      }
      show.close()
    }
    return played
  }

  @Test func `every played emitter has the particles of the program, to the bit`() throws {
    let folder = try TemporaryFolder()
    let music = try Self.music(in: folder)
    let look = try PageLook(
      Self.page.absoluteString, until: Self.isMoving, [Self.played], script: music.script)
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    let page = try JSONDecoder().decode(Played.self, from: Data((look.answers[0] ?? "").utf8))
    let native = try Self.native(music.path)
    let other = native.prints.keys.filter { page.prints[$0] != native.prints[$0] }.sorted()
    #expect(other.isEmpty && page == native && native.prints.count == 9, "\(other) \(page) \(native)")
  }

  @Test func `the GPU and our own renderer draw the same frame`() throws {
    let folder = try TemporaryFolder()
    let stop = """
      playground.isByHand = true;
      playground.sound.tracks = [new Float32Array(96000).map((_, i) => Math.sin(i / 20) / 2)];
      playground.open(playground.emitters.find(({ name }) => name === 'sparks'));
      playground.run(60);
      """
    let script = try folder.write(stop, to: "stop.js")
    let isDrawn = """
      (async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const waits = () => playground.isDirty || !!playground.drawing.painter.waiting || [...playground.pictures.known.values()].includes(null);
        while (waits()) await frame();
        // What was drawn is on the screen a frame later.
        for (let i = 0; i < 3; i++) await frame();
        return String(waits());
      })()
      """
    let pictures = try ["gl", "cpu"].map { draw in
      let look = try PageLook(
        Self.page.absoluteString + "?draw=\(draw)", until: Self.isMoving,
        [isDrawn, "playground.drawing.name"],
        picture: folder.file("\(draw).png"), script: script)
      #expect(look.isReady && look.answers == ["false", draw] && look.log.isEmpty, "\(look)")
      return try Picture.read(path: folder.file("\(draw).png"))
    }
    // The stage, below the header and beside the editor.
    var (farthest, lit) = (0, 0)
    for row in 80..<700 {
      for place in (row * 1280 * 4)..<(row * 1280 + 800) * 4 {
        farthest = max(farthest, abs(Int(pictures[0].pixels[place]) - Int(pictures[1].pixels[place])))
        if pictures[1].pixels[place] > 100, place % 4 != 3 { lit += 1 }
      }
    }
    #expect(farthest <= 2 && lit > 1000, "\(farthest) \(lit)")
  }

  @Test func `an edit continues the simulation, can be undone, and is in the link and in the file`() throws {
    let edit = """
      (async () => {
        const found = [];
        const row = [...document.querySelectorAll('.setting')].find((each) => each.querySelector('label').textContent === 'birthRate');
        const box = row.querySelector('input.number');
        const restarts = playground.counts.restarts;
        box.value = '0.25';
        box.dispatchEvent(new Event('change'));
        found.push(playground.emitter.set.birthRate, playground.counts.restarts - restarts, playground.counts.lost);
        const link = await playground.link();
        document.getElementById('undo').click();
        found.push(playground.emitter.set.birthRate ?? 'as at first');
        document.getElementById('redo').click();
        found.push(playground.emitter.set.birthRate);
        document.getElementById('undo').click();
        location.hash = link;
        for (let i = 0; i < 6000 && playground.emitter.set.birthRate !== 0.25; i++) await new Promise((done) => setTimeout(done, 10));
        found.push(playground.emitter.set.birthRate, playground.file().includes('birthRate: 0.25'));
        found.push(row.querySelector('.help').textContent.startsWith('A factor on the birth rate of every cell.'));
        return JSON.stringify(found);
      })()
      """
    let look = try PageLook(Self.page.absoluteString, until: Self.isMoving, [edit])
    #expect(look.answers == ["[0.25,0,0,\"as at first\",0.25,0.25,true,true]"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the written file is the shown emitter`() throws {
    let texts =
      "JSON.stringify(Object.fromEntries(playground.emitters.map((emitter) => [emitter.name, playground.file(emitter)])))"
    let look = try PageLook(Self.page.absoluteString, until: Self.isMoving, [texts])
    let files = try JSONDecoder().decode([String: String].self, from: Data((look.answers[0] ?? "").utf8))
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: HouseTests.root.appending(path: "graphs/emitters/textures").path,
      toPath: folder.file("textures"))
    var text = try String(contentsOfFile: Self.emitters, encoding: .utf8)
    for (name, file) in files { _ = try folder.write(file, to: "\(name).yaml") }
    text = text.replacing("../../graphs/emitters/", with: "")
    let given = try #require(Checker(.full).check(path: Self.emitters).graph)
    let checked = Checker(.full).check(path: try folder.write(text, to: "emitters.yaml"))
    let written = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    #expect(EmitterPlaces.json(written).line == EmitterPlaces.json(given).line)
  }

  @Test func `the page works with any link`() throws {
    let hostile = """
      (async () => {
        const fault = [];
        const words = [null, 1, 'x', [], {}, { cells: 5 }, { set: { birthRate: 1e308, limit: -1, shape: 'x', __proto__: 1, constructor: 2 } },
          { cells: Array(100).fill({ name: 'a', set: { birthRate: 1e9, lifetime: 1e9 } }) }, { palette: [[9, 'x']], stated: 3 },
          { drive: [{ key: 'birthRate', from: [1, 1], to: ['x', Infinity], curve: -4 }, { key: 'toString' }, { key: 'birthRate' }] },
          { cells: [{ name: '<b>', contents: '../x', cells: [{ cells: [{ cells: [{ cells: [{}] }] }] }] }] }];
        for (const word of words) {
          playground.open(playground.clean(word));
          playground.run(3);
        }
        if (playground.counts.lost > 0) fault.push('lost');
        let seed = 7;
        for (let i = 0; i < 2000; i++) {
          const letters = Array.from({ length: i % 300 }, () => 'ABCxyz019-_=%<'[(seed = (seed * 48271) % 2147483647) % 14]).join('');
          if (await playground.emitterOf('#1' + letters)) fault.push(letters);
        }
        const good = await playground.link();
        for (let i = 2; i < good.length; i += 7) {
          const emitter = await playground.emitterOf(good.slice(0, i) + 'A' + good.slice(i + 1));
          if (emitter) { playground.open(emitter); playground.run(1); }
        }
        // A few letters that unpack to megabytes are left where they are; an emitter with less room around it is one.
        const packed = async (room) => {
          const text = new Blob(['{', ' '.repeat(room), '}']).stream().pipeThrough(new CompressionStream('deflate-raw'));
          const bytes = new Uint8Array(await new Response(text).arrayBuffer());
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
        };
        const bomb = await packed(20e6);
        if (bomb.length > 50e3 || await playground.emitterOf('#1' + bomb)) fault.push('bomb');
        if (!await playground.emitterOf('#1' + await packed(1000))) fault.push('room');
        return fault.join() + playground.counts.lost;
      })()
      """
    let look = try PageLook(Self.page.absoluteString, until: Self.isMoving, [hostile])
    #expect(look.answers == ["0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the microphone is measured`() throws {
    let listen = """
      (() => {
        if (!window.isAsked && playground.counts.frames > 0) { window.isAsked = true; document.getElementById('listen').click(); }
        return playground.sound.kind === 'microphone' && playground.hearing.levels.length === 1 && playground.hearing.levels[0] > 0.05;
      })()
      """
    let look = try PageLook(
      Self.page.absoluteString, until: listen,
      ["document.getElementById('heard').textContent", "String(playground.counts.lost)"])
    #expect(look.isReady && look.answers == ["the microphone", "0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `if a browser hides the microphone the page says where it would not`() throws {
    // As a page has it that came by http from another machine, which no test may be.
    let listen = """
      (() => {
        const said = 'browsers let only pages of this machine, and those by https, hear one';
        if (!window.isAsked && playground.counts.frames > 0) {
          window.isAsked = true;
          Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
          document.getElementById('listen').click();
        }
        return document.getElementById('note').textContent === `The microphone cannot be heard: ${said}`;
      })()
      """
    let look = try PageLook(Self.page.absoluteString, until: listen, ["String(playground.counts.lost)"])
    #expect(look.isReady && look.answers == ["0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the page connects to no server, and is as tools/play makes it`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let policy = try #require(text.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)?.output.1)
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe-inline"))
    #expect(text.firstMatch(of: #/(?:src|href)="https?:|@import|url\(/#) == nil)
    let child = try Child(
      [HouseTests.root.appending(path: "tools/play").path, "--check"], variables: ["VISGRAPH": Visgraph.path])
    #expect(child.exitCode(within: 120) == 0, "\(child.notes)")
  }
}
