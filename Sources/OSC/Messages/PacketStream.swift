/// Splits a TCP stream into packets: a size before each packet (OSC 1.0), or SLIP framing (OSC 1.1).
///
/// The first byte decides which. A size begins with a 0 byte, as it is below 2²⁴, and SLIP begins with END or with the
/// packet itself. Between two calls of `take` at most a packet and its size are buffered.
public struct PacketStream: Sendable {
  /// The framing of packets.
  public enum Framing: Sendable {
    /// A big-endian size of four bytes before each packet.
    case sized
    /// SLIP (RFC 1055); this side writes an END before and after each packet.
    case slip
  }

  private static let end: UInt8 = 0xC0
  private static let escape: UInt8 = 0xDB
  private static let escapedEnd: UInt8 = 0xDC
  private static let escapedEscape: UInt8 = 0xDD

  /// The framing of this stream; nil before its first byte.
  public private(set) var framing: Framing?
  /// Maximum bytes of a packet, below 2²⁴.
  public let limit: Int
  /// Received bytes of the present packet.
  private var bytes: [UInt8] = []
  /// Whether the last byte was a SLIP escape.
  private var isEscaped = false
  /// The fault of the present packet in SLIP; its remaining bytes are skipped up to END.
  private var spoilt: OSCError?

  /// Makes a stream without bytes. A `limit` of 2²⁴ or more counts as 2²⁴ - 1.
  public init(limit: Int = 65_536) { self.limit = min(limit, (1 << 24) - 1) }

  /// Takes the next bytes. Passes on every packet that is complete now, in order; in SLIP also the fault of each packet,
  /// as the next END shows where the one after it begins.
  ///
  /// Throws where the rest of the stream cannot be decoded: after a size that is no packet's, and where the first byte is
  /// that of neither framing. The stream is then of no further use. Positions in faults are those in the packet, so one
  /// that is too large breaks off at `limit`.
  public mutating func take(
    _ new: UnsafeRawBufferPointer, _ found: (Result<[UInt8], OSCError>) -> Void
  ) throws(OSCError) {
    guard let first = new.first else { return }
    if framing == nil { framing = Self.framing(beginningWith: first) }
    guard framing != nil else { throw .packet(.noAddress, at: 0) }
    if framing == .sized { try takeSized(new, found) } else { takeSlip(new, found) }
  }

  /// The framing by the first byte of a stream; nil where it is not OSC, such as HTTP or TLS.
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

  /// Frames a packet as the peer frames its own; with a size while the peer has sent nothing.
  public func framed(_ packet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    packet.withUnsafeBytes { Self.append($0, to: &result, as: framing ?? .sized) }
    return result
  }

  /// The most bytes of a framed packet: SLIP may escape every byte.
  static func mostBytes(of packet: UnsafeRawBufferPointer, as framing: Framing) -> Int {
    framing == .slip ? 2 * packet.count + 2 : packet.count + 4
  }

  /// Appends a framed packet. It allocates only where `bytes` has no capacity for `mostBytes` more.
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
