import CLiblo
import Glibc
import System
import TestSupport
import Testing

@testable import OSC

/// Targets by TCP, with receivers of other implementations.
@Suite(.blocking) struct StreamTargetTests {
  /// A strict reader of OSC 1.1 in Python: each packet lies between two ENDs, with nothing else. It accepts one
  /// connection after the other, and prints packets in hexadecimal; a faulty stream is one line `fault`.
  private static let slipReader = """
    import socket, sys
    server = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    print(server.getsockname()[1], flush=True)
    while True:
        peer, _ = server.accept()
        print("open", flush=True)
        packet, escaped = None, False
        while True:
            data = peer.recv(4096)
            if not data:
                print("closed" if packet is None else "fault", flush=True)
                break
            for byte in data:
                if packet is None:
                    if byte != 0xC0: print("fault", flush=True)
                    packet = bytearray()
                elif byte == 0xC0:
                    print(packet.hex() if packet and not escaped and len(packet) % 4 == 0 else "fault", flush=True)
                    packet, escaped = None, False
                elif escaped:
                    if byte not in (0xDC, 0xDD): print("fault", flush=True)
                    packet.append(0xC0 if byte == 0xDC else 0xDB)
                    escaped = False
                elif byte == 0xDB: escaped = True
                else: packet.append(byte)
    """

  /// A reader of packets with sizes, which accepts one connection and prints packets in hexadecimal.
  private static let sizeReader = """
    import socket
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    stream = server.accept()[0].makefile("rb")
    while size := stream.read(4):
        print(stream.read(int.from_bytes(size, "big")).hex(), flush=True)
    """

  private func start(_ program: String, _ arguments: String...) throws -> (child: Child, port: UInt16) {
    let child = try Child(["python3", "-c", program] + arguments)
    guard poll(within: 30, until: { child.results.contains("\n") || child.hasEnded }),
      let port = child.results.split(separator: "\n").first.flatMap({ UInt16($0) })
    else { throw Child.Failure(description: "no receiver: \(child.notes)") }
    return (child, port)
  }

  private func lines(_ child: Child) -> [String] {
    child.results.split(separator: "\n").dropFirst().map(String.init)
  }

  private func send(_ message: Message, to target: Target) throws {
    try message.packet().withUnsafeBytes { target.send($0) }
  }

