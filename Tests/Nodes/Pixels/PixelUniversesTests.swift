import TestSupport
import Testing

@testable import Engine
@testable import Nodes

/// When pixels are sent as universes, and how universes end.
@Suite struct PixelUniversesTests {
  private func rig(_ device: UdpDevice, _ output: String) throws -> GraphRig {
    let rig = try GraphRig(
      """
      scenes: { leave: { one.value: 1 } }
      nodes:
        one: { type: constant, value: 1 }
        two: { type: constant, value: 1 }
        three: { type: constant, value: 1 }
        leds: { type: pixels, layout: { strip: 30 }, color: '#ff8000' }
        out: { type: \(output), to: "127.0.0.1:\(device.port)", perUniverse: 10 }
      wires: [one -> leds.level, two -> leds.level, three -> leds.level, leds -> out]
      """, packets: .network)
    rig.showsPictures = true
    return rig
  }

  /// The sACN universe of a packet, with `end` for an end of stream, or `sync`.
  private func kind(_ packet: [UInt8]) -> String {
    if packet.count == 49 { return "sync" }
    return "\(packet[114])\(packet[125] == 0xDD ? " priorities" : "")\(packet[112] & 0x40 != 0 ? " end" : "")"
  }

  @Test
  func `the universes of a frame are sent together, then synchronization, and an unchanged universe is not`()
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device, "sacn-output, sync: 100")
    _ = try rig.play(800, outputs: [])
    #expect(device.take().map(kind) == ["1", "2", "3", "sync"])
    // 44 of 60 frames a second is every second frame, and three equal ones follow.
    _ = try rig.play(800 * 8, outputs: [])
    #expect(device.take().map(kind) == (0..<3).flatMap { _ in ["1", "2", "3", "sync"] })
    #expect(try rig.set("three.value", to: "0"))
    _ = try rig.play(800, outputs: [])
    let changed = device.take()
    #expect(changed.map(kind) == ["3", "sync"])
    #expect(changed.first?[126..<136].allSatisfy { $0 == 0 } == true)
  }

  @Test func `universes that change at different times are sent together once the rate allows it`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, "sacn-output, rate: 20 /s")
    _ = try rig.play(800 * 30, outputs: [])
    _ = device.take()
    #expect(try rig.set("one.value", to: "0"))
    _ = try rig.play(800, outputs: [])
    #expect(device.take().map(kind) == ["1"])
    #expect(try rig.set("two.value", to: "0"))
    _ = try rig.play(800, outputs: [])
    #expect(try rig.set("three.value", to: "0"))
    _ = try rig.play(800, outputs: [])
    let held = device.take().map(kind)
    #expect(held == [], "\(held)")
    _ = try rig.play(800, outputs: [])
    #expect(device.take().map(kind) == ["1", "2", "3"])
  }

  @Test func `an unchanged universe is sent once a second, never all at once, in order`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, "sacn-output")
    _ = try rig.play(800 * 30, outputs: [])
    _ = device.take()
    var last = [0, 0, 0]
    var sizes: Set<Int> = []
    var numbers: [String: [UInt8]] = [:]
    for frame in 1...300 {
      _ = try rig.play(800, outputs: [])
      let packets = device.take()
      sizes.insert(packets.count)
      for packet in packets {
        let universe = Int(packet[114]) - 1
        #expect(frame - last[universe] <= 60, "\(frame)")
        last[universe] = frame
        numbers[kind(packet), default: []].append(packet[111])
      }
    }
    #expect(sizes == [0, 1] && last.allSatisfy { $0 > 240 })
    #expect(
      numbers.count == 3 && numbers.values.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $1 == $0 &+ 1 } }
    )
  }

  @Test func `slot priorities are sent for the slots of LEDs`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, "sacn-output, slotPriorities: true, priority: 120")
    _ = try rig.play(800, outputs: [])
    let packets = device.take()
    #expect(packets.map(kind) == ["1", "2", "3", "1 priorities", "2 priorities", "3 priorities"])
    #expect(
      Array(packets[3][126...]) == [UInt8](repeating: 120, count: 30) + [UInt8](repeating: 0, count: 482))
    #expect(packets[3][108] == 120 && packets[3][111] == packets[0][111] + 1)
  }

  @Test(arguments: [("", true), (", atEnd: hold", false), (", atEnd: scene, endScene: leave", true)])
  func `at the end universes go dark, or stay, and each is ended three times`(
    _ setting: String, _ goesDark: Bool
  )
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device, "sacn-output\(setting)")
    _ = try rig.play(8000, outputs: [])
    _ = device.take()
    rig.plan.frames.end(at: 1)
    let packets = device.take()
    let ends = (0..<3).flatMap { _ in ["1 end", "2 end", "3 end"] }
    #expect(packets.map(kind) == (goesDark ? ["1", "2", "3"] : []) + ends)
    #expect(packets.allSatisfy { $0[126...].contains { $0 > 0 } != goesDark })
  }

  @Test func `a blackout is sent by the frame thread at once, also by Art-Net`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, "artnet-output, first: 256, sync: true, rate: 1 /s")
    _ = try rig.play(8000, outputs: [])
    let lit = device.take()
    #expect(lit.filter { $0.count == 530 }.allSatisfy { $0[15] == 1 && $0[18...].contains { $0 == 255 } })
    rig.plan.frames.dimmer.isBlackout = true
    rig.plan.frames.dim(at: 0)
    let dark = device.take()
    #expect(dark.map(\.count) == [530, 530, 530, 14])
    #expect(dark.dropLast().map { $0[14] } == [0, 1, 2])
    #expect(dark.dropLast().allSatisfy { $0[18...].allSatisfy { $0 == 0 } })
  }

  @Test func `another packing after a reload is another route, and sequence numbers go on`() throws {
    let device = try UdpDevice()
    let text = { (output: String) in
      """
      nodes:
        one: { type: constant, value: 1 }
        leds: { type: pixels, layout: { strip: 30 } }
        out: { type: sacn-output, to: "127.0.0.1:\(device.port)", \(output) }
      wires: [one -> leds.level, leds -> out]
      """
    }
    let rig = try GraphRig(text("perUniverse: 30"), packets: .network)
    rig.showsPictures = true
    _ = try rig.play(8000, outputs: [])
    let first = device.take()
    try rig.load(text("address: 1/101"))
    _ = try rig.play(800, outputs: [])
    let second = device.take()
    #expect(second.last.map { Array($0[126..<226]) } == [UInt8](repeating: 0, count: 100))
    #expect(second.first?[111] == (first.last?[111]).map { $0 &+ 1 })
  }

  @Test func `a reload with fewer LEDs ends the universes that are gone, and leaves the others lit`() throws {
    let device = try UdpDevice()
    let text = { (count: Int) in
      """
      nodes:
        one: { type: constant, value: 1 }
        leds: { type: pixels, layout: { strip: \(count) } }
        out: { type: sacn-output, to: "127.0.0.1:\(device.port)", perUniverse: 10 }
      wires: [one -> leds.level, leds -> out]
      """
    }
    let rig = try GraphRig(text(30), packets: .network)
    rig.showsPictures = true
    _ = try rig.play(8000, outputs: [])
    _ = device.take()
    let before = rig.plan
    try rig.load(text(15))
    // As the frame thread does.
    before.frames.end(at: 1, kept: rig.plan.keptObjects)
    let ended = device.take()
    #expect(ended.map(kind) == ["3", "3 end", "3 end", "3 end"])
    #expect(ended.allSatisfy { $0[126...].allSatisfy { $0 == 0 } })
    _ = try rig.play(800, outputs: [])
    let after = device.take()
    #expect(after.map(kind) == ["1", "2"])
    #expect(after.map { $0[126...].count { $0 > 0 } } == [30, 15])
  }

  @Test func `as many LED bytes at other places after a reload light the new places`() throws {
    let device = try UdpDevice()
    let text = { (wires: String) in
      """
      nodes:
        one: { type: constant, value: 1 }
        short: { type: pixels, layout: { strip: 10 } }
        long: { type: pixels, layout: { strip: 20 } }
        out: { type: sacn-output, to: "127.0.0.1:\(device.port)", aligned: true }
      wires: [one -> short.level, one -> long.level, \(wires)]
      """
    }
    func lit(_ packets: [[UInt8]]) -> [String: Int] {
      Dictionary(packets.map { (kind($0), $0[126...].count { $0 > 0 }) }, uniquingKeysWith: { $1 })
    }
    let rig = try GraphRig(text("short -> out, long -> out"), packets: .network)
    rig.showsPictures = true
    _ = try rig.play(8000, outputs: [])
    #expect(lit(device.take()) == ["1": 30, "2": 60])
    try rig.load(text("long -> out, short -> out"))
    _ = try rig.play(8000, outputs: [])
    let after = lit(device.take())
    #expect(after["1"] == 60 && after["2"] == 30, "\(after)")
  }
}
