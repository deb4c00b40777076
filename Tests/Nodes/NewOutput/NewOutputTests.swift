import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// An output of another protocol needs a node's file, a packet and a line in the catalog, and no code for all the rest.
@Suite struct NewOutputTests {
  private func text(_ device: UdpDevice, _ output: String) -> String {
    """
    scenes: { leave: { lamp.value: 25 % } }
    nodes:
      lamp: { type: constant, channels: 2, value: 100 % }
      out: { type: kinet-output, to: "127.0.0.1:\(device.port)", address: 3/5\(output) }
    wires: [lamp -> out]
    """
  }

  private func rig(_ device: UdpDevice, _ output: String = "") throws -> GraphRig {
    try GraphRig(text(device, output), packets: .network, types: everyNode + [KinetOutput.self])
  }

  /// The slots 4 to 7 of every packet that has arrived.
  private func slots(_ device: UdpDevice) -> [[UInt8]] {
    device.take().map { packet in
      #expect(packet.count == KinetPacket.size && packet[..<4].elementsEqual([0x04, 0x01, 0xDC, 0x4A]))
      #expect(packet[16...20].elementsEqual([3, 0, 0, 0, 0]))
      return Array(packet[(21 + 3)..<(21 + 7)])
    }
  }

  private let lit: [UInt8] = [0, 255, 255, 0]
  private let dark: [UInt8] = [0, 0, 0, 0]

  @Test func `a change is sent at once, three equal packets follow, and a report states that`() throws {
    let device = try UdpDevice()
    let rig = try rig(device)
    _ = try rig.play(20 * 800, outputs: [])
    #expect(slots(device) == [lit, lit, lit, lit])
    let report = try #require(rig.plan.frames.report.first)
    #expect(report.id == "out" && report.target == "127.0.0.1:\(device.port)" && report.isWell)
    #expect(report.state == "sending to 127.0.0.1:\(device.port)" && report.sent == 4 && report.failed == 0)
    #expect(report.sample == "3/5 255")
  }

  @Test func `the global master and the node's scale the output, and a blackout is dark at once`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, ", master: 0.5")
    _ = try rig.play(20 * 800, outputs: [])
    #expect(slots(device).last == [0, 128, 128, 0])
    let dimmer = rig.plan.frames.dimmer
    dimmer.master = 0.5
    rig.plan.frames.dim(at: 0)
    _ = try rig.play(2 * 800, outputs: [])
    #expect(slots(device).last == [0, 64, 64, 0])
    dimmer.isBlackout = true
    // No frame runs meanwhile.
    rig.plan.frames.dim(at: 0)
    #expect(slots(device) == [dark])
  }

  @Test func `a peak of a late frame is sent with the frame after it`() throws {
    let device = try UdpDevice()
    let rig = try rig(device)
    #expect(try rig.set("lamp.value", to: "10 %"))
    _ = try rig.play(20 * 800, outputs: [])
    _ = slots(device)
    rig.waiting = 1
    #expect(try rig.set("lamp.value", to: "100 %"))
    _ = try rig.play(800, outputs: [])
    #expect(try rig.set("lamp.value", to: "10 %"))
    _ = try rig.play(800, outputs: [])
    #expect(slots(device) == [])
    rig.waiting = 0
    // The newest value follows after two frames: 44 packets a second at 60 frames a second.
    _ = try rig.play(3 * 800, outputs: [])
    #expect(slots(device) == [lit, [0, 26, 26, 0]])
  }

  @Test(arguments: [("", 0), (", freewheel: send", 2)])
  func `while the host freewheels the output sends nothing, or sends all the same`(
    setting: String, packets: Int
  ) throws {
    let device = try UdpDevice()
    let rig = try rig(device, setting)
    _ = try rig.play(20 * 800, outputs: [])
    _ = slots(device)
    rig.isFreewheeling = true
    for value in ["20 %", "40 %"] {
      #expect(try rig.set("lamp.value", to: value))
      _ = try rig.play(2 * 800, outputs: [])
    }
    #expect(slots(device).count == packets)
  }

  @Test func `lights stay lit through a new plan, and at the end go out, stay, or are left in a scene`()
    throws
  {
    let device = try UdpDevice()
    for (setting, last) in [
      ("", [dark, dark, dark, dark]), (", atEnd: hold", []),
      (", atEnd: scene, endScene: leave", Array(repeating: [0, 64, 64, 0], count: 4)),
    ] as [(String, [[UInt8]])] {
      let rig = try rig(device, setting)
      _ = try rig.play(20 * 800, outputs: [])
      #expect(slots(device) == [lit, lit, lit, lit])
      try rig.load(text(device, setting))
      _ = try rig.play(2 * 800, outputs: [])
      #expect(slots(device) == [])
      rig.plan.frames.end(at: 1)
      #expect(slots(device) == last)
    }
  }
}
