import Foundation
import TestSupport
import Testing

/// How fast lamps go dark.
@Suite(.serialized, .blocking) struct UniverseEndTests {
  @Test(arguments: [
    (5568, 126, "type: sacn-output, to: 127.0.0.1"), (6454, 18, "type: artnet-output, to: 127.0.0.1"),
  ])
  func `after a blackout or SIGTERM lights are dark within one packet of DMX`(
    port: Int, slots: Int, output: String
  ) throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 44
      nodes: { level: { type: constant, channels: 3, value: 0.7 }, lamps: { \(output) } }
      wires: [level -> lamps]

      """, to: "graph.yaml")
    func firstDark(_ capture: LightCapture, after time: Double?) throws -> Double {
      let time = try #require(time)
      // Levels that were lit before, so that there is something to put out. A busy machine may be late with them, or
      // take a blackout later than the capture ends.
      guard capture.packets.contains(where: { $0.time < time && $0.bytes[slots] == 179 }) else {
        return .infinity
      }
      let dark = capture.packets.first { $0.time >= time && $0.bytes[slots...].allSatisfy { $0 == 0 } }
      return (dark?.time ?? .infinity) - time
    }
    let end = try shortest(of: 12, below: 0.023) {
      let capture = try LightCapture(graph, port: port, endingAfter: 0.7)
      return try firstDark(capture, after: capture.asked)
    }
    let blackout = try shortest(of: 12, below: 0.023) {
      let capture = try LightCapture(graph, port: port, endingAfter: 1.4, blacksOut: true)
      return try firstDark(capture, after: capture.darkened)
    }
    #expect(end <= 0.023 && blackout <= 0.023, "\(end) s, \(blackout) s")
  }

  @Test(arguments: [
    (5568, 126, "type: sacn-output, to: 127.0.0.1"), (6454, 18, "type: artnet-output, to: 127.0.0.1"),
  ])
  func `a show that SIGTERM ends leaves its lights in the named scene`(
    port: Int, slots: Int, output: String
  ) throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 44
      patch: [{ name: Spot, channels: [dimmer, red, green, blue, pan], address: 1/1 }]
      main: show
      scenes:
        show: { spot.color: white, spot.dimmer: 100 %, spot.pan: 0 deg }
        goodbye: { spot.color: red, spot.dimmer: 40 %, spot.pan: 270 deg }
      nodes:
        tone: { type: tone-source, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        spot: { type: lights, of: Spot, drive: [{ key: green, by: sound, to: [0, 100 %], idle: 20 % }] }
        lamps: { \(output), atEnd: scene, endScene: goodbye }
      wires: [tone -> meter -> level -> spot.sound, spot -> lamps]

      """, to: "graph.yaml")
    func looks(_ capture: LightCapture) -> [(time: Double, slots: [UInt8])] {
      capture.packets.map { (time: $0.time, slots: Array($0.bytes[slots..<(slots + 5)])) }
    }
    // White as loud as the sound, then 40 %, red, green as where nothing plays, no blue, and the head at its end.
    let (show, goodbye): ([UInt8], [UInt8]) = ([255, 255, 204, 255, 128], [102, 255, 51, 0, 255])
    func showsSound(_ capture: LightCapture) -> Bool {
      looks(capture).contains {
        $0.time < capture.asked ?? 0 && $0.slots[0] == show[0] && $0.slots[4] == show[4] && $0.slots[2] > 51
      }
    }
    let capture = try LightCapture.first(where: showsSound) {
      try LightCapture(graph, port: port, endingAfter: 0.7)
    }
    // It is not dark at the end, which the decoder has against a show that says nothing else.
    #expect(
      capture.code == 0 && capture.faults.allSatisfy { $0.hasSuffix("is not dark") }, "\(capture.faults)")
    let asked = try #require(capture.asked)
    #expect(showsSound(capture))
    let all = looks(capture)
    #expect(!all.contains { $0.time < asked && $0.slots == goodbye })
    let last = all.filter { $0.slots == goodbye }
    // Once, then the three packets that end a universe, or three more.
    #expect(last.count == 4 && all.suffix(4).allSatisfy { $0.slots == goodbye }, "\(all.suffix(6))")
  }
}
