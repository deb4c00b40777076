import Glibc
import OSC
import System
import TestSupport

/// A UDP socket on the loopback that takes everything at once and reads it strictly.
final class OscEar: Sendable {
  /// A message, and when it came.
  struct Heard: Equatable {
    let address: String
    let values: [Argument]
    /// The number of the datagram it came in.
    let packet: Int

    /// The first value, if it is a float.
    var float: Float? {
      if case .float(let value)? = values.first { return value }
      return nil
    }
  }

  /// Where it listens.
  let port: UInt16
  private let descriptor: Int32
  private let heard = Locked<[Heard]>([])
  private let packets = Locked<[[UInt8]]>([])
  private let thread = Locked<TestThread?>(nil)

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var room: Int32 = 4 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw Child.Failure(description: "no socket") }
    self.descriptor = descriptor
    port = UInt16(bigEndian: name.sin_port)
    thread.withLock { thread in thread = TestThread { [weak self] in OscEar.listen(descriptor) { self } } }
  }

  private static func listen(_ descriptor: Int32, _ ear: () -> OscEar?) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isThere = poll(&wanted, 1, 50) == 1
      guard let ear = ear() else { break }
      if isThere {
        let size = recv(descriptor, &buffer, buffer.count, 0)
        if size > 0 { ear.take(Array(buffer[..<size])) }
      }
    }
    close(descriptor)
  }

  private func take(_ bytes: [UInt8]) {
    let number = packets.withLock { packets in
      packets.append(bytes)
      return packets.count
    }
    let messages = (try? PacketReader().read(bytes)).map(\.messages) ?? [Message("/not/osc", arguments: [])]
    heard.withLock { heard in
      heard += messages.map { Heard(address: $0.address, values: $0.arguments, packet: number) }
    }
  }

  /// All messages, in the order they came.
  var messages: [Heard] { heard.withLock { $0 } }

  /// All datagrams, in the order they came.
  var datagrams: [[UInt8]] { packets.withLock { $0 } }

  /// The floats that came for an address, in order.
  func floats(_ address: String) -> [Float] { messages.filter { $0.address == address }.compactMap(\.float) }
}

extension OscEar {
  /// A port on which nobody listens: one that was just given up.
  static func closedPort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else { throw Child.Failure(description: "no socket") }
    return UInt16(bigEndian: name.sin_port)
  }
}
