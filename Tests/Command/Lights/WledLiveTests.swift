import Foundation
import TestSupport
import Testing

/// What a run sends to lamps of WLED, read by a receiver that is strict.
@Suite(.serialized, .blocking) struct WledLiveTests {
  private func graph(_ leds: String, _ output: String) -> String {
    """
    visgraph: 1
    fps: 60
    nodes:
      tone: { type: tone-source, tone: impulses, level: -6, frequency: 5 }
      meter: { type: meter, release: 0.2 s }
      level: { type: meter-table }
      leds: { type: pixels, \(leds) }
      out: { type: wled-output, to: 127.0.0.1\(output) }
    wires: [tone -> meter -> level -> leds.level, leds -> out]

    """
  }

  @Test func `a lamp is switched on, lit by whole frames, dark at the end, and then restored`() throws {
    let folder = try TemporaryFolder()
    func write(_ brightness: Int, _ name: String) throws -> String {
      try folder.write(
        graph("layout: { strip: 600 }", ", state: on, brightness: \(brightness), http: 8780"), to: name)
    }
    func frames(_ capture: LightCapture) -> Int { capture.kinds["frames"] ?? 0 }
    // A lamp that a busy machine lets answer late is asked again, and may not be put back before the end.
    func isWhole(_ capture: LightCapture) -> Bool {
      frames(capture) > 60 && capture.lamp?.questions == 1 && capture.lamp?.posts.count == 3
    }
    let capture = try LightCapture.first(where: isWhole) {
      // Half-way its brightness becomes another, by a reload.
      let (file, next) = try (write(200, "graph.yaml"), write(90, "next.yaml"))
      return try LightCapture(file, port: 21_324, endingAfter: 3, becoming: next, lamp: 8780)
    }
    #expect(capture.code == 0 && capture.faults == [], "\(capture.faults.prefix(3))")
    if !capture.late.isEmpty { noteTooBusy("\(capture.late.prefix(3))") }
    // 600 LEDs are two packets, and there are frames all the time.
    #expect(frames(capture) > 60 && capture.kinds["packets"] == 2 * frames(capture), "\(capture.kinds)")
    #expect(capture.packets.contains { $0.bytes[4...].contains { $0 > 100 } })
    let lamp = try #require(capture.lamp)
    #expect(lamp.faults == [] && lamp.isPutBack && lamp.questions == 1)
    #expect(
      lamp.posts == [
        #"{"bri": 200, "lor": 0, "on": true, "tt": 0}"#,
        #"{"bri": 90, "lor": 0, "on": true, "tt": 0}"#,
        #"{"bri": 37, "live": false, "lor": 2, "on": false, "tt": 0}"#,
      ])
  }

  @Test func `a lamp whose HTTP interface never answers is lit all the same, and does not delay the end`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      graph("layout: { strip: 10 }, colors: GRBW", ", state: on, http: 8781"), to: "graph.yaml")
    let seconds = try shortest(of: 4, below: 5) {
      let capture = try LightCapture(file, port: 21_324, endingAfter: 2, lamp: 8781, isSilent: true)
      #expect(capture.code == 0 && capture.faults == [], "\(capture.faults.prefix(3))")
      guard (capture.kinds["frames"] ?? 0) > 30, (capture.lamp?.questions ?? 0) > 0 else {
        return .infinity
      }
      return capture.ended - (try #require(capture.asked))
    }
    #expect(seconds < 5, "\(seconds)")
  }

  @Test func `a blackout reaches a lamp within a frame`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      graph("layout: { strip: 10 }", "").replacing("release: 0.2 s", with: "release: 20 s"), to: "graph.yaml")
    let delay = try shortest(of: 4, below: 0.5) {
      let capture = try LightCapture(file, port: 21_324, endingAfter: 3, blacksOut: true)
      let asked = try #require(capture.darkened)
      let after = capture.packets.filter { $0.time > asked }
      guard let dark = after.first(where: { $0.bytes[2...].allSatisfy { $0 == 0 } }),
        capture.packets.contains(where: { $0.time < asked && $0.bytes[2...].contains { $0 > 100 } })
      else { return .infinity }
      #expect(after.drop { $0.time < dark.time }.allSatisfy { $0.bytes[2...].allSatisfy { $0 == 0 } })
      return dark.time - asked
    }
    if delay > 0.0167 { noteTooBusy("dark after \(delay) s") }
    #expect(delay < 0.5, "\(delay)")
  }

  @Test(arguments: [("127.0.0.1", nil), ("multicast, interface: 127.0.0.1", "239.0.0.1")])
  func `lamps get the levels of the sound, at most 50 times a second, and silence at the end`(
    to: String, group: String?
  ) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      visgraph: 1
      fps: 100
      nodes:
        tone: { type: tone-source, channels: 2, level: -6, frequency: 1000 }
        lamps: { type: wled-sync, to: \(to) }
      wires: [tone -> lamps]

      """, to: "graph.yaml")
    let capture = try LightCapture.first(where: { $0.kinds["packets"] ?? 0 > 60 }) {
      try LightCapture(file, port: 11_988, group: group, endingAfter: 3)
    }
    #expect(capture.code == 0 && capture.faults == [], "\(capture.faults.prefix(3))")
    if !capture.late.isEmpty { noteTooBusy("\(capture.late.prefix(3))") }
    let count = capture.kinds["packets"] ?? 0
    // The first packet, and the one of silence, come on top of that.
    let most = (capture.packets.last?.time ?? 0) * 50 + 2
    #expect(count > 60 && Double(count) <= most, "\(capture.kinds) of \(most)")
    let heard = capture.packets.dropFirst(10).dropLast().map(\.bytes)
    #expect(heard.allSatisfy { packet in (0..<16).allSatisfy { (packet[18 + $0] > 0) == ($0 == 7) } })
    let frequencies = heard.map { packet in
      Float(bitPattern: packet[40..<44].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
    #expect(frequencies.allSatisfy { abs($0 - 1000) <= 11 }, "\(frequencies.prefix(3))")
  }
}
