import Engine
import TestSupport
import Testing

@testable import Nodes

/// Devices that disappear and come back, and networks that lose packets.
@Suite struct PixelLossTests {
  private func rig(_ outputs: [String]) throws -> GraphRig {
    let rig = try GraphRig(
      """
      nodes:
        one: { type: constant, value: 0 }
        leds: { type: pixels, layout: { strip: 1000 } }
      \(outputs.enumerated().map { "  out\($0.offset): { \($0.element) }" }.joined(separator: "\n"))
      wires: [one -> leds.level, \(outputs.indices.map { "leds -> out\($0)" }.joined(separator: ", "))]
      """, packets: .network)
    rig.showsPictures = true
    return rig
  }

  @Test func `a device that disappears and comes back does not disturb the others`() throws {
    let alive = try UdpDevice()
    let gone = try UdpDevice().port
    let rig = try rig([
      "type: ddp-output, to: '127.0.0.1:\(gone)'", "type: wled-output, to: '127.0.0.1:\(gone)'",
      "type: sacn-output, to: '127.0.0.1:\(gone)', rate: 60 /s",
      "type: ddp-output, to: ['127.0.0.1:\(gone)', '127.0.0.1:\(alive.port)']",
    ])
    _ = try rig.play(800 * 10, outputs: [])
    _ = alive.take()
    for number in 0..<30 {
      #expect(try rig.set("one.value", to: number % 2 == 0 ? "1" : "0"))
      _ = try rig.play(800, outputs: [])
      // Complete, and of this frame: 3000 bytes are three packets.
      let packets = alive.take()
      #expect(packets.count == 3 && packets.last?[0] == 0x41)
      #expect(packets.allSatisfy { $0[10...].allSatisfy { $0 == (number % 2 == 0 ? 255 : 0) } })
    }
    #expect(rig.plan.frames.report.contains { $0.id == "out0" && $0.failed > 0 })
  }

  @Test func `while half of all packets are lost LEDs still show each lasting frame`() throws {
    let device = try UdpDevice()
    let rig = try rig(["type: ddp-output, to: '127.0.0.1:\(device.port)'"])
    var dice = Dice(40)
    var shown = [UInt8](repeating: 9, count: 3000)
    for look in 0..<20 {
      #expect(try rig.set("one.value", to: look % 2 == 0 ? "1" : "0.5"))
      _ = try rig.play(48_000 * 6, outputs: [])
      for packet in device.take() where dice.next() & 1 == 0 {
        let place = packet[4..<8].reduce(0) { $0 << 8 | Int($1) }
        shown.replaceSubrange(place..<place + packet.count - 10, with: packet[10...])
      }
      // Four packets of each part within 0.1 s, and six more within 6 s.
      let lit = shown.prefix(3).allSatisfy { $0 == 255 } && shown.suffix(3).allSatisfy { $0 == 255 }
      #expect(lit == (look % 2 == 0), "\(look)")
    }
  }
}
