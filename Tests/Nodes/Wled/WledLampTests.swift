import Engine
import OSC
import TestSupport
import Testing

@testable import Nodes

/// The state of a WLED lamp while it is in use and afterwards. The end of a show waits for all lamps that are restored.
@Suite(.serialized, .blocking) struct WledLampTests {
  private static let original = #"{"bri": 37, "live": false, "lor": 2, "on": false, "tt": 0}"#
  private static func lit(_ brightness: Int) -> String {
    #"{"bri": \#(brightness), "lor": 0, "on": true, "tt": 0}"#
  }

  private func lamp(_ device: WledDevice, brightness: Int? = 200) throws -> WledLamp {
    WledLamp(try Endpoint(host: "127.0.0.1", port: device.port), brightness: brightness)
  }

  private func waits(for posts: [String], _ device: WledDevice) throws -> Bool {
    try poll { try device.report().posts == posts }
  }

  @Test func `a lamp gets another brightness, or keeps its own, and is asked for its state once`() throws {
    let device = try WledDevice()
    var lamp: WledLamp? = try lamp(device)
    var posts = [Self.lit(200)]
    #expect(try waits(for: posts, device))
    for (brightness, posted) in [(200, 200), (90, 90), (nil, 37)] as [(Int?, Int)] {
      lamp?.take(brightness: brightness)
      if posted != 200 { posts.append(Self.lit(posted)) }
      #expect(try waits(for: posts, device))
    }
    lamp = nil
    #expect(try waits(for: posts + [Self.original], device))
    let report = try device.report()
    #expect(report.questions == 1 && report.faults == [] && report.isPutBack)
  }

  @Test func `a lamp that restarted is set up again, and restored to its first state`() throws {
    let device = try WledDevice()
    var lamp: WledLamp? = WledLamp(
      try Endpoint(host: "127.0.0.1", port: device.port), brightness: 200, asking: 0.05)
    #expect(try waits(for: [Self.lit(200)], device))
    // The first request for its uptime compares with nothing, so nothing follows from it.
    #expect(try poll { try device.report().infos > 2 })
    #expect(try device.report().posts == [Self.lit(200)])
    try device.restart()
    #expect(try waits(for: [Self.lit(200), Self.lit(200)], device))
    withExtendedLifetime(lamp) {}
    lamp = nil
    #expect(try waits(for: [Self.lit(200), Self.lit(200), Self.original], device))
    let report = try device.report()
    #expect(report.questions == 1 && report.isPutBack)
  }

  @Test
  func `graphs with different brightness, one after another, share a lamp, which is restored at the end`()
    throws
  {
    let (device, leds) = try (WledDevice(), UdpDevice())
    func text(_ brightness: Int) -> String {
      """
      nodes:
        one: { type: constant, value: 1 }
        leds: { type: pixels, layout: { strip: 2 }, color: '#ffffff' }
        out: { type: wled-output, to: "127.0.0.1:\(leds.port)", state: on, brightness: \(brightness), http: \(device.port) }
      wires: [one -> leds.level, leds -> out]
      """
    }
    do {
      let rig = try GraphRig(text(200), packets: .network)
      rig.showsPictures = true
      _ = try rig.play(3200, outputs: [])
      #expect(try waits(for: [Self.lit(200)], device))
      try rig.load(text(90))
      _ = try rig.play(3200, outputs: [])
      #expect(try waits(for: [Self.lit(200), Self.lit(90)], device))
      withExtendedLifetime(rig) {}
    }
    #expect(try waits(for: [Self.lit(200), Self.lit(90), Self.original], device))
    let report = try device.report()
    #expect(report.questions == 1 && report.isPutBack)
  }

  @Test func `a lamp used again while it is being restored is asked for its state only after that`() throws {
    let device = try WledDevice()
    var first: WledLamp? = try lamp(device)
    #expect(try waits(for: [Self.lit(200)], device))
    try device.hold(true)
    first?.take(brightness: 201)
    #expect(try waits(for: [Self.lit(200), Self.lit(201)], device))
    withExtendedLifetime(first) {}
    first = nil
    var second: WledLamp? = try lamp(device, brightness: 90)
    try device.hold(false)
    let posts = [Self.lit(200), Self.lit(201), Self.original, Self.lit(90)]
    #expect(try waits(for: posts, device))
    withExtendedLifetime(second) {}
    second = nil
    #expect(try waits(for: posts + [Self.original], device))
  }

  @Test func `a lamp is restored although its last user leaves before its first answer`() throws {
    let device = try WledDevice()
    try device.hold(true)
    var lamp: WledLamp? = try lamp(device)
    #expect(try waits(for: [Self.lit(200)], device))
    withExtendedLifetime(lamp) {}
    lamp = nil
    try device.hold(false)
    #expect(try waits(for: [Self.lit(200), Self.original], device))
  }

  @Test func `the last post waits for a connection, although the end has begun`() throws {
    let fault = try lastOf {
      let device = try WledDevice()
      try device.hold(true)
      var lamp: WledLamp? = try lamp(device)
      #expect(try waits(for: [Self.lit(200)], device))
      try device.fill()
      withExtendedLifetime(lamp) {}
      lamp = nil
      let begin = now()
      try device.hold(false)
      #expect(poll { WledLamps.waitUntilPutBack() })
      // The lamp accepts no connection: the post is tried until its timeout.
      let seconds = now() - begin
      return seconds < 0.25 ? "given up after \(seconds) s" : nil
    }
    #expect(fault == nil)
  }

  @Test
  func `leaving a lamp does not wait, and each end waits a quarter of a second`()
    throws
  {
    var devices: [WledDevice] = []
    // The lamp does not answer its first post before all that is over.
    let slow = try lastOf {
      let device = try WledDevice()
      devices.append(device)
      try device.hold(true)
      var lamp: WledLamp? = try lamp(device)
      #expect(try waits(for: [Self.lit(200)], device))
      withExtendedLifetime(lamp) {}
      let begin = now()
      lamp = nil
      let left = now()
      let isPutBack = WledLamps.waitUntilPutBack()
      let end = now()
      return left - begin < 0.1 && end - left < 1 && !isPutBack
        ? nil : "left after \(left - begin) s, ended after \(end - left) s, put back: \(isPutBack)"
    }
    #expect(slow == nil)
    // An end soon after has its whole timeout again.
    let fault = try lastOf {
      let device = try WledDevice()
      var lamp: WledLamp? = try lamp(device)
      #expect(try waits(for: [Self.lit(200)], device))
      withExtendedLifetime(lamp) {}
      lamp = nil
      _ = WledLamps.waitUntilPutBack()
      return try device.report().isPutBack ? nil : "not put back"
    }
    #expect(fault == nil)
  }
}
