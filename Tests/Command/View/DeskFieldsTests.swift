import Foundation
import TestSupport
import Testing

/// The fields of the desk: what they show of a value, and what comes of a hand on them in the graph and in its file.
@Suite(.serialized, .blockingInBrowser) struct DeskFieldsTests {
  private static let graph = """
    visgraph: 1
    name: Fields
    nodes:
      song: { type: file-source, path: kick.flac }
      tone: { type: tone-source, names: [A, "B: low"], channels: 2 }
      meter: { type: meter, release: 300 ms }
      level: { type: meter-table }
      mood: { type: gradient, colors: [navy, "#ff8000", gold] }
      rig: { type: osc-output, to: "127.0.0.1:9" }
    wires: [song -> meter, tone -> meter -> level -> mood -> rig]
    """

  private struct Stage {
    let folder: TemporaryFolder
    let path: String
    let show: ViewedShow

    init() throws {
      folder = try TemporaryFolder()
      let sound = HouseTests.root.appending(path: "graphs/sounds/kick.flac")
      try FileManager.default.copyItem(at: sound, to: URL(filePath: folder.file("kick.flac")))
      path = try folder.write(DeskFieldsTests.graph, to: "fields.yaml")
      show = try ViewedShow(graph: path)
    }

    /// The line of a node in the file.
    func line(_ node: String) throws -> String {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return text.split(separator: "\n").first { $0.hasPrefix("  \(node):") }.map(String.init) ?? ""
    }

    /// Opens the settings of a node, does something once they are there, saves what has come of it, and asks.
    func look(_ node: String, _ action: String, _ questions: String...) throws -> PageLook {
      let save = """
        (() => {
          if (!document.querySelector('.settings h2')?.textContent.startsWith('\(node)')) return false;
          if (!window.hasActed) {
            window.hasActed = true;
            \(action)
          }
          const save = document.getElementById('save');
          if (!save.disabled && !window.isSaved) {
            window.isSaved = true;
            save.click();
          }
          // The confirmation lasts some seconds; the list keeps it.
          const said = [...document.querySelectorAll('#messages li')].map((one) => one.lastChild.textContent);
          return said.some((text) => text.startsWith('saved ')) && save.disabled;
        })()
        """
      return try PageLook("\(show.address)/desk#node=\(node)", until: save, questions)
    }
  }

  private static func field(_ id: String) -> String {
    "document.querySelector('[id=\"set-\(id)-help\"]').parentElement.querySelector('.field')"
  }

