import Foundation
import TestSupport
import Testing

/// What a run sends by DDP, read by a receiver that is strict.
@Suite(.serialized, .blocking) struct DdpLiveTests {
  @Test
  func `every frame of particles is whole, in order, and shown by its last packet; at the end LEDs are dark`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 60
      stage: { size: 640x360 }
      nodes:
        tone: { type: tone-source, level: -6, frequency: 960 }
        meter: { type: meter }
        level: { type: meter-table }
        sparks:
          type: emitter
          renderMode: additive
          cells: { spark: { birthRate: 200, lifetime: 1, velocity: 90, emissionRange: 360 deg } }
        wall: { type: pixels, layout: { grid: 32x18 } }
        out: { type: ddp-output, to: 127.0.0.1 }
      wires: [tone -> meter -> level -> sparks, sparks.picture -> wall -> out]

      """, to: "graph.yaml")
    // The last questions come 2 s after the first; a busy machine may send them after the end of a capture.
    func isWhole(_ capture: LightCapture) -> Bool {
      capture.kinds["questions"] == 6 && capture.kinds["frames"] ?? 0 > 90 && capture.late.isEmpty
    }
    let capture = try LightCapture.first(where: isWhole) {
      try LightCapture(graph, port: 4048, groups: [], endingAfter: 4)
    }
    #expect(capture.code == 0 && capture.faults == [], "\(capture.faults.prefix(3))")
    if !capture.late.isEmpty { noteTooBusy("\(capture.late.prefix(3))") }
    #expect(capture.kinds["questions"] == 6, "\(capture.kinds)")
    let size = 32 * 18 * 3
    var frames: [(sequence: UInt8, bytes: [UInt8])] = []
    var open: [UInt8] = []
    var sequence: UInt8?
    for packet in capture.packets.map(\.bytes) where packet.count > 10 {
      try #require(packet.count > 10 && packet[2] == 0x0B && packet[3] == 1)
      let offset = packet[4..<8].reduce(0) { $0 << 8 | Int($1) }
      #expect(offset == open.count && Int(packet[8]) << 8 | Int(packet[9]) == packet.count - 10)
      #expect(sequence == nil || sequence == packet[1])
      sequence = packet[1]
      open += packet[10...]
      let isLast = packet[0] == 0x41
      #expect((isLast || packet[0] == 0x40) && isLast == (open.count == size))
      if isLast {
        frames.append((packet[1], open))
        (open, sequence) = ([], nil)
      }
    }
    // Sixty a second, however long a busy machine lets the run go on, and those of the end.
    let most = Int(capture.ended * 60) + 60
    #expect(open.isEmpty && (60...most).contains(frames.count), "\(frames.count)")
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.sequence == $0.sequence % 15 + 1 })
    #expect(frames.suffix(3).allSatisfy { $0.bytes.allSatisfy { $0 == 0 } })
    let lit = frames.dropLast(3).suffix(60)
    #expect(lit.allSatisfy { $0.bytes.contains { $0 > 100 } })
    #expect(Set(lit.map(\.bytes)).count > 30)
  }
}