  @Test func `liblo receives packets with sizes by TCP, to the bit and in order`() throws {
    final class Box { var values: [Float] = [] }
    let server = try #require(lo_server_new_with_proto(nil, LO_TCP, nil))
    defer { lo_server_free(server) }
    let box = Box()
    lo_server_add_method(
      server, "/level", "f",
      { _, _, arguments, _, _, context in
        guard let arguments, let context else { return 1 }
        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().values.append(arguments[0]!.pointee.f)
        return 0
      }, Unmanaged.passUnretained(box).toOpaque())
    let target = Target(try Endpoint("osc.tcp://127.0.0.1:\(lo_server_get_port(server))", streams: true))
    #expect(poll { target.status.state == .ready && target.timesReady == 1 })
    for number in 0..<200 { try send(Message("/level", .float(Float(number) / 7)), to: target) }
    #expect(
      poll {
        lo_server_recv_noblock(server, 20)
        return box.values.count >= 200
      })
    #expect(box.values == (0..<200).map { Float($0) / 7 })
    #expect(target.status.sent == 200 && target.status.failed == 0)
    #expect(target.status.description == "sending to \(target.endpoint)")
  }

  @Test func `a strict reader of SLIP finds every packet between two ENDs, with escapes`() throws {
    let (child, port) = try start(Self.slipReader)
    let target = Target(try Endpoint("osc.slip://127.0.0.1:\(port)/", streams: true))
    #expect(poll { target.status.state == .ready })
    let blob: [UInt8] = [0xC0, 0xDB, 0xDC, 0xDD, 0xC0, 0xC0, 0xDB, 0]
    let messages = (0..<50).map { Message("/blob/\($0)", .int(Int32($0)), .blob(blob)) }
    for message in messages { try send(message, to: target) }
    let expected = try ["open"] + messages.map { hex(try $0.packet()) }
    #expect(poll { lines(child).count >= expected.count })
    #expect(lines(child) == expected)
    // The end closes the stream after a whole packet, so the last packet arrives.
    try send(Message("/dark", .float(0)), to: target)
    target.close(within: 1)
    #expect(poll { lines(child).last == "closed" })
    #expect(lines(child).suffix(2) == [hex(try Message("/dark", .float(0)).packet()), "closed"])
    #expect(target.status.state == .closed)
  }

  @Test(arguments: [false, true])
  func `a packet as large as a datagram arrives by TCP`(isSlip: Bool) throws {
    // The system ends a connection whose receiver has no room for 5 s, such as one that is late by that.
    let fault = try lastOf { () throws -> String? in
      let (child, port) = try start(isSlip ? Self.slipReader : Self.sizeReader)
      let target = Target(try Endpoint("osc.\(isSlip ? "slip" : "tcp")://127.0.0.1:\(port)", streams: true))
      #expect(poll { target.status.state == .ready && target.timesReady == 1 })
      // Nearly all of its bytes are ENDs, which SLIP escapes.
      let packet = try Message("/blob", .blob(Array(repeating: 0xC0, count: 65_488))).packet()
      #expect(packet.count == 65_504)
      packet.withUnsafeBytes { target.send($0) }
      #expect(target.status.sent == 1 && target.status.failed == 0)
      let expected = hex(packet)
      #expect(poll { lines(child).last == expected || target.timesReady > 1 })
      guard target.timesReady == 1 else { return "the connection has ended: \(lines(child).count) lines" }
      #expect(target.status.state == .ready)
      // One that is too large for any datagram fails, and the receiver is not said to be slow.
      let tooLarge = [UInt8](repeating: 0xC0, count: 140_000)
      tooLarge.withUnsafeBytes { target.send($0) }
      #expect(target.status.failed == 1 && target.status.state == .ready)
      return nil
    }
    #expect(fault == nil)
  }

  @Test func `a receiver that starts late or restarts is connected to within two seconds`() throws {
    let first = try start(Self.slipReader)
    let port = first.port
    let target = Target(try Endpoint("osc.slip://127.0.0.1:\(port)", streams: true))
    #expect(poll { target.status.state == .ready && target.timesReady == 1 })
    first.child.signal(SIGKILL)
    #expect(poll { target.status.state == .refused })
    #expect(target.status.description == "nobody listens on \(target.endpoint)")
    try send(Message("/lost", .int(1)), to: target)
    #expect(target.status.dropped >= 1)
    var restarts = 0
    let seconds = try shortest(below: 2) {
      let again = try start(Self.slipReader, "\(port)")
      let since = now()
      restarts += 1
      #expect(poll { target.timesReady == 1 + restarts && target.status.state == .ready })
      let taken = now() - since
      try send(Message("/back", .int(1)), to: target)
      let back = hex(try Message("/back", .int(1)).packet())
      #expect(poll { lines(again.child) == ["open", back] })
      again.child.signal(SIGKILL)
      #expect(poll { target.status.state == .refused })
      return taken
    }
    #expect(seconds < 2)
  }

  @Test
  func
    `a receiver that does not read loses packets, which are counted, delays no other, and gets all when it reads again`()
    throws
  {
    let deaf = """
      import signal, socket
      signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
      server = socket.create_server(("127.0.0.1", 0))
      server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
      print(server.getsockname()[1], flush=True)
      peer, _ = server.accept()
      signal.sigwait({signal.SIGUSR1})
      while peer.recv(65536): pass
      """
    // The system ends a connection whose receiver has no room for 5 s, which a busy machine may take for all this.
    let fault = try lastOf { () throws -> String? in
      let (child, port) = try start(deaf)
      defer { child.signal(SIGKILL) }
      let target = Target(try Endpoint("osc.tcp://127.0.0.1:\(port)", streams: true))
      #expect(poll { target.status.state == .ready && target.timesReady == 1 })
      let python = try PythonReceiver()
      let other = Target(try Endpoint("127.0.0.1:\(python.port)"))
      let packet = try Message("/level", .blob(Array(repeating: 7, count: 1200))).packet()
      var sends: UInt64 = 0
      let longest = shortest(below: 0.1) {
        var slowest = 0.0
        for _ in 0..<3000 {
          let before = now()
          packet.withUnsafeBytes { target.send($0) }
          slowest = max(slowest, now() - before)
        }
        sends += 3000
        return slowest
      }
      try send(Message("/other", .int(1)), to: other)
      #expect(python.lines(1) == ["[\"/other\", 1]"])
      let (status, timesReady) = (target.status, target.timesReady)
      guard status.failed > 1000, status.sent + status.failed == sends,
        status.state == .failing("it does not read; packets are dropped"), timesReady == 1
      else { return "\(status), \(status.sent) and \(status.failed) of \(sends), ready \(timesReady) times" }
      // Never as long as a frame would wait for a lock or a network.
      #expect(longest < 0.1)
      child.signal(SIGUSR1)
      #expect(poll { target.timesReady == 2 && target.status.state == .ready })
      return nil
    }
    #expect(fault == nil)
  }

  @Test func `a receiver that resets the connection is connected to again`() throws {
    let rude = """
      import socket, struct
      server = socket.create_server(("127.0.0.1", 0))
      print(server.getsockname()[1], flush=True)
      while True:
          peer, _ = server.accept()
          print("open", flush=True)
          peer.recv(8)
          peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
          peer.close()
      """
    let (child, port) = try start(rude)
    let target = Target(try Endpoint("osc.tcp://127.0.0.1:\(port)", streams: true))
    #expect(
      poll {
        try? send(Message("/level", .float(1)), to: target)
        return lines(child).count >= 3
      })
    // The receiver may accept a connection before the target knows of it.
    #expect(poll { target.timesReady >= 3 })
  }
}
