/// Packets within a stream of bytes, as TCP brings them: the size before each (OSC 1.0), or SLIP between them (OSC 1.1).
///
/// The first byte tells which: the size of no packet taken here begins with another byte than 0, and SLIP begins with
/// its END, or with the packet itself. What is held is bounded by the largest packet taken.
public struct PacketStream: Sendable {
  /// How packets are told apart.
  public enum Framing: Sendable {
    /// A size of four bytes, big-endian, then the packet.
    case sized
    /// SLIP (RFC 1055), with an END on both sides when written here.
    case slip
  }

  private static let end: UInt8 = 0xC0
  private static let escape: UInt8 = 0xDB
  private static let escapedEnd: UInt8 = 0xDC
  private static let escapedEscape: UInt8 = 0xDD

  /// How packets are told apart in this stream; nil before its first byte.
  public private(set) var framing: Framing?
  /// The most bytes of a packet.
  public let limit: Int
  private var bytes: [UInt8] = []
  private var isEscaped = false
  /// What is wrong with the packet that is passing: the rest of it is left out.
  private var spoilt: OSCError?

  /// A stream that has brought nothing.
  public init(limit: Int = 65_536) { self.limit = limit }

  /// Takes what came next; gives every packet that is whole by now, in order, or what is wrong with it.
  ///
  /// Throws where nothing that follows could be understood: the stream is of no more use then.
  public mutating func take(
    _ new: UnsafeRawBufferPointer, _ found: (Result<[UInt8], OSCError>) -> Void
  ) throws(OSCError) {
    guard let first = new.first else { return }
    if framing == nil { framing = Self.framing(beginningWith: first) }
    guard framing != nil else { throw .packet(.noAddress, at: 0) }
    if framing == .sized { try takeSized(new, found) } else { takeSlip(new, found) }
  }

  /// What a stream's first byte says; nil where it is none of OSC, as that of HTTP or TLS.
  static func framing(beginningWith byte: UInt8) -> Framing? {
    switch byte {
    case 0: .sized
    case end, UInt8(ascii: "/"), UInt8(ascii: "#"): .slip
    default: nil
    }
  }

  private mutating func takeSized(
    _ new: UnsafeRawBufferPointer, _ found: (Result<[UInt8], OSCError>) -> Void
  ) throws(OSCError) {
    bytes += new
    var at = 0
    defer { bytes.removeFirst(at) }
    while bytes.count - at >= 4 {
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size > 0 else { throw .packet(.size, at: 0) }
      guard size <= limit else { throw .packet(.tooLarge, at: limit) }
      guard bytes.count - at - 4 >= size else { return }
      found(.success(Array(bytes[at + 4..<at + 4 + size])))
      at += 4 + size
    }
  }

  private mutating func takeSlip(
    _ new: UnsafeRawBufferPointer, _ found: (Result<[UInt8], OSCError>) -> Void
  ) {
    for byte in new {
      switch byte {
      case Self.end:
        if isEscaped { spoilt = spoilt ?? .packet(.escape, at: bytes.count) }
        if let spoilt {
          found(.failure(spoilt))
        } else if !bytes.isEmpty {
          found(.success(bytes))
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        (isEscaped, spoilt) = (false, nil)
      case _ where spoilt != nil: break
      case Self.escape where !isEscaped: isEscaped = true
      case _ where isEscaped:
        isEscaped = false
        switch byte {
        case Self.escapedEnd: put(Self.end)
        case Self.escapedEscape: put(Self.escape)
        default: spoilt = .packet(.escape, at: bytes.count)
        }
      default: put(byte)
      }
    }
  }

  private mutating func put(_ byte: UInt8) {
    if bytes.count < limit { bytes.append(byte) } else { spoilt = .packet(.tooLarge, at: limit) }
  }

  /// A packet as this stream's other end understands it.
  public func framed(_ packet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    packet.withUnsafeBytes { Self.append($0, to: &result, as: framing ?? .sized) }
    return result
  }

  /// Appends a packet with what tells it from others; allocates only where `bytes` has no room for twice the packet and 4.
  static func append(_ packet: UnsafeRawBufferPointer, to bytes: inout [UInt8], as framing: Framing) {
    guard framing == .slip else {
      withUnsafeBytes(of: UInt32(packet.count).bigEndian) { bytes.append(contentsOf: $0) }
      return bytes.append(contentsOf: packet)
    }
    bytes.append(end)
    for byte in packet {
      switch byte {
      case end:
        bytes.append(escape)
        bytes.append(escapedEnd)
      case escape:
        bytes.append(escape)
        bytes.append(escapedEscape)
      default: bytes.append(byte)
      }
    }
    bytes.append(end)
  }
}
