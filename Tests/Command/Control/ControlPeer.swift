import Glibc
import OSC
import TestSupport

/// A plain UDP socket that talks to a control port and keeps what is answered.
final class ControlPeer {
  private let descriptor: Int32
  private var heard: [Message] = []

  /// Connects to a port of the loopback.
  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // Answers and feedback wait here until the test asks for them.
    growReceiveBuffer(of: descriptor)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = port.bigEndian
    let result = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Child.Failure(description: "no socket") }
  }

  deinit { close(descriptor) }

  /// Sends a message, to a pattern too.
  func send(_ address: String, _ arguments: Argument...) throws {
    try send(address, arguments: arguments)
  }

  /// The same with a list.
  func send(_ address: String, arguments: [Argument]) throws {
    send(bytes: try Self.packet(address, arguments))
  }

  /// A packet to an address that may be a pattern, which no `Message` of our own is sent to.
  static func packet(_ address: String, _ arguments: [Argument]) throws -> [UInt8] {
    let plain = String(address.map { "*?[]{},".contains($0) ? "_" : $0 })
    let packet = try Message(plain, arguments: arguments).packet()
    return Array(address.utf8) + packet.dropFirst(address.utf8.count)
  }

  /// Sends any bytes.
  func send(bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// All that was answered so far.
  var answers: [Message] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return heard }
      if let packet = try? PacketReader().read(Array(buffer[..<count])) { heard += packet.messages }
    }
  }

  /// Asks how the show stands, and gives the answers once one of them has this address; with that of the end, the facts
  /// of one moment. Who asks too often is refused, and asks again.
  func status(with address: String, within seconds: Double = 10) throws -> ArraySlice<Message> {
    var before = 0
    _ = try poll(within: seconds) {
      before = answers.count
      try send("/visgraph/status")
      return poll(within: 0.2) { answers.dropFirst(before).contains { $0.address == address } }
    }
    let (all, end) = (answers, "/visgraph/status/end")
    guard address == end, let last = all.lastIndex(where: { $0.address == end }), last >= before else {
      return all.dropFirst(before)
    }
    // Each fact is a packet of its own. Where a request was answered late, the rest of that answer comes first, or a
    // part of the next one has come.
    let first = all[..<last].lastIndex(where: { $0.address == end }).map { $0 + 1 } ?? 0
    return all[first...last]
  }

  /// What the show says is wrong; all is well where it says nothing.
  func faults() throws -> [String] {
    let answer = try status(with: "/visgraph/status/end", within: 30)
    let faults = answer.compactMap { message -> String? in
      guard message.address.hasPrefix("/visgraph/status/fault/") else { return nil }
      if case .string(let text)? = message.arguments.first { return text }
      return nil
    }
    let isHealthy = answer.last { $0.address == "/visgraph/status/healthy" }?.arguments == [.int(1)]
    guard isHealthy == faults.isEmpty else {
      throw Child.Failure(description: "healthy \(isHealthy), but \(faults)")
    }
    return faults
  }

  /// The reasons of the errors that were answered, in order; but for a status that was asked for too often or too
  /// early.
  var refusals: [String] {
    answers.compactMap { message in
      guard message.address == "/visgraph/error", message.arguments.first != .string("/visgraph/status"),
        case .string(let reason)? = message.arguments.last
      else {
        return nil
      }
      return reason
    }
  }
}

extension Child {
  /// The port where it takes control messages.
  func controlPort() throws -> UInt16 {
    let mark = "control 127.0.0.1:"
    guard says(mark), let start = notes.firstRange(of: mark),
      let port = UInt16(notes[start.upperBound...].prefix { $0.isNumber })
    else { throw Failure(description: "no control port: \(notes)") }
    return port
  }
}
