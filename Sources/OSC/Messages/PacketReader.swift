/// Decodes packets strictly by OSC 1.0; a hostile one gives a fault with the byte it breaks at, never a crash.
public struct PacketReader: Sendable {
  /// The most bytes taken.
  public var byteLimit: Int
  /// How deep bundles may be nested; 1 allows a bundle of messages only.
  public var depthLimit: Int

  /// The limits suit datagrams.
  public init(byteLimit: Int = 65_536, depthLimit: Int = 8) {
    self.byteLimit = byteLimit
    self.depthLimit = depthLimit
  }

  /// Decodes one packet. [any]
  public func read(_ bytes: UnsafeRawBufferPointer) throws(OSCFault) -> Packet {
    guard bytes.count <= byteLimit else { throw .packet(.tooLarge, at: byteLimit) }
    var cursor = PacketCursor(bytes)
    return try packet(&cursor, size: bytes.count, depth: 0)
  }

  /// Decodes one packet from an array. [any]
  public func read(_ bytes: [UInt8]) throws(OSCFault) -> Packet {
    // The closure's error is carried by the result, as `withUnsafeBytes` loses its type.
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(OSCFault) -> Packet in try read(buffer) }
    }
    return try result.get()
  }

  private func packet(_ cursor: inout PacketCursor, size: Int, depth: Int) throws(OSCFault) -> Packet {
    let start = cursor.at
    guard size % 4 == 0 else { throw .packet(.ragged, at: start) }
    let end = start + size
    guard let first = cursor.peek(before: end) else { throw .packet(.truncated, at: start) }
    if first == UInt8(ascii: "/") {
      let message = try message(&cursor, end: end)
      guard cursor.at == end else { throw .packet(.leftover, at: cursor.at) }
      return .message(message)
    }
    guard first == UInt8(ascii: "#"), size >= 16, try cursor.text(before: end) == "#bundle" else {
      throw .packet(.noAddress, at: start)
    }
    guard depth < depthLimit else { throw .packet(.tooDeep, at: start) }
    let tag = TimeTag(rawValue: try cursor.integer(before: end))
    var packets: [Packet] = []
    while cursor.at < end {
      let at = cursor.at
      let size = Int(Int32(bitPattern: try cursor.integer(before: end)))
      guard size > 0 else { throw .packet(.size, at: at) }
      guard size <= end - cursor.at else { throw .packet(.truncated, at: at) }
      packets.append(try packet(&cursor, size: size, depth: depth + 1))
    }
    return .bundle(tag, packets)
  }

  private func message(_ cursor: inout PacketCursor, end: Int) throws(OSCFault) -> Message {
    let address = try cursor.text(before: end)
    let tagsAt = cursor.at
    guard cursor.peek(before: end) == UInt8(ascii: ",") else { throw .packet(.noTypeTags, at: tagsAt) }
    let tags = try cursor.text(before: end).utf8.dropFirst()
    var arguments: [Argument] = []
    arguments.reserveCapacity(tags.count)
    for (index, tag) in tags.enumerated() {
      guard let argument = try argument(tag, &cursor, end: end) else {
        throw .packet(.unknownType(tag), at: tagsAt + 1 + index)
      }
      arguments.append(argument)
    }
    return Message(address, arguments: arguments)
  }

  private func argument(
    _ tag: UInt8, _ cursor: inout PacketCursor, end: Int
  ) throws(OSCFault) -> Argument? {
    switch tag {
    case UInt8(ascii: "i"): .int(Int32(bitPattern: try cursor.integer(before: end)))
    case UInt8(ascii: "f"): .float(Float(bitPattern: try cursor.integer(before: end)))
    case UInt8(ascii: "s"): .string(try cursor.text(before: end))
    case UInt8(ascii: "b"): .blob(try cursor.blob(before: end))
    case UInt8(ascii: "h"): .int64(Int64(bitPattern: try cursor.integer(before: end)))
    case UInt8(ascii: "d"): .double(Double(bitPattern: try cursor.integer(before: end)))
    case UInt8(ascii: "t"): .timeTag(TimeTag(rawValue: try cursor.integer(before: end)))
    case UInt8(ascii: "T"): .bool(true)
    case UInt8(ascii: "F"): .bool(false)
    case UInt8(ascii: "N"): .null
    case UInt8(ascii: "I"): .impulse
    default: nil
    }
  }
}
