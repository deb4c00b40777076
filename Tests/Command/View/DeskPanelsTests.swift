import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// The panels of the desk in a real browser: meters, targets, faults and the ports of the sound server.
@Suite(.serialized, .blockingInBrowser) struct DeskPanelsTests {
  @Test func `a channel that clips is marked, and a target shows where levels go and how many were sent`()
    throws
  {
    let receiver = try OscReceiver()
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source, level: 3 dB, channels: 1 }
        soft: { type: gain, gain: -40 dB }
        loud: { type: meter }
        quiet: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(receiver.port)" }
      wires: [tone -> loud -> level -> rig, tone -> soft -> quiet -> level]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    let ready = """
      (() => {
        const clips = [...document.querySelectorAll('.meter .clip')].map((one) => one.classList.contains('on'));
        const count = Number(/^(\\d+) sent/.exec(document.querySelector('.target.well .counts')?.textContent)?.[1]);
        return clips.join() === 'true,false' && count > 100 && document.querySelector('.target.well .rate').textContent.endsWith('/s');
      })()
      """
    let row =
      "[...document.querySelectorAll('.target.well .id, .target.well .to')].map((one) => one.textContent).join(' ')"
    let clear = """
      (() => {
        const clip = document.querySelector('.meter .clip');
        const before = clip.getAttribute('aria-label');
        clip.click();
        return `${before}, ${clip.getAttribute('aria-label')}`;
      })()
      """
    let held = "String(Number(document.querySelector('.meter .hold').style.getPropertyValue('--level')))"
    let look = try PageLook("\(show.address)/desk", until: ready, [row, clear, held])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(
      look.answers == [
        "rig 127.0.0.1:\(receiver.port)", "loud 1: clipped; clear, loud 1: no clip", "1",
      ])
    #expect(!receiver.messages.isEmpty)
  }

  @Test func `a held peak stays on the desk when a setting changes`() throws {
    let folder = try TemporaryFolder()
    // The peak is sent once, as it does not change. The average is 3 dB below it.
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 1 }
        meter: { type: meter, hold: 60 s, reference: rms }
        gain: { type: gain }
        other: { type: meter }
      wires: [tone -> meter, tone -> gain -> other]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    let clip = "document.querySelector('.metergroup[aria-label=meter] .clip')"
    // Sets the gain once the peak is there, and clears what is held once the page has the new graph.
    let ready = """
      (() => {
        const field = document.getElementById('set-gain-0-gain');
        const fader = field.closest('.field').querySelector('.fader').getAttribute('aria-valuetext');
        if (!window.before && \(clip).textContent === '\u{2212}20.0') {
          window.before = fader;
          field.value = '-6 dB';
          field.dispatchEvent(new Event('change'));
        }
        if (!window.before || fader === window.before) return false;
        \(clip).click();
        return true;
      })()
      """
    // Some pictures later.
    let highest = """
      new Promise((done) => {
        let left = 30;
        const look = () => (left-- > 0 ? requestAnimationFrame(look) : done(\(clip).textContent));
        look();
      })
      """
    let look = try PageLook("\(show.address)/desk#node=gain", until: ready, [highest])
    #expect(look.isReady && look.answers == ["\u{2212}20.0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `a fault of the file is shown with its place while the show goes on`() throws {
    let folder = try TemporaryFolder()
    let text = """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
      wires: [tone -> meter]
      """
    let path = try folder.write(text, to: "graph.yaml")
    let show = try ViewedShow(graph: path)
    _ = try folder.write(text.replacing("type: meter }", with: "type: metre }"), to: "graph.yaml")
    show.child.signal(SIGHUP)
    let faults = "document.getElementById('faults')"
    let look = try PageLook(
      "\(show.address)/desk", until: "\(faults).offsetParent && \(faults).textContent.includes('metre')",
      ["\(faults).textContent", "document.getElementById('health').textContent"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers[0]?.contains("graph.yaml:4:18: error: ") == true, "\(look)")
    #expect(look.answers[0]?.contains("\n     |                  ^^^^^") == true, "\(look)")
    #expect(!show.child.hasEnded)
  }

  @Test func `the LEDs of the chosen node are shown as they are lit, each where it lies`() throws {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      nodes:
        on: { type: constant, value: 1 }
        leds: { type: pixels, layout: { grid: 4x2 }, color: "#ff0000", gamma: 2.2 }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [on -> leds.level, leds -> out]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    func color(_ x: Double, _ y: Double) -> String {
      """
      (() => {
        const canvas = document.querySelector('.settings .leds canvas');
        if (!canvas || canvas.width < 40) return '';
        const [x, y] = [Math.round(canvas.width * \(x)), Math.round(canvas.height * \(y))];
        // A copy, as browsers warn of canvases that are read often.
        const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, -x, -y);
        return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)].join();
      })()
      """
    }
    let look = try PageLook(
      "\(show.address)/desk#node=leds", until: "\(color(0.125, 0.25)) === '255,0,0'",
      [color(0.875, 0.75), color(0.25, 0.5), "document.querySelector('.leds figcaption').textContent"])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(look.answers == ["255,0,0", "0,0,0", "8 LEDs"])
  }

  @Test func `while the desk shows another tab, as on a phone, its stage is sent nothing`() throws {
    let show = try ViewedShow()
    let stage = "document.querySelector('iframe').contentWindow.stagePage"
    let hidden = """
      document.getElementById('tab-levels').click() ?? (\(stage).connection.isOpen && !\(stage).isVisible && !\(stage).isJoined)
      """
    let more = """
      (() => {
        const { frames } = \(stage).counts;
        return new Promise((done) => setTimeout(() => done(`${\(stage).isJoined} ${\(stage).counts.frames - frames}`), 500));
      })()
      """
    let look = try PageLook("\(show.address)/desk", until: hidden, [more], on: .init(size: "390x844"))
    #expect(look.isReady && look.answers == ["false 0"] && look.log.isEmpty, "\(look)")
  }

  @Test func `a player of a file whose name is not UTF-8 leaves the rest of the desk alive`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Wave.bytes([[Float](repeating: 0.1, count: 48_000)]), to: "a.wav")
    let move = #"mv "$1/a.wav" "$1/$(printf 'caf\351.wav')""#
    let moved = try Child(["sh", "-c", move, "sh", folder.path])
    try #require(moved.exitCode() == 0, "\(moved.notes)")
    let child = try Child([
      Visgraph.path, "play", folder.path, "--repeat", "all", "--host", "clock", "--control", "off", "--view",
      "on",
    ])
    // The blackout is put on and off again, which the desk can do as long as it knows the state.
    let dark = """
      (() => {
        const button = document.getElementById('blackout');
        const isDark = button.getAttribute('aria-pressed') === 'true';
        window.clicks ??= 0;
        if (window.clicks < 2 && document.querySelector('.player .list button') && isDark === (window.clicks === 1)) {
          window.clicks += 1;
          button.click();
          return false;
        }
        return window.clicks === 2 && !isDark;
      })()
      """
    let names = ["strong", ".list"].map { "document.querySelector('.player \($0)').textContent" }
    let look = try PageLook("http://127.0.0.1:\(try child.viewPort())/desk", until: dark, names)
    let name = #"caf\xE9.wav"#
    #expect(look.isReady && look.answers == [name, name] && look.log.isEmpty, "\(look)")
  }
}