  @Test
  func `quoted words of a file are chosen in their lists, and no value is shown in the file's notation`()
    throws
  {
    let stage = try Stage()
    func shown(_ node: String, _ questions: String...) throws -> [String?] {
      let texts =
        "[...document.querySelectorAll('.settings input[type=text]')].map((one) => one.value).join('|')"
      let look = try PageLook(
        "\(stage.show.address)/desk#node=\(node)",
        until: "document.querySelector('.settings h2')?.textContent.startsWith('\(node)')",
        questions + [texts])
      #expect(look.isReady && look.log.isEmpty, "\(look)")
      // Braces belong to addresses such as /visgraph/{node}.
      let isPlain = look.answers.last??.allSatisfy { !"[]\"".contains($0) }
      #expect(isPlain == true, "\(node): \(look)")
      return look.answers.dropLast()
    }
    let word = "\(Self.field("song-0-channels")).querySelector('[aria-pressed=true]').textContent"
    #expect(
      try shown("song", "document.getElementById('set-song-0-repeat').value", word) == ["off", "none"])
    #expect(try shown("rig", "document.getElementById('set-rig-0-bundle').value") == ["none"])
    func chips(_ id: String) -> String {
      "[...\(Self.field(id)).querySelectorAll('.chip input')].map((one) => one.value).join('|')"
    }
    #expect(try shown("tone", chips("tone-0-names")) == ["A|B: low"])
    #expect(try shown("mood", chips("mood-0-colors")) == ["#000080|#ff8000|#ffd700"])
  }

  @Test func `a setting that is a word or a number shows both, and its fader moves it`() throws {
    let stage = try Stage()
    let window = Self.field("meter-0-window")
    let moved = try stage.look(
      "meter",
      """
      window.word = \(window).querySelector('[aria-pressed=true]').textContent;
      const fader = \(window).querySelector('.fader');
      fader.value = '0.5';
      fader.dispatchEvent(new Event('input'));
      fader.dispatchEvent(new Event('change'));
      """, "window.word", "document.getElementById('set-meter-0-window').value",
      "\(window).querySelector('.unit').textContent",
      "String(\(window).querySelector('[aria-pressed=true]'))")
    #expect(moved.isReady && moved.answers == ["frame", "0.245", "s", "null"], "\(moved)")
    #expect(try stage.line("meter") == "  meter: { type: meter, release: 300 ms, window: 0.245 s }")
    let back = try stage.look("meter", "\(window).querySelector('[data-word=frame]').click();")
    #expect(back.isReady, "\(back)")
    #expect(try stage.line("meter") == "  meter: { type: meter, release: 300 ms, window: frame }")
    // In the unit that stood there.
    let release = try stage.look(
      "meter",
      """
      const fader = \(Self.field("meter-0-release")).querySelector('.fader');
      fader.value = '0.6';
      fader.dispatchEvent(new Event('input'));
      """)
    #expect(release.isReady, "\(release)")
    #expect(try stage.line("meter") == "  meter: { type: meter, release: 2930 ms, window: frame }")
  }

  @Test func `a list is changed part by part, colors and files among them`() throws {
    let stage = try Stage()
    let mixed = try stage.look(
      "mood",
      """
      const swatch = \(Self.field("mood-0-colors")).querySelectorAll('.chip input')[1];
      swatch.value = '#00ff80';
      swatch.dispatchEvent(new Event('change'));
      """)
    #expect(mixed.isReady && mixed.log.isEmpty, "\(mixed)")
    #expect(
      try stage.line("mood").lowercased()
        == ##"  mood: { type: gradient, colors: ["#000080", "#00ff80", "#ffd700"] }"##)
    let named = try stage.look(
      "tone", "\(Self.field("tone-0-names")).querySelector('.chip button').click();")
    #expect(named.isReady && named.log.isEmpty, "\(named)")
    #expect(
      try stage.line("tone") == #"  tone: { type: tone-source, names: ["B: low"], channels: 2 }"#)
    // A list of files goes to the port file by file.
    let songs = try stage.look(
      "song",
      """
      const add = \(Self.field("song-0-path")).querySelector('.add');
      add.value = 'kick.flac';
      add.dispatchEvent(new Event('change'));
      """)
    #expect(songs.isReady && songs.log.isEmpty, "\(songs)")
    #expect(
      try stage.line("song").replacing("\"", with: "")
        == "  song: { type: file-source, path: [kick.flac, kick.flac] }")
  }

  @Test func `a drag over colors is one undo step`() throws {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      nodes:
        on: { type: constant, value: 1 }
        leds: { type: pixels, layout: { grid: 4x2 }, color: "#ff0000" }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [on -> leds.level, leds -> out]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    // The field beside the swatch shows what the program reports.
    let steps = """
      (() => {
        const text = document.getElementById('set-leds-0-color');
        const swatch = text.closest('.field').querySelector('.swatch');
        window.steps ??= [];
        if (steps.length === 0) {
          for (let blue = 10; blue < 30; blue += 1) {
            swatch.value = `#0000${blue}`;
            swatch.dispatchEvent(new Event('input'));
          }
          steps.push(text.value);
        } else if (text.value !== steps.at(-1) && (steps.length > 1 || text.value.toLowerCase() === '#000029')) {
          if (steps.length === 1) document.getElementById('undo').click();
          steps.push(text.value);
        }
        return steps.length === 3;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk#node=leds", until: steps,
      ["steps.join().toLowerCase()", "String(document.getElementById('undo').disabled)"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers == ["#ff0000,#000029,#ff0000", "true"], "\(look)")
  }

  @Test func `a pin takes a setting to the page of faders, which the browser and the address keep`() throws {
    let stage = try Stage()
    let page = "[...document.querySelectorAll('#page .setting label')].map((one) => one.textContent).join()"
    let pinned = try PageLook(
      "\(stage.show.address)/desk#node=level",
      until: "document.getElementById('set-level-0-minimum')",
      [
        "document.getElementById('set-level-0-minimum').closest('.setting').querySelector('.pin').click(), \(page)",
        "location.hash", "String(document.querySelector('section.faders').getClientRects().length)",
      ])
    #expect(
      pinned.answers == ["level minimum", "#node=level&faders=level.minimum", "1"], "\(pinned)")
    // Opened elsewhere; both fields of the same setting follow its fader.
    let value = "fetch('/visgraph/node/level/minimum?VALUE').then((answer) => answer.text())"
    let isMoved = """
      (() => {
        const fader = document.querySelector('#page .fader');
        if (fader && !window.isMoved) {
          window.isMoved = true;
          fader.value = '0.25';
          fader.dispatchEvent(new Event('input'));
          fader.dispatchEvent(new Event('change'));
        }
        const fields = ['set', 'page'].map((page) => document.getElementById(`${page}-level-0-minimum`)?.value);
        return window.isMoved && fields[0] === fields[1] && fields[0] !== '-80';
      })()
      """
    let moved = try PageLook(
      "\(stage.show.address)/desk#node=level&faders=level.minimum,song.volume,nobody.gain", until: isMoved,
      [page, value])
    #expect(moved.isReady && moved.log.isEmpty, "\(moved)")
    #expect(moved.answers == ["level minimum,song volume", #"{"VALUE":[-120.0]}"#], "\(moved)")
  }

  @Test func `controls that are gone hear of no pin`() throws {
    let stage = try Stage()
    // How many more are called than there are controls, the new one on the page of faders among them.
    let more = """
      import('/faders.js').then(({ Pins }) => {
        const { onChange } = Pins.prototype;
        let heard = 0;
        Pins.prototype.onChange = function (action) {
          return onChange.call(this, () => {
            heard += 1;
            action();
          });
        };
        const nodes = [...document.querySelectorAll('#nodes button')];
        for (const id of ['meter', 'level', 'meter', 'level']) {
          nodes.find((one) => one.querySelector('.id').textContent === id).click();
        }
        document.querySelector('.settings .pin').click();
        return String(heard - document.querySelectorAll('.setting .pin').length);
      })
      """
    let look = try PageLook(
      "\(stage.show.address)/desk#node=tone", until: "document.getElementById('set-tone-0-names-help')",
      [more])
    #expect(look.isReady && look.answers == ["0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `settings at their defaults are folded away`() throws {
    let stage = try Stage()
    let look = try PageLook(
      "\(stage.show.address)/desk#node=meter", until: "document.getElementById('set-meter-0-release')",
      [
        "[...document.querySelectorAll('.settings .group > .those .setting label')].map((one) => one.textContent).join()",
        "document.querySelector('.settings .defaults summary').textContent",
        "String(document.querySelector('.settings .defaults').open)",
      ])
    #expect(look.answers == ["release", "6 more, at their defaults", "false"], "\(look)")
  }

  @Test func `a visible desk keeps the screen awake`() throws {
    let stage = try Stage()
    let asks = """
      (() => {
        let asked = 0;
        navigator.wakeLock.request = async (kind) => { asked += kind === 'screen' ? 1 : 0; };
        dispatchEvent(new Event('visibilitychange'));
        return `${asked}`;
      })()
      """
    let look = try PageLook(
      "\(stage.show.address)/desk", until: "document.querySelector('.setting')", [asks])
    #expect(look.answers == ["1"], "\(look)")
  }
}

/// The undo history of the desk, with reports and refusals of the program.
@Suite struct DeskHistoryTests {
  @Test func `a step has its own values alone, and what was refused is taken back`() throws {
    let script = HouseTests.root.appending(path: "Tests/Pages/history.js").path
    let child = try Child(["node", "--experimental-default-type=module", "--no-warnings", script])
    #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
    #expect(child.results == "")
  }
}
