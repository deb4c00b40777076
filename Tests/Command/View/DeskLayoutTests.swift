import Foundation
import Glibc
import TestSupport
import Testing

/// The desk of shows with few and with very many channels, on screens of all sizes: what is seen, and what a click
/// hits.
@Suite(.serialized, .blockingInBrowser) struct DeskLayoutTests {
  static let sizes = ["1440x900", "1280x720", "820x1180", "390x844", "844x390"]
  private static let band = [
    "Kick", "Snare", "Hat", "Tom 1", "Tom 2", "Ride", "OH L", "OH R", "Bass", "Guitar L", "Guitar R",
    "Keys L",
    "Keys R", "Vox", "Choir 1", "Choir 2",
  ]

  /// A show that has everything which a desk shows, with so many channels.
  private static func graph(_ channels: Int) -> String {
    let names = channels == band.count ? ", names: [\(band.joined(separator: ", "))]" : ""
    return """
      visgraph: 1
      name: A show of \(channels) channels
      main: low
      scenes: { low: { gain.gain: -20 dB }, high: { gain.gain: 0 dB } }
      cues:
        1: { label: The doors open and all of the house light goes out, scene: high }
        2: { label: Storm, continue: 600 }
        2.5: { label: After the storm, scene: low }
      nodes:
        song: { type: file-source, path: "\(HouseTests.root.path)/graphs/sounds/kick.flac", loop: forever }
        tone: { type: tone-source, level: 3 dB, channels: \(channels)\(names) }
        gain: { type: gain }
        meter: { type: meter }
        level: { type: meter-table }
        mood: { type: gradient, colors: [navy, crimson, gold] }
        sparks: { type: emitter, cells: { spark: { birthRate: 2, lifetime: 1, color: orange } } }
        rig: { type: osc-output, to: "127.0.0.1:9", address: "/a/{channel}" }
      wires:
        - tone -> gain -> meter -> level -> sparks
        - level[1] -> mood -> rig
      """
  }

  @Test(arguments: [2, 16, 64, 256])
  func `nothing on the desk overlaps, and every control is hit by a click`(channels: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let show = try ViewedShow(graph: folder.write(Self.graph(channels), to: "graph.yaml"))
    let script = HouseTests.root.appending(path: "Tests/Pages/layout.js").path
    for size in Self.sizes {
      let look = try PageLook(
        "\(show.address)/desk",
        until:
          "document.querySelector('.setting') && document.querySelector('.target') && document.querySelector('.player')",
        ["layoutFaults()"], script: script, on: .init(size: size))
      #expect(look.isReady && look.answers == [""] && look.log.isEmpty, "\(channels) at \(size): \(look)")
    }
  }

  @Test func `each page of 256 channels shows 32 of them, and marks clipping on the others`() throws {
    let folder = try TemporaryFolder()
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source, level: -20 dB, channels: 256 }
        gain: { type: gain, each: { 200: { gain: 23 dB } } }
        meter: { type: meter }
      wires: [tone -> gain -> meter]
      """
    let show = try ViewedShow(graph: folder.write(graph, to: "graph.yaml"))
    let pages = "[...document.querySelectorAll('.pages button')]"
    let names = "[...document.querySelectorAll('.meter .name')].map((one) => one.textContent)"
    let look = try PageLook(
      "\(show.address)/desk", until: "\(pages).some((one) => one.classList.contains('clipped'))",
      [
        "\(pages).map((one) => one.textContent).join()",
        "\(pages).filter((one) => one.classList.contains('clipped')).map((one) => one.textContent).join()",
        "\(names).join()",
        """
        (() => {
          \(pages)[6].click();
          const clip = document.querySelectorAll('.meter .clip.on');
          return `${clip.length} ${clip[0].getAttribute('aria-label')} ${clip[0].textContent}; ${\(names)[0]} to ${\(names).at(-1)}`;
        })()
        """,
        "document.getElementById('clear-clips').click(), new Promise((done) => setTimeout(() => done(String(document.querySelectorAll('.meter').length)), 50))",
      ])
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(
      look.answers == [
        "1–32,33–64,65–96,97–128,129–160,161–192,193–224,225–256", "193–224",
        (1...32).map(String.init).joined(separator: ","),
        "1 meter 200: clipped; clear 3.0; 193 to 224", "32",
      ], "\(look)")
  }

  @Test(arguments: ["390x844", "844x390"])
  func `a refusal on a phone shows at once, whatever tab is open, and is listed afterwards`(
    size: String
  ) throws {
    let show = try ViewedShow()
    // Opens each part, has something refused, and asks whether its message lies in the window and above all else.
    let refuse = """
      (async () => {
        const seen = [];
        for (const tab of document.querySelectorAll('nav button')) {
          tab.click();
          document.querySelector('#refused').closest('p').querySelector('button').click();
          const field = document.getElementById('set-song-0-volume');
          field.value = 'much';
          field.dispatchEvent(new Event('change'));
          while (document.getElementById('refused').textContent === '') await new Promise(requestAnimationFrame);
          const { left, right, top, bottom } = document.getElementById('refused').getBoundingClientRect();
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          seen.push(top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && hit.closest('.notice') !== null);
        }
        document.getElementById('tab-show').click();
        return `${seen.join()} ${document.querySelectorAll('#messages li').length} ${document.getElementById('refused').getAttribute('role')}`;
      })()
      """
    let look = try PageLook(
      "\(show.address)/desk#node=song", until: "document.getElementById('set-song-0-volume')",
      [refuse, "document.getElementById('refused').textContent"], on: .init(size: size))
    #expect(look.isReady && look.log.isEmpty, "\(look)")
    #expect(
      look.answers == [
        "true,true,true,true 4 alert", "song.volume is \"much\"; it takes a number 0…1",
      ], "\(look)")
  }

  @Test func `a desk without its program reports that until it is back, on a phone, too`() throws {
    let show = try ViewedShow()
    let peer = try ViewPeer.ofMaster(try show.child.viewPort())
    // Dims the master once it is there, so that we see it is.
    let gone = """
      (() => {
        if (document.querySelector('.setting') && !window.wasThere) {
          window.wasThere = true;
          const master = document.getElementById('master');
          master.value = '0.5';
          master.dispatchEvent(new Event('input'));
        }
        return document.body.classList.contains('away') && document.getElementById('lasting').textContent.includes('does not answer');
      })()
      """
    let isSeen = """
      (() => {
        const { bottom, top } = document.getElementById('lasting').getBoundingClientRect();
        return String(top >= 0 && bottom > top && bottom <= innerHeight);
      })()
      """
    let look = PageLookAside(
      "\(show.address)/desk", until: gone,
      [
        isSeen,
        "new Promise((done) => setTimeout(() => done(document.getElementById('lasting').textContent), 1000))",
      ],
      on: .init(size: "390x844"))
    try peer.waitForMark()
    show.child.signal(SIGTERM)
    #expect(show.child.exitCode(within: 60) == 0, "\(show.child.notes)")
    let seen = try look.result()
    #expect(seen.isReady, "\(seen)")
    #expect(
      seen.answers == ["true", "the program does not answer; it is looked for again"], "\(seen)")
  }
}
