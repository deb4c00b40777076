import CLiblo
import TestSupport
import Testing

@testable import OSC

/// Our packets as received by liblo, an independent implementation.
@Suite(.waiting) struct LibloReceiverTests {
  final class Box {
    var lines: [String] = []
  }

  @Test(arguments: SendSettings.Bundling.allCases, SendSettings.Form.allCases)
  func `liblo receives every form`(bundle: SendSettings.Bundling, form: SendSettings.Form) throws {
    let server = try #require(lo_server_new(nil, nil))
    defer { lo_server_free(server) }
    let box = Box()
    lo_server_add_method(
      server, nil, nil,
      { path, types, arguments, count, message, context in
        guard let path, let types, let context else { return 1 }
        let values = (0..<Int(count)).map { arguments?[$0].map { "\($0.pointee.f)" } ?? "?" }
        let stamp = lo_message_get_timestamp(message)
        let isNow = stamp.sec == 0 && stamp.frac == 1
        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().lines.append(
          ([String(cString: path), String(cString: types)] + values + [isNow ? "now" : "later"])
            .joined(separator: " "))
        return 0
      }, Unmanaged.passUnretained(box).toOpaque())

    var settings = SendSettings()
    settings.bundle = bundle
    settings.send = form
    let target = Target(try Endpoint("127.0.0.1:\(lo_server_get_port(server))"))
    let addresses = form == .each ? ["/visgraph/rig/1", "/visgraph/rig/2"] : ["/visgraph/rig"]
    let sender = try Sender(addresses: addresses, channels: 2, settings: settings)
    [Float(0.25), -60.5].withUnsafeBufferPointer { sender.offer($0, at: 0) { target.send($0) } }
    let expected =
      form == .each
      ? ["/visgraph/rig/1 f 0.25 now", "/visgraph/rig/2 f -60.5 now"]
      : ["/visgraph/rig ff 0.25 -60.5 now"]
    _ = poll {
      lo_server_recv_noblock(server, 20)
      return box.lines.count >= expected.count
    }
    #expect(box.lines == expected)
  }

  @Test func `liblo receives a message of all types`() throws {
    let server = try #require(lo_server_new(nil, nil))
    defer { lo_server_free(server) }
    let box = Box()
    lo_server_add_method(
      server, "/cue/start", "ifsTFNIhd",
      { _, _, arguments, _, _, context in
        guard let arguments, let context, let text = arguments[2] else { return 1 }
        // The union is as long as its text, so the text is read in place.
        let string = String(cString: UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().lines.append(
          "\(arguments[0]!.pointee.i) \(arguments[1]!.pointee.f) \(string) \(arguments[7]!.pointee.h)"
            + " \(arguments[8]!.pointee.d)")
        return 0
      }, Unmanaged.passUnretained(box).toOpaque())
    let target = Target(try Endpoint("127.0.0.1:\(lo_server_get_port(server))"))
    let message = Message(
      "/cue/start", .int(-7), .float(0.5), .string("Größe"), .bool(true), .bool(false), .null, .impulse,
      .int64(1 << 40), .double(0.1))
    try message.packet().withUnsafeBytes { target.send($0) }
    _ = poll {
      lo_server_recv_noblock(server, 20)
      return !box.lines.isEmpty
    }
    #expect(box.lines == ["-7 0.5 Größe 1099511627776 0.1"])
  }
}
