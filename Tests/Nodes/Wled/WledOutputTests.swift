import Graphs
import TestSupport
import Testing

@testable import Engine
@testable import Nodes

/// The packets for WLED lamps, and their times.
@Suite struct WledOutputTests {
  private func text(_ device: UdpDevice, _ output: String = "", leds: String) -> String {
    """
    nodes:
      one: { type: constant, value: 1 }
      leds: { type: pixels, \(leds), color: '#ff8000' }
      out: { type: wled-output, to: "127.0.0.1:\(device.port)"\(output) }
    wires: [one -> leds.level, leds -> out]
    """
  }

  private func rig(_ device: UdpDevice, _ output: String = "", leds: String = "layout: { strip: 2 }") throws
    -> GraphRig
  {
    let rig = try GraphRig(text(device, output, leds: leds), packets: .network)
    rig.showsPictures = true
    return rig
  }

  @Test(arguments: [
    ("", "layout: { strip: 2 }", [2, 2, 255, 128, 0, 255, 128, 0]),
    (", timeout: 5 s, first: 300", "layout: { strip: 1 }", [4, 5, 1, 44, 255, 128, 0]),
    (", mode: warls", "layout: { strip: 2 }", [1, 2, 0, 255, 128, 0, 1, 255, 128, 0]),
    ("", "layout: { strip: 1 }, colors: GRBW", [3, 2, 128, 255, 0, 0]),
    (", mode: dnrgbw", "layout: { strip: 1 }, colors: RGBW", [5, 2, 0, 0, 255, 128, 0, 0]),
  ])
  func `LEDs are sent in the mode that is set, or that they need`(
    _ output: String, _ leds: String, _ bytes: [UInt8]
  ) throws {
    let device = try UdpDevice()
    let rig = try rig(device, output, leds: leds)
    _ = try rig.play(800, outputs: [])
    #expect(device.take() == [bytes])
  }

  @Test func `packets keep a lamp in real-time mode, well within its timeout, and it goes dark at the end`()
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device)
    _ = try rig.play(800 * 4, outputs: [])
    #expect(device.take().count == 4)
    var (last, frame) = (0, 0)
    while frame < 600 {
      _ = try rig.play(800, outputs: [])
      frame += 1
      if !device.take().isEmpty {
        #expect((48...60).contains(frame - last), "\(frame - last)")
        last = frame
      }
    }
    #expect(last > 540)
    rig.plan.frames.end(at: 1)
    #expect(device.take() == [[UInt8]](repeating: [2, 2, 0, 0, 0, 0, 0, 0], count: 3))
  }

  @Test func `a reload with fewer LEDs darkens only the others, also if these had needed another mode`()
    throws
  {
    let device = try UdpDevice()
    let rig = try rig(device, leds: "layout: { strip: 491 }")
    _ = try rig.play(800, outputs: [])
    #expect(device.take().map(\.count) == [4 + 489 * 3, 4 + 2 * 3])
    let before = rig.plan
    try rig.load(text(device, leds: "layout: { strip: 490 }"))
    // As the frame thread does.
    before.frames.end(at: 1, kept: rig.plan.keptObjects)
    let rest = device.take()
    #expect(rest.map(\.count) == [4 + 489 * 3, 10, 4 + 489 * 3, 10, 4 + 489 * 3, 10])
    // From LED 489 on, the last one of the next plan.
    #expect(rest.last == [4, 2, 1, 233, 255, 128, 0, 0, 0, 0])
    _ = try rig.play(800, outputs: [])
    let lit = device.take()
    #expect(lit.map(\.count) == [2 + 490 * 3] && lit.first?.contains(128) == true)
  }

  @Test func `frames are sent no faster than the rate`() throws {
    let device = try UdpDevice()
    let rig = try rig(device, ", rate: 20 /s")
    _ = try rig.play(800, outputs: [])
    for number in 0..<30 {
      #expect(try rig.set("leds.brightness", to: "0.\(number + 10)"))
      _ = try rig.play(800, outputs: [])
    }
    #expect(device.take().count == 11)
  }

  @Test(arguments: [
    (
      "layout: { strip: 491 }", "mode: drgb",
      "drgb holds 490 LEDs from the first on, and the last is number 491"
    ),
    ("layout: { strip: 9 }, colors: RGBW", "mode: dnrgb", "dnrgb has 3 bytes for a LED, and these have 4"),
    ("layout: { strip: 9 }, colors: RGBWC", "", "WLED takes LEDs of three or four bytes, and these have 5"),
    ("layout: { strip: 70000 }", "", "70000 LEDs are too many: WLED numbers 65536"),
  ])
  func `LEDs that fit into no packet are reported`(_ leds: String, _ output: String, _ message: String) {
    let text = """
      visgraph: 1
      nodes:
        leds: { type: pixels, \(leds) }
        out: { type: wled-output, to: 127.0.0.1, \(output) }
      wires: [leds -> out]
      """
    let checked = Checker(Catalog(types: everyNode)).check(SourceText(path: "g.yaml", text: text))
    #expect(checked.faults.map(\.message) == [message], "\(DiagnosticText.text(checked))")
  }
}
