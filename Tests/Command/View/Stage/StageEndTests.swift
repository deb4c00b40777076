import Foundation
import Glibc
import TestSupport
import Testing

/// What becomes of a wall of the show when its program ends, is killed, or comes back.
@Suite(.serialized, .blockingInBrowser) struct StageEndTests {
  /// Notes from the first look on how long the picture of a lost program is held, in seconds, and every word that the
  /// page shows; says by the master when it has a picture, for which what comes is waited.
  private static func watched(until ready: String) -> String {
    """
    (() => {
      const { connection, counts, absence } = stagePage;
      const opacity = () => Number(getComputedStyle(document.getElementById('picture')).opacity);
      if (!window.words) {
        window.words = new Set();
        new MutationObserver(() => words.add(document.body.innerText.trim()))
          .observe(document.body, { childList: true, subtree: true, characterData: true });
        // Looks come late on a busy machine, so the page notes the times itself.
        const { begin } = absence;
        absence.begin = (hasEnded) => {
          if (window.hasBegun) window.lostAt ??= performance.now();
          if (window.hasBegun && hasEnded) window.hadEnded ??= counts.frames;
          begin.call(absence, hasEnded);
        };
        new MutationObserver(() => {
          if (absence.picture.style.opacity === '0') window.held ??= (performance.now() - window.lostAt) / 1000;
        }).observe(document.body, { attributeFilter: ['style'], subtree: true });
      }
      words.add(document.body.innerText.trim());
      if (!window.hasBegun && counts.frames > 30) {
        window.hasBegun = true;
        connection.send({ send: ['/visgraph/master', 0.5] });
      }
      if (!window.lostAt) return false;
      return \(ready);
    })()
    """
  }

  /// Whether the page takes an end for a loss. Where a thread of the program is late by 0.75 s at the end, the process
  /// ends without it, and without a word to the page.
  private static let isLost = "absence.state === 'lost'"

  private static let facts = [
    "stagePage.absence.state", "getComputedStyle(document.getElementById('picture')).opacity",
    "[...window.words].filter((text) => text !== '').join('|')", "String(window.held)",
  ]

  /// A show at a port that no other takes once this one is away.
  private func show() throws -> ViewedShow { try ViewedShow(port: try OscReceiver.closedPort()) }

  private func peer(_ show: ViewedShow) throws -> ViewPeer {
    try ViewPeer.ofMaster(try show.child.viewPort())
  }

  @Test(arguments: ["kiosk", "clear"])
  func `at a clean end the stage fades out within about a second, without a text`(_ word: String)
    throws
  {
    let wrong = try lastOf(3) { () -> PageLook? in
      let show = try show()
      let peer = try peer(show)
      let look = PageLookAside(
        "\(show.address)/?draw=gl&\(word)&hold=600",
        until: Self.watched(until: "opacity() === 0 || \(Self.isLost)"), Self.facts)
      try peer.waitForMark()
      show.child.signal(SIGINT)
      #expect(show.child.exitCode(within: 20) == 0)
      let seen = try look.result()
      let isSoon = Double(seen.answers[3] ?? "").map { $0 < 60 } == true
      return seen.isReady && seen.answers.prefix(3) == ["ended", "0", ""] && isSoon ? nil : seen
    }
    #expect(wrong == nil)
  }

  @Test
  func `a killed program leaves its picture for the time in the address, and then it fades`()
    throws
  {
    let show = try show()
    let peer = try peer(show)
    let look = PageLookAside(
      "\(show.address)/?draw=gl&kiosk&hold=4", until: Self.watched(until: "opacity() === 0"), Self.facts)
    try peer.waitForMark()
    show.child.signal(SIGKILL)
    let seen = try look.result()
    #expect(seen.isReady && seen.answers.prefix(3) == ["lost", "0", ""], "\(seen)")
    #expect(Double(seen.answers[3] ?? "").map { $0 > 3.5 } == true, "\(seen)")
  }

  @Test func `after a clean end the picture is back by itself with the next show`() throws {
    // It need not have been dark by then.
    let back = "absence.state === 'there' && opacity() === 1 && counts.frames > window.hadEnded + 30"
    let wrong = try lastOf(3) { () -> PageLook? in
      let port = try OscReceiver.closedPort()
      let first = try ViewedShow(port: port)
      let peer = try peer(first)
      let look = PageLookAside(
        "\(first.address)/?draw=gl&kiosk", until: Self.watched(until: "\(back) || \(Self.isLost)"),
        Self.facts)
      try peer.waitForMark()
      first.child.signal(SIGINT)
      #expect(first.child.exitCode(within: 20) == 0)
      let second = try ViewedShow(port: port)
      #expect(second.address == first.address)
      let seen = try look.result()
      return seen.isReady && seen.answers.prefix(3) == ["there", "1", ""] ? nil : seen
    }
    #expect(wrong == nil)
  }

  /// How many connections a port of this machine has.
  private func connections(_ port: UInt16) -> Int {
    let mark = ":" + String(format: "%04X", port)
    // Foundation reads no more than a page of a file whose length is not known, unless by a handle.
    let bytes = try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()
    let table = String(decoding: bytes ?? Data(), as: UTF8.self)
    return table.split(separator: "\n").count { line in
      let words = line.split(separator: " ")
      return words.count > 3 && words[1].hasSuffix(mark) && words[3] == "01"
    }
  }

  @Test(arguments: [(SIGINT, "ended"), (SIGKILL, "lost")])
  func `behind a relay the end of a show is distinguished from its loss`(_ signal: Int32, _ state: String)
    throws
  {
    // An end may be taken for a loss, as above.
    let wrong = try lastOf(3) { () -> PageLook? in
      let look = try seen(behindRelayAfter: signal)
      return look.isReady && look.answers == [state, ""] ? nil : look
    }
    #expect(wrong == nil)
  }

  /// What is seen behind a relay once a signal has ended the show.
  private func seen(behindRelayAfter signal: Int32) throws -> PageLook {
    let show = try show()
    let relay = try Visgraph.start("relay", show.address)
    #expect(relay.says("its stage is handed on", within: 60), "\(relay.notes)")
    let port = try relay.viewPort()
    // Says by more connections than a browser makes of itself that it has a picture: a relay takes no messages for the
    // show.
    let ready = """
      (() => {
        if (stagePage.counts.frames > 30) {
          window.marks ??= Array.from({ length: 12 }, () => new WebSocket(`ws://${location.host}/socket`));
        }
        return window.marks !== undefined && stagePage.absence.state !== 'there';
      })()
      """
    let look = PageLookAside(
      "http://127.0.0.1:\(port)/?draw=gl&clear&hold=600", until: ready,
      ["stagePage.absence.state", "document.body.innerText.trim()"])
    try #require(poll(within: 90) { connections(port) >= 12 }, "\(relay.notes)")
    show.child.signal(signal)
    return try look.result()
  }

  @Test func `a page that cannot draw shows no text on a wall`() throws {
    let show = try ViewedShow()
    let look = try PageLook(
      "\(show.address)/?kiosk", until: "stagePage.counts.frames > 0",
      ["(stagePage.say('a word'), document.body.innerText.trim())"])
    #expect(look.isReady && look.answers == [""], "\(look)")
  }
}
