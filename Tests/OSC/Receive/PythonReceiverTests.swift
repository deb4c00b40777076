import TestSupport
import Testing

@testable import OSC

/// Our packets as received by python-osc, which shares no code with liblo.
@Suite(.enabled(if: PythonReceiver.isInstalled, "needs: python3 -m pip install python-osc"))
struct PythonReceiverTests {
  @Test(arguments: SendSettings.Bundling.allCases, SendSettings.Form.allCases)
  func `python-osc receives every form`(bundle: SendSettings.Bundling, form: SendSettings.Form) throws {
    let python = try PythonReceiver()
    var settings = SendSettings()
    settings.bundle = bundle
    settings.send = form
    let count = 64
    let addresses = form == .each ? (1...count).map { "/visgraph/rig/\($0)" } : ["/visgraph/rig"]
    let sender = try Sender(addresses: addresses, channels: count, settings: settings)
    let target = Target(try Endpoint("127.0.0.1:\(python.port)"))
    let values = (1...count).map { Float($0) / 64 }
    values.withUnsafeBufferPointer { sender.offer($0, at: 0) { target.send($0) } }
    let expected =
      form == .each
      ? (1...count).map { "[\"/visgraph/rig/\($0)\", \(Double($0) / 64)]" }
      : ["[\"/visgraph/rig\", " + (1...count).map { "\(Double($0) / 64)" }.joined(separator: ", ") + "]"]
    #expect(python.lines(expected.count) == expected)
    #expect(target.status.failed == 0)
  }

  @Test func `python-osc receives a message of several types`() throws {
    let python = try PythonReceiver()
    let target = Target(try Endpoint("127.0.0.1:\(python.port)"))
    let message = Message(
      "/cue/start", .int(-7), .float(0.5), .string("Kick"), .bool(true), .bool(false), .null, .int64(1 << 40),
      .double(0.1))
    try message.packet().withUnsafeBytes { target.send($0) }
    #expect(
      python.lines(1) == ["[\"/cue/start\", -7, 0.5, \"Kick\", true, false, null, 1099511627776, 0.1]"])
  }
}
