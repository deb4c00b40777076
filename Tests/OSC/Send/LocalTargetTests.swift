import CLiblo
import Glibc
import TestSupport
import Testing

@testable import OSC

/// Receivers at Unix sockets, and multicast groups.
@Suite(.waiting) struct LocalTargetTests {
  /// The messages that liblo has received, as text.
  private final class Box { var lines: [String] = [] }

  private func server(at path: String, _ box: Box) throws -> lo_server {
    let server = try #require(lo_server_new_with_proto(path, Int32(LO_UNIX), nil))
    lo_server_add_method(
      server, nil, nil,
      { path, types, arguments, _, _, context in
        guard let path, let types, let value = arguments?[0]?.pointee.f, let context else { return 1 }
        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().lines.append(
          "\(String(cString: path)) \(String(cString: types)) \(value)")
        return 0
      }, Unmanaged.passUnretained(box).toOpaque())
    return server
  }

  private func send(_ value: Float, to target: Target) throws {
    try Message("/a", .float(value)).packet().withUnsafeBytes { target.send($0) }
  }

  @Test
  func `liblo receives at a Unix socket, and at one that replaced it, and a target waits for the file`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("rig")
    let target = Target(try Endpoint("osc.unix://\(path)", streams: true))
    defer { target.close() }
    try send(1, to: target)
    #expect(target.status.dropped == 1 && target.timesReady == 0)
    let box = Box()
    for round in 1...2 {
      let first = try server(at: path, box)
      // The socket is found within half a second; packets sent meanwhile are lost.
      let isReceived = poll {
        try? send(Float(round), to: target)
        while lo_server_recv_noblock(first, 0) > 0 {}
        return box.lines.last == "/a f \(Float(round))"
      }
      #expect(isReceived, "\(target.status)")
      lo_server_free(first)
      unlink(path)
      #expect(
        poll {
          try? send(0, to: target)
          return target.status.state != .ready
        })
    }
  }

  @Test(arguments: [(nil, 64), (0, 0), (7, 7)] as [(Int?, Int)])
  func `a multicast leaves by its interface, with the hops that are set`(hops: Int?, expected: Int) throws {
    let program = """
      import socket, struct
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind(("239.255.77.7", 0))
      s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.255.77.7") + socket.inet_aton("127.0.0.1"))
      s.setsockopt(socket.IPPROTO_IP, 12, 1)
      print(s.getsockname()[1], flush=True)
      data, more, _, _ = s.recvmsg(512, 512)
      print(data[:2].decode(), struct.unpack("i", more[0][2][:4])[0], flush=True)
      """
    let child = try Child(["python3", "-c", program])
    try #require(poll { child.results.contains("\n") }, "\(child.notes)")
    let port = try #require(Int(child.results.split(separator: "\n")[0]))
    let target = Target(try Endpoint("239.255.77.7:\(port)"), interface: "lo", hops: hops)
    defer { target.close() }
    try send(1, to: target)
    #expect(poll { child.results.split(separator: "\n").count == 2 }, "\(target.status)")
    #expect(child.results.split(separator: "\n").last == "/a \(expected)")
  }

  @Test func `a missing interface is reported, and nothing leaves by another`() throws {
    let target = Target(try Endpoint("239.255.77.7:9"), interface: "nothing0")
    defer { target.close() }
    try send(1, to: target)
    #expect(target.status.sent == 0 && target.status.dropped == 1)
    #expect(poll { target.status.lastError == "No such device" }, "\(target.status)")
  }

  @Test(arguments: [
    "osc.unix://", "osc.unix:///", "osc.unix://rig", "osc.unix:///" + String(repeating: "a", count: 107),
  ])
  func `an invalid path of a socket is refused`(text: String) {
    let path = String(text.dropFirst("osc.unix://".count))
    #expect(throws: OSCError.endpointFile(path, longest: 107)) { try Endpoint(text, streams: true) }
  }

  @Test func `a path is written as it is read`() throws {
    let endpoint = try Endpoint("OSC.unix:///run/rig", streams: true)
    #expect(
      endpoint.host == "/run/rig" && endpoint.description == "osc.unix:///run/rig" && endpoint.isNumeric)
    #expect(endpoint.url == "osc.unix:///run/rig")
  }
}
