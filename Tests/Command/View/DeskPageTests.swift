import Foundation
import TestSupport
import Testing

/// The desk in a real browser, steering a real show.
@Suite(.serialized, .blockingInBrowser) struct DeskPageTests {
  /// The beginning of a script that chooses a node and sets a field of it, once; `field` is that field, `window.before`
  /// what it was.
  private static func set(_ node: String, _ setting: String, to value: String) -> String {
    """
    const node = [...document.querySelectorAll('.node')].find((one) => one.getAttribute('aria-label').startsWith('\(node),'));
    if (!node) return false;
    const id = 'set-\(node)-0-\(setting)';
    if (!document.getElementById(id)) node.dispatchEvent(new MouseEvent('click'));
    const field = document.getElementById(id);
    if (!window.isSet) {
      [window.isSet, window.before, field.value] = [true, field.value, '\(value)'];
      field.dispatchEvent(new Event('change'));
    }
    """
  }

  @Test func `a field of the desk moves the setting in the engine, and undo moves it back`() throws {
    let show = try ViewedShow()
    let value = "fetch('/visgraph/node/level/minimum?VALUE').then((answer) => answer.text())"
    // Chooses the node, sets the field, and waits until the graph that the program sends has it.
    let set = """
      (() => {
        \(Self.set("level", "minimum", to: "-70"))
        const fader = field.parentElement.querySelector('.fader');
        return field.value === '-70' && fader.getAttribute('aria-valuetext').startsWith('-70')
          && document.querySelectorAll('.meter').length === 2 && document.querySelector('.meter .figure').textContent !== '';
      })()
      """
    let undo = """
      new Promise((done) => {
        document.getElementById('undo').click();
        const look = setInterval(() => {
          const field = document.getElementById('set-level-0-minimum');
          if (field.value !== window.before) return;
          clearInterval(look);
          done(field.value);
        }, 20);
      })
      """
    let look = try PageLook(
      "\(show.address)/desk", until: set,
      [value, undo, value, "document.title", "String(document.fonts.size >= 0)"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers.first == #"{"VALUE":[-70.0]}"#, "\(look)")
    #expect(look.answers.dropFirst().prefix(2) == ["-80", #"{"VALUE":[-80.0]}"#], "\(look)")
    #expect(look.answers[3] == "Stereo sparks – desk")
  }

  @Test func `every control of the desk has a name, and every fader a value`() throws {
    let show = try ViewedShow()
    let named = """
      (() => {
        const name = (one) => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.[0]?.textContent.trim() || one.title;
        const all = [...document.querySelectorAll('button, input, select, [role=button], [role=meter], iframe')];
        return all.filter((one) => !name(one)).map((one) => one.outerHTML.slice(0, 80)).join();
      })()
      """
    let values = """
      [...document.querySelectorAll('input[type=range]')].filter((one) => one.offsetParent && !one.getAttribute('aria-valuetext'))
        .map((one) => one.getAttribute('aria-label')).filter((name) => !name.includes('volume')).join()
      """
    let look = try PageLook(
      "\(show.address)/desk",
      until: "document.querySelectorAll('.setting').length > 5 && document.querySelector('.player')",
      [named, "new Promise((done) => setTimeout(() => done(\(values)), 800))"])
    #expect(look.isReady && look.answers == ["", ""] && look.log.isEmpty, "\(look)")
  }

  @Test func `a refused value stays neither in its field nor as an undo step`() throws {
    let show = try ViewedShow()
    let refused = """
      (() => {
        \(Self.set("level", "minimum", to: "much"))
        return document.getElementById('refused').textContent !== '' && field.value === window.before;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk", until: refused,
      [
        "document.getElementById('refused').textContent.split(' ')[0]",
        "String(document.getElementById('undo').disabled)",
      ])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers == ["level.minimum", "true"], "\(look)")
  }

  private static let tone = """
    visgraph: 1
    name: A tone   # and a comment
    nodes:
      tone: { type: tone-source, frequency: 440 Hz, level: -20 dB }
      gain: { type: gain, gain: 0 dB }   # as loud as it is
      meter: { type: meter }
    wires:
      - tone -> gain -> meter
    """

  @Test
  func `what a fader of the desk has set is saved into the file, comments and all, and the desk says so`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.tone, to: "tone.yaml")
    let show = try ViewedShow(graph: path)
    // Moves the fader of the gain once, saves once that is reported, and waits for the answer.
    let save = """
      (() => {
        const node = [...document.querySelectorAll('.node')].find((one) => one.getAttribute('aria-label').startsWith('gain,'));
        if (!document.getElementById('set-gain-0-gain')) node?.dispatchEvent(new MouseEvent('click'));
        const fader = document.getElementById('set-gain-0-gain').parentElement.querySelector('.fader');
        if (!window.isMoved) {
          [window.isMoved, fader.value] = [true, '0.5'];
          fader.dispatchEvent(new Event('input'));
        }
        const save = document.getElementById('save');
        if (!save.disabled && !window.isSaved) {
          window.isSaved = true;
          save.click();
        }
        // The confirmation lasts some seconds; the list keeps it.
        const said = [...document.querySelectorAll('#messages li')].map((one) => one.lastChild.textContent);
        return said.includes('saved 1 setting into tone.yaml') && save.disabled;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk", until: save, ["document.getElementById('set-gain-0-gain').value"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    let gain = try #require(look.answers[0])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // A place in the middle of a console's fader.
    #expect(gain == "-10")
    #expect(text == Self.tone.replacing("gain: 0 dB", with: "gain: -10 dB"))
  }

  @Test func `the desk shows why the file is not saved`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.tone, to: "tone.yaml")
    // What the command line says goes before the file, which has no place for another value.
    let show = try ViewedShow("--set", "gain.gain=-1", graph: path)
    let refused = """
      (() => {
        \(Self.set("gain", "gain", to: "-3"))
        document.getElementById('save').click();
        return document.getElementById('refused').textContent.startsWith('nothing is saved: ');
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk", until: refused, ["document.getElementById('refused').textContent"])
    #expect(look.isReady && look.answers[0]?.contains("there is no place in") == true, "\(look)")
  }

  @Test func `the desk shows the waveform of a channel, and its frequency`() throws {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: try folder.write(Self.tone, to: "tone.yaml"))
    // The colors of a drawing, of which an empty one has few.
    let colors = """
      (() => [...document.querySelectorAll('.views canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size > 8;
      }).join())()
      """
    let hears = """
      /peak \\u2212(19.9|20.0|20.1) dBFS, strongest at 440 Hz/.test(document.getElementById('sound-figures').textContent)
        && \(colors) === 'true,true,true'
      """
    let choices =
      "[...document.querySelectorAll('#sound-channel option')].map((one) => one.textContent).join()"
    let look = try PageLook("\(show.address)/desk", until: hears, [choices])
    #expect(look.isReady && look.answers == ["tone 1,gain 1"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the transport shows the cover, and its list leads to each track`() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      let made = try Child([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=20", "-f", "lavfi", "-i",
        "color=orange:size=64x64:duration=1", "-frames:v", "1", "-map", "0", "-map", "1", "-c:v", "mjpeg",
        "-disposition:v", "attached_pic", folder.file("\(name).flac"),
      ])
      try #require(made.exitCode(within: 60) == 0, "\(made.notes)")
    }
    let graph = """
      visgraph: 1
      name: Two
      nodes:
        songs: { type: file-source, path: [one.flac, two.flac] }
        meter: { type: meter }
      wires:
        - songs -> meter
      """
    let show = try ViewedShow(graph: try folder.write(graph, to: "two.yaml"))
    let second = """
      (() => {
        const [one, two] = document.querySelectorAll('.list button');
        if (!window.isChosen && two) {
          window.isChosen = true;
          two.click();
        }
        return two.getAttribute('aria-current') === 'true' && !one.hasAttribute('aria-current')
          && document.querySelector('.cover').naturalWidth === 64;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk", until: second, ["document.querySelector('.list').textContent"])
    #expect(look.isReady && look.answers == ["one.flactwo.flac"] && look.log.isEmpty, "\(look)")
  }

  @Test func `the desk goes through scenes and cues, and shows where the show is`() throws {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      main: low
      scenes: { low: { gain.gain: -20 }, high: { gain.gain: 0 } }
      cues:
        1: { label: Doors, scene: high, continue: 0 }
        2: { label: Storm }
        2.5: { scene: low }
      nodes:
        tone: { type: tone-source }
        gain: { type: gain }
        meter: { type: meter }
      wires: [tone -> gain -> meter]
      """
    let show = try ViewedShow(graph: try folder.write(graph, to: "cues.yaml"))
    // Goes on, back to the look of the cue before, to a scene and to a number, each once it stands where it is to be.
    let script = """
      (() => {
        const text = (one) => document.getElementById(`cue-${one}`).textContent;
        const marked = [...document.querySelectorAll('#cues .scenes [aria-current], #cues .list [aria-current]')];
        const now = [text('current'), text('next'), ...marked.map((one) => one.textContent)].join(' | ');
        const press = (words) => [...document.querySelectorAll('#cues button, .gobar button')].find((one) => one.textContent === words).click();
        const steps = [
          ['none yet | 1 Doors | low', 'GO'], ['2 Storm | 2.5 | high | 2 Storm', 'GO'], ['2.5 | none | low | 2.5', 'back'],
          ['2 Storm | 2.5 | high | 2 Storm', 'low'], ['2 Storm | 2.5 | low | 2 Storm', '2.5'], ['2.5 | none | low | 2.5', ''],
        ];
        window.step ??= 0;
        window.last = now;
        if (now !== steps[window.step][0]) return false;
        if (window.step === steps.length - 1) return document.getElementById('cue-go').disabled;
        press(steps[window.step][1]);
        window.step += 1;
        return false;
      })()
      """
    let look = try PageLook("\(show.address)/desk", until: script, ["`${window.step} ${window.last}`"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")

    // The list has the numbers of the cues and none of its own.
    let list = "getComputedStyle(document.querySelector('#cues .list')).listStyleType"
    #expect(
      try PageLook("\(show.address)/desk", until: "document.querySelector('#cues .list button')", [list])
        .answers == ["none"])
    // A graph that has neither has no such part.
    let plain = try ViewedShow(graph: try folder.write(Self.tone, to: "tone.yaml"))
    let hidden = try PageLook(
      "\(plain.address)/desk", until: "document.querySelectorAll('.meter').length === 1",
      ["String(document.querySelector('section.cues').hidden)"])
    #expect(hidden.answers == ["true"], "\(hidden)")
  }

  @Test
  func `the desk counts down to a follow-on, and waits after stop and back like the run`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      cues: { 1: { label: A, continue: 600 }, 2: { label: B }, 3: { label: C, continue: 600 } }
      nodes: { tone: { type: tone-source }, meter: { type: meter } }
      wires: [tone -> meter]
      """
    let show = try ViewedShow(graph: try folder.write(graph, to: "cues.yaml"))
    // Each step once the bar stands as it says: current, next, whether it counts, whether stop can be pressed.
    let script = """
      (() => {
        const part = (name) => document.getElementById(`cue-${name}`);
        const left = /^by itself in [5-9]:[0-5]\\d$/.test(part('left').textContent) ? 'counts' : part('left').textContent;
        const now = [part('current').textContent, part('next').textContent, left, part('stop').disabled].join(' | ');
        const steps = [
          ['none yet | 1 A |  | true', 'go'], ['1 A | 2 B | counts | false', 'stop'], ['1 A | 2 B |  | true', 'go'],
          ['2 B | 3 C |  | true', 'back'], ['1 A | 2 B |  | true', ''],
        ];
        window.step ??= 0;
        window.last = now;
        if (now !== steps[window.step][0]) return false;
        if (window.step === steps.length - 1) return true;
        part(steps[window.step][1]).click();
        window.step += 1;
        return false;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk", until: script,
      ["`${window.step} ${window.last}`", "document.getElementById('cue-stop').textContent"])
    #expect(look.isReady && look.answers[1] == "stop" && look.log.isEmpty, "\(look)")
  }
}
