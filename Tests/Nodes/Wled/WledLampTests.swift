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

  /// Waits until the lamp has these posts. False once it has others: a busy machine may not answer one within the 2 s
  /// of a request, which is then repeated.
  private func waits(for posts: [String], _ device: WledDevice) throws -> Bool {
    var found: [String] = []
    _ = try poll {
      found = try device.report().posts
      return found == posts || !posts.starts(with: found)
    }
    return found == posts
  }

  /// Waits until a lamp with these posts, which no object uses any more, is restored. False if it is given up: a busy
  /// machine may use up the 0.25 s of the last request.
  private func isRestored(after posts: [String], _ device: WledDevice) throws -> Bool {
    #expect(poll { WledLamps.waitUntilPutBack() })
    return try poll(within: 0.9) { try device.report().posts == posts + [Self.original] }
  }

  @Test func `a lamp gets another brightness, or keeps its own, and is asked for its state once`() throws {
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      var lamp: WledLamp? = try lamp(device)
      var posts = [Self.lit(200)]
      guard try waits(for: posts, device) else { return "\(try device.report())" }
      for (brightness, posted) in [(200, 200), (90, 90), (nil, 37)] as [(Int?, Int)] {
        lamp?.take(brightness: brightness)
        if posted != 200 { posts.append(Self.lit(posted)) }
        guard try waits(for: posts, device) else { return "\(try device.report())" }
      }
      lamp = nil
      let isRestored = try isRestored(after: posts, device)
      let report = try device.report()
      let isRight = report.questions == 1 && report.faults == [] && report.isPutBack
      return isRestored && isRight ? nil : "\(report)"
    }
    #expect(fault == nil)
  }

  @Test func `a lamp that restarted is set up again, and restored to its first state`() throws {
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      var lamp: WledLamp? = WledLamp(
        try Endpoint(host: "127.0.0.1", port: device.port), brightness: 200, asking: 0.05)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
      // The first request for its uptime compares with nothing, so nothing follows from it.
      #expect(try poll { try device.report().infos > 2 })
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
      try device.restart()
      let isSetUp = try waits(for: [Self.lit(200), Self.lit(200)], device)
      withExtendedLifetime(lamp) {}
      lamp = nil
      let isRestored = try isRestored(after: [Self.lit(200), Self.lit(200)], device)
      let report = try device.report()
      return isSetUp && isRestored && report.questions == 1 && report.isPutBack ? nil : "\(report)"
    }
    #expect(fault == nil)
  }

  @Test
  func `graphs with different brightness, one after another, share a lamp, which is restored at the end`()
    throws
  {
    func text(_ brightness: Int, _ leds: UdpDevice, _ device: WledDevice) -> String {
      """
      nodes:
        one: { type: constant, value: 1 }
        leds: { type: pixels, layout: { strip: 2 }, color: '#ffffff' }
        out: { type: wled-output, to: "127.0.0.1:\(leds.port)", state: on, brightness: \(brightness), http: \(device.port) }
      wires: [one -> leds.level, leds -> out]
      """
    }
    let fault = try lastOf { () throws -> String? in
      let (device, leds) = try (WledDevice(), UdpDevice())
      do {
        let rig = try GraphRig(text(200, leds, device), packets: .network)
        rig.showsPictures = true
        _ = try rig.play(3200, outputs: [])
        guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
        try rig.load(text(90, leds, device))
        _ = try rig.play(3200, outputs: [])
        guard try waits(for: [Self.lit(200), Self.lit(90)], device) else { return "\(try device.report())" }
        withExtendedLifetime(rig) {}
      }
      let isRestored = try isRestored(after: [Self.lit(200), Self.lit(90)], device)
      let report = try device.report()
      return isRestored && report.questions == 1 && report.isPutBack ? nil : "\(report)"
    }
    #expect(fault == nil)
  }

  @Test func `a lamp used again while it is being restored is asked for its state only after that`() throws {
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      var first: WledLamp? = try lamp(device)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
      try device.hold(true)
      first?.take(brightness: 201)
      guard try waits(for: [Self.lit(200), Self.lit(201)], device) else { return "\(try device.report())" }
      withExtendedLifetime(first) {}
      first = nil
      var second: WledLamp? = try lamp(device, brightness: 90)
      try device.hold(false)
      let posts = [Self.lit(200), Self.lit(201), Self.original, Self.lit(90)]
      guard try waits(for: posts, device) else { return "\(try device.report())" }
      withExtendedLifetime(second) {}
      second = nil
      return try isRestored(after: posts, device) ? nil : "\(try device.report())"
    }
    #expect(fault == nil)
  }

  @Test func `a lamp is restored although its last user leaves before its first answer`() throws {
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      try device.hold(true)
      var lamp: WledLamp? = try lamp(device)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
      withExtendedLifetime(lamp) {}
      lamp = nil
      try device.hold(false)
      return try isRestored(after: [Self.lit(200)], device) ? nil : "\(try device.report())"
    }
    #expect(fault == nil)
  }

  @Test func `the last post waits for a connection, although the end has begun`() throws {
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      try device.hold(true)
      var lamp: WledLamp? = try lamp(device)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
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
    let slow = try lastOf { () throws -> String? in
      let device = try WledDevice()
      devices.append(device)
      try device.hold(true)
      var lamp: WledLamp? = try lamp(device)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
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
    let fault = try lastOf { () throws -> String? in
      let device = try WledDevice()
      var lamp: WledLamp? = try lamp(device)
      guard try waits(for: [Self.lit(200)], device) else { return "\(try device.report())" }
      withExtendedLifetime(lamp) {}
      lamp = nil
      _ = WledLamps.waitUntilPutBack()
      return try device.report().isPutBack ? nil : "not put back"
    }
    #expect(fault == nil)
  }
}
