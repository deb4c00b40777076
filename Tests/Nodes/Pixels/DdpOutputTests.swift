import Engine
import Glibc
import TestSupport
import Testing

@testable import Nodes

/// When pixels go out, and when they go dark.
@Suite struct DdpOutputTests {
  /// A socket that takes what is sent on this machine.
  private final class Device {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let isBound = withUnsafeMutableBytes(of: &address) { raw in
        let place = raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
        return bind(descriptor, place, length) == 0 && getsockname(descriptor, place, &length) == 0
      }
      try #require(isBound)
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// The LEDs of every packet that is there.
    func take() -> [[UInt8]] {
      var packets: [[UInt8]] = []
      var room = [UInt8](repeating: 0, count: 2000)
      while true {
        let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return packets }
        packets.append(Array(room[10..<count]))
      }
    }
  }

  private func text(_ device: Device, _ output: String) -> String {
    """
    nodes:
      one: { type: constant, value: 1 }
      leds: { type: pixels, layout: { strip: 3 }, color: '#ff8000' }
      out: { type: ddp-output, to: "127.0.0.1:\(device.port)"\(output) }
    wires: [one -> leds.level, leds -> out]
    """
  }

  private func rig(_ device: Device, _ output: String = "") throws -> GraphRig {
    let rig = try GraphRig(text(device, output), packets: .network)
    rig.showsPictures = true
    return rig
  }

  private let lit: [UInt8] = [255, 128, 0, 255, 128, 0, 255, 128, 0]
  private let dark = [UInt8](repeating: 0, count: 9)

  @Test func `a change goes out at once, three equal frames follow, then one in 0.8 to 1 s`() throws {
    let device = try Device()
    let rig = try rig(device)
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [lit])
    // 16 frames more: three equal ones, and then nothing.
    _ = try rig.play(16 * 800, outputs: [])
    #expect(device.take() == [lit, lit, lit])
    _ = try rig.play(10 * 48_000, outputs: [])
    #expect((10...12).contains(device.take().count))
  }

  @Test func `a blackout is sent by the frame thread, stays, and its end is seen with the next frame`() throws
  {
    let device = try Device()
    let rig = try rig(device)
    _ = try rig.play(8000, outputs: [])
    #expect(device.take().last == lit)
    let dimmer = rig.plan.frames.dimmer
    dimmer.isBlackout = true
    // No picture moves meanwhile.
    rig.plan.frames.dim(at: 0)
    #expect(device.take() == [dark])
    _ = try rig.play(8000, outputs: [])
    #expect(device.take().allSatisfy { $0 == dark })
    dimmer.isBlackout = false
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [lit])
    dimmer.master = 0.5
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [[128, 64, 0, 128, 64, 0, 128, 64, 0]])
  }

  @Test(arguments: [("", true), (", atEnd: hold", false)])
  func `at the end LEDs go dark three times, or stay`(_ setting: String, _ goesDark: Bool) throws {
    let device = try Device()
    let rig = try rig(device, setting)
    _ = try rig.play(8000, outputs: [])
    _ = device.take()
    rig.plan.frames.end(at: 1)
    #expect(device.take() == (goesDark ? [dark, dark, dark] : []))
    // What is drawn after that reaches nobody.
    _ = try rig.play(8000, outputs: [])
    #expect(device.take() == [])
  }

  @Test func `more or fewer LEDs after a reload are lit as well`() throws {
    let device = try Device()
    let rig = try rig(device)
    _ = try rig.play(8000, outputs: [])
    try rig.load(text(device, "").replacing("strip: 3", with: "strip: 2"))
    _ = try rig.play(800, outputs: [])
    _ = device.take()
    _ = try rig.play(8000, outputs: [])
    #expect(device.take().last == [255, 128, 0, 255, 128, 0])
  }

  @Test func `a blackout goes past the rate`() throws {
    let device = try Device()
    let rig = try rig(device, ", rate: 1 /s")
    _ = try rig.play(8000, outputs: [])
    _ = device.take()
    rig.plan.frames.dimmer.isBlackout = true
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [dark])
  }

  @Test func `before the first frame LEDs are kept dark`() throws {
    let device = try Device()
    let rig = try rig(device)
    for _ in 0..<300 { rig.plan.frames.rest(for: 0.02) }
    let sent = device.take()
    #expect((6...12).contains(sent.count) && sent.allSatisfy { $0 == dark }, "\(sent.count)")
  }

  @Test func `bars flash no more often than the head allows`() throws {
    let device = try Device()
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
      for bytes in device.take() {
        let isLit = bytes[0] > 100
        if isLit && !wasLit { rises += 1 }
        wasLit = isLit
      }
    }
    #expect((6...13).contains(rises), "\(rises)")
  }

  @Test func `a setting that changes live, and a reload, leave LEDs lit`() throws {
    let device = try Device()
    let rig = try rig(device)
    _ = try rig.play(8000, outputs: [])
    _ = device.take()
    #expect(try rig.set("leds.color", to: "blue"))
    #expect(try rig.set("out.master", to: "0.2"))
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [[0, 0, 51, 0, 0, 51, 0, 0, 51]])
    try rig.load(text(device, ", master: 0.2"))
    _ = try rig.play(800, outputs: [])
    let orange: [UInt8] = [51, 26, 0, 51, 26, 0, 51, 26, 0]
    #expect(device.take().allSatisfy { $0 == orange || $0 == [0, 0, 51, 0, 0, 51, 0, 0, 51] })
  }
}
