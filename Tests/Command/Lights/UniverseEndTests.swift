import Foundation
import TestSupport
import Testing

/// How fast lamps go dark.
@Suite(.serialized, .blocking) struct UniverseEndTests {
  @Test(arguments: [
    (5568, 126, "type: sacn-output, to: 127.0.0.1"), (6454, 18, "type: artnet-output, to: 127.0.0.1"),
  ])
  func `the dark of a blackout and of SIGTERM comes within one packet of DMX`(
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
      // Levels that were lit before, so that there is something to put out.
      #expect(capture.packets.contains { $0.time < time && $0.bytes[slots] == 179 })
      let dark = capture.packets.first { $0.time >= time && $0.bytes[slots...].allSatisfy { $0 == 0 } }
      return try #require(dark).time - time
    }
    let end = try shortest(of: 4, below: 0.023) {
      let capture = try LightCapture(graph, port: port, endingAfter: 0.7)
      return try firstDark(capture, after: capture.asked)
    }
    let blackout = try shortest(of: 4, below: 0.023) {
      let capture = try LightCapture(graph, port: port, endingAfter: 1.4, blacksOut: true)
      return try firstDark(capture, after: capture.darkened)
    }
    #expect(end <= 0.023 && blackout <= 0.023, "\(end) s, \(blackout) s")
  }
}
