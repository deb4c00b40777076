import CLiblo
import Glibc

/// The local address that a datagram was sent to, and from which the answer is sent. Otherwise a server bound to all
/// addresses would answer from an address that the system picks. A client that expects an answer from the address it
/// asked would drop it.
struct DestinationAddress: Sendable, Hashable {
  /// The address.
  private let address: IPAddress
  /// The interface by which it came. It is used for link-local addresses alone, because the answer to others may take
  /// another route.
  private let interface: UInt32

  /// `struct in6_pktinfo` of RFC 3542. Glibc declares it only with `_GNU_SOURCE`.
  private struct PacketInfo6 {
    var address = in6_addr()
    var interface: UInt32 = 0
  }

  /// Bytes before the data of a control message, and the alignment of control messages, as in CMSG_DATA and
  /// CMSG_ALIGN.
  private static let header = MemoryLayout<cmsghdr>.stride
  private static let step = MemoryLayout<Int>.size
  /// Bytes of control data, enough for either kind.
  private static let room = 128

  /// Receives a datagram: its size, or -1 with `errno`; its sender; and the local address, if the socket reports it.
  /// Never blocks.
  static func receive(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, from: SocketAddress?, localAddress: DestinationAddress?) {
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { control in
      var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      var controlLength = 0
      let (count, from) = withUnsafeMutablePointer(to: &part) { part in
        SocketAddress.filled { name, length in
          var header = msghdr()
          header.msg_name = UnsafeMutableRawPointer(name)
          header.msg_namelen = length.pointee
          header.msg_iov = part
          header.msg_iovlen = 1
          header.msg_control = control.baseAddress
          header.msg_controllen = numericCast(control.count)
          let count = recvmsg(descriptor, &header, Int32(MSG_DONTWAIT))
          length.pointee = header.msg_namelen
          controlLength = count >= 0 ? Int(header.msg_controllen) : 0
          return count
        }
      }
      let info = UnsafeRawBufferPointer(rebasing: control[..<min(controlLength, control.count)])
      return (count, from, DestinationAddress(info))
    }
  }

  /// Reads the local address from control data; nil where there is none.
  private init?(_ control: UnsafeRawBufferPointer) {
    var at = 0
    while control.count - at >= Self.header {
      let part = control.loadUnaligned(fromByteOffset: at, as: cmsghdr.self)
      let length = Int(part.cmsg_len)
      guard length >= Self.header, length <= control.count - at else { return nil }
      let size = length - Self.header
      switch (part.cmsg_level, part.cmsg_type) {
      case (Int32(IPPROTO_IP), Int32(IP_PKTINFO)) where size >= MemoryLayout<in_pktinfo>.size:
        // The machine's own address, also for a broadcast.
        let info = control.loadUnaligned(fromByteOffset: at + Self.header, as: in_pktinfo.self)
        self.init(IPAddress(info.ipi_spec_dst), 0)
        return
      case (Int32(IPPROTO_IPV6), Int32(IPV6_PKTINFO)) where size >= MemoryLayout<PacketInfo6>.size:
        let info = control.loadUnaligned(fromByteOffset: at + Self.header, as: PacketInfo6.self)
        self.init(IPAddress(info.address), info.interface)
        return
      default: at += (length + Self.step - 1) / Self.step * Self.step
      }
    }
    return nil
  }

  private init(_ address: IPAddress, _ interface: UInt32) {
    self.address = address
    self.interface = address.isLinkLocal ? interface : 0
  }

  /// Sends a datagram from this address. Returns false where that is impossible, for instance because the machine no
  /// longer has the address. Never blocks.
  func send(_ packet: [UInt8], to: SocketAddress, on descriptor: Int32) -> Bool {
    // The socket's family decides: an IPv6 socket needs an IPv4-mapped address.
    if to.family == AF_INET {
      var info = in_pktinfo()
      info.ipi_spec_dst = address.four
      return withUnsafeBytes(of: info) {
        Self.send(packet, to, descriptor, (Int32(IPPROTO_IP), Int32(IP_PKTINFO)), $0)
      }
    }
    return withUnsafeBytes(of: PacketInfo6(address: address.mapped, interface: interface)) {
      Self.send(packet, to, descriptor, (Int32(IPPROTO_IPV6), Int32(IPV6_PKTINFO)), $0)
    }
  }

  private static func send(
    _ packet: [UInt8], _ to: SocketAddress, _ descriptor: Int32, _ kind: (level: Int32, type: Int32),
    _ data: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { control in
      control.initializeMemory(as: UInt8.self, repeating: 0)
      var part = cmsghdr()
      part.cmsg_len = numericCast(header + data.count)
      (part.cmsg_level, part.cmsg_type) = kind
      control.storeBytes(of: part, as: cmsghdr.self)
      UnsafeMutableRawBufferPointer(rebasing: control[header...]).copyMemory(from: data)
      return packet.withUnsafeBytes { bytes in
        var body = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &body) { body in
          to.withPointer { name, length in
            var message = msghdr()
            message.msg_name = UnsafeMutableRawPointer(mutating: name)
            message.msg_namelen = length
            message.msg_iov = body
            message.msg_iovlen = 1
            message.msg_control = control.baseAddress
            message.msg_controllen = numericCast(header + (data.count + step - 1) / step * step)
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            // With a full buffer another source address would not help.
            return sendmsg(descriptor, &message, flags) >= 0 || errno == EAGAIN || errno == EWOULDBLOCK
          }
        }
      }
    }
  }
}