/// The same with a sound server.
@Suite(.serialized, .blockingInJack) struct DeskPortsTests {
  @Test func `a port is connected and disconnected by hand`() throws {
    let folder = try TemporaryFolder()
    let server = try JackServer()
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 1, sound: .tone)
    let graph = """
      visgraph: 1
      nodes:
        mic: { type: jack-input, channels: 1 }
        meter: { type: meter }
      wires: [mic -> meter]
      """
    let child = try Visgraph.start(
      "run", try folder.write(graph, to: "graph.yaml"), "--host", "jack", "--server", server.name, "--view",
      "--control", "off")
    let other = "\(peer.name):out_1"
    // Chooses the other port; cuts it once it is reported as connected; waits until it is reported as cut.
    let hand = """
      (() => {
        const choice = document.querySelector('.jackport select');
        const cut = document.querySelector('.jackport button');
        if (!window.isMade && [...choice.options].some(({ value }) => value === '\(other)')) {
          [window.isMade, choice.value] = [true, '\(other)'];
          choice.dispatchEvent(new Event('change'));
        }
        if (cut && !window.isCut) {
          window.label = cut.getAttribute('aria-label');
          const level = document.querySelector('.meter .scale').getAttribute('aria-valuenow');
          if (Number(level) < -20) return false;
          window.isCut = true;
          cut.click();
        }
        return window.isCut && !cut;
      })()
      """
    let look = try PageLook("http://127.0.0.1:\(try child.viewPort())/desk", until: hand, ["window.label"])
    #expect(look.isReady && look.answers == ["cut mic_1 from \(other)"] && look.log.isEmpty, "\(look)")
    #expect(peer.connections(other) == [])
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 60) == 0, "\(child.notes)")
  }

  @Test func `the strongest frequency is that of a peak, and never below 0 Hz`() throws {
    let show = try ViewedShow()
    // A sine, a slow drift whose strength only rises toward 0 Hz, both together, and silence.
    let heard = """
      import('/spectrum.js').then(({ Spectrum }) => {
        const spectrum = new Spectrum(2048);
        const sine = (i) => 0.1 * Math.sin(2 * Math.PI * 440 * i / 48000);
        return [sine, (i) => i / 2048, (i) => sine(i) + i / 2048, () => 0].map((sample) => {
          spectrum.look(sample);
          const found = spectrum.strongest(48000);
          return found === null ? 'none' : found.toFixed(0);
        }).join();
      })
      """
    let look = try PageLook("\(show.address)/desk", until: "document.querySelector('.setting')", [heard])
    #expect(look.isReady && look.answers == ["440,none,440,none"], "\(look)")
  }
}
