import TestSupport
import Testing

@testable import Engine
@testable import Nodes

/// When pixels are sent, and when they go dark.
@Suite struct DdpOutputTests {
  private func text(_ device: UdpDevice, _ output: String) -> String {
    """
    nodes:
      one: { type: constant, value: 1 }
      leds: { type: pixels, layout: { strip: 3 }, color: '#ff8000' }
      out: { type: ddp-output, to: "127.0.0.1:\(device.port)"\(output) }
    wires: [one -> leds.level, leds -> out]
    """
  }

  private func rig(_ device: UdpDevice, _ output: String = "") throws -> GraphRig {
    let rig = try GraphRig(text(device, output), packets: .network)
    rig.showsPictures = true
    return rig
  }

  /// The LEDs of every packet that has arrived.
  private func leds(_ device: UdpDevice) -> [[UInt8]] { device.take().map { Array($0[10...]) } }

  private let lit: [UInt8] = [255, 128, 0, 255, 128, 0, 255, 128, 0]
  private let dark = [UInt8](repeating: 0, count: 9)

  @Test func `a change is sent at once, three equal frames follow, then one every 0.8 to 1 s`() throws {
    let device = try UdpDevice()
    let rig = try rig(device)
    _ = try rig.play(800, outputs: [])
    #expect(leds(device) == [lit])
    // 16 frames more: three equal ones, and then nothing.
    _ = try rig.play(16 * 800, outputs: [])
    #expect(leds(device) == [lit, lit, lit])
    _ = try rig.play(10 * 48_000, outputs: [])
    #expect((10...12).contains(leds(device).count))
  }

  @Test func `a blackout is sent by the frame thread, stays, and ends with the next frame after its release`()
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device)
    _ = try rig.play(8000, outputs: [])
    #expect(leds(device).last == lit)
    let dimmer = rig.plan.frames.dimmer
    dimmer.isBlackout = true
    // No particles move meanwhile.
    rig.plan.frames.dim(at: 0)
    #expect(leds(device) == [dark])
    _ = try rig.play(8000, outputs: [])
    #expect(leds(device).allSatisfy { $0 == dark })
    dimmer.isBlackout = false
    _ = try rig.play(800, outputs: [])
    #expect(leds(device) == [lit])
    dimmer.master = 0.5
    _ = try rig.play(800, outputs: [])
    #expect(leds(device) == [[128, 64, 0, 128, 64, 0, 128, 64, 0]])
  }

  @Test(arguments: [("", true), (", atEnd: hold", false)])
  func `at the end dark LEDs are sent three times, or the LEDs stay lit`(_ setting: String, _ goesDark: Bool)
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device, setting)
    _ = try rig.play(8000, outputs: [])
    _ = leds(device)
    rig.plan.frames.end(at: 1)
    #expect(leds(device) == (goesDark ? [dark, dark, dark] : []))
    // A picture drawn after the end is not sent.
    _ = try rig.play(8000, outputs: [])
    #expect(leds(device) == [])
  }

  @Test func `a reload with more or fewer LEDs leaves those that stay lit, and makes the others dark`()
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device)
    var numbers: [UInt8] = []
    func takeLeds() -> [[UInt8]] {
      let packets = device.take()
      numbers += packets.map { $0[1] }
      return packets.map { Array($0[10...]) }
    }
    func reload(count: Int) throws {
      let before = rig.plan
      try rig.load(text(device, "").replacing("strip: 3", with: "strip: \(count)"))
      // As the frame thread does.
      before.frames.end(at: 1, kept: rig.plan.keptObjects)
    }
    _ = try rig.play(8000, outputs: [])
    #expect(takeLeds().last == lit)
    try reload(count: 2)
    // The packets may be lost, and no later one has the third LED.
    #expect(takeLeds() == Array(repeating: Array(lit[..<6]) + [0, 0, 0], count: 3))
    _ = try rig.play(800, outputs: [])
    #expect(takeLeds() == [Array(lit[..<6])])
    try reload(count: 3)
    #expect(takeLeds() == [])
    _ = try rig.play(800, outputs: [])
    #expect(takeLeds() == [lit])
    // A device drops a frame whose number is not after that of the last one.
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 % 15 + 1 }, "\(numbers)")
    rig.plan.frames.end(at: 1)
    #expect(takeLeds() == [dark, dark, dark])
  }

  @Test func `a blackout is sent past the rate`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, ", rate: 1 /s")
    _ = try rig.play(8000, outputs: [])
    _ = leds(device)
    rig.plan.frames.dimmer.isBlackout = true
    _ = try rig.play(800, outputs: [])
    #expect(leds(device) == [dark])
  }

  @Test func `before the first frame LEDs are kept dark`() throws {
    let device = try UdpDevice()
    let rig = try rig(device)
    for _ in 0..<300 { rig.plan.frames.rest(for: 0.02) }
    let sent = leds(device)
    #expect((6...12).contains(sent.count) && sent.allSatisfy { $0 == dark }, "\(sent.count)")
  }

  @Test func `bars flash no more often than the head allows`() throws {
    let device = try UdpDevice()
    let rig = try GraphRig(
      """
      flashes: 3
      nodes:
        tone: { type: tone-source, tone: impulses, frequency: 10, level: 0 }
        meter: { type: meter, release: 20 ms }
        level: { type: meter-table }
        leds: { type: pixels, layout: { strip: 1 }, color: white }
        out: { type: ddp-output, to: "127.0.0.1:\(device.port)" }
      wires: [tone -> meter, meter.peak -> level -> leds.level, leds -> out]
      """, packets: .network)
    rig.showsPictures = true
    var rises = 0
    var wasLit = false
    for _ in 0..<240 {
      _ = try rig.play(800, outputs: [])
      for bytes in leds(device) {
        let isLit = bytes[0] > 100
        if isLit && !wasLit { rises += 1 }
        wasLit = isLit
      }
    }
    #expect((6...13).contains(rises), "\(rises)")
  }

  @Test func `a setting that changes live, and a reload, leave LEDs lit`() throws {
    let device = try UdpDevice()
    let rig = try rig(device)
    _ = try rig.play(8000, outputs: [])
    _ = leds(device)
    #expect(try rig.set("leds.color", to: "blue"))
    #expect(try rig.set("out.master", to: "0.2"))
    _ = try rig.play(800, outputs: [])
    #expect(leds(device) == [[0, 0, 51, 0, 0, 51, 0, 0, 51]])
    try rig.load(text(device, ", master: 0.2"))
    _ = try rig.play(800, outputs: [])
    let orange: [UInt8] = [51, 26, 0, 51, 26, 0, 51, 26, 0]
    #expect(leds(device).allSatisfy { $0 == orange || $0 == [0, 0, 51, 0, 0, 51, 0, 0, 51] })
  }
}
