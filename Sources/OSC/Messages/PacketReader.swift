/// Decodes packets by OSC 1.0. An invalid packet gives a fault with the byte at which it occurs, never a crash.
///
/// A message with an unknown type tag is left out; the other messages of its bundle are decoded. Old senders write no
/// type tags: such a message is decoded if nothing follows its address.
public struct PacketReader: Sendable {
  /// Maximum bytes of a packet.
  public var byteLimit: Int
  /// Maximum nesting of bundles; 1 allows a bundle of messages only.
  public var depthLimit: Int

  /// The default limits suit datagrams.
  public init(byteLimit: Int = 65_536, depthLimit: Int = 8) {
    self.byteLimit = byteLimit
    self.depthLimit = depthLimit
  }

  /// Decodes one packet. [any]
  public func read(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> Packet {
    guard bytes.count <= byteLimit else { throw .packet(.tooLarge, at: byteLimit) }
    var cursor = PacketCursor(bytes)
    return try packet(&cursor, size: bytes.count, depth: 0)
  }

  /// Decodes one packet from an array. [any]
  public func read(_ bytes: [UInt8]) throws(OSCError) -> Packet {
    // `withUnsafeBytes` loses the type of the error, so a `Result` carries it.
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(OSCError) -> Packet in try read(buffer) }
    }
    return try result.get()
  }

  private func packet(_ cursor: inout PacketCursor, size: Int, depth: Int) throws(OSCError) -> Packet {
    let start = cursor.at
    guard size % 4 == 0 else { throw .packet(.ragged, at: start) }
    let end = start + size
    guard let first = cursor.peek(before: end) else { throw .packet(.truncated, at: start) }
    if first == UInt8(ascii: "/") {
      return try message(&cursor, end: end)
    }
    guard first == UInt8(ascii: "#"), size >= BundleWriter.headSize, try cursor.text(before: end) == "#bundle"
    else {
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

  private func message(_ cursor: inout PacketCursor, end: Int) throws(OSCError) -> Packet {
    let address = try cursor.text(before: end)
    let tagsAt = cursor.at
    guard let comma = cursor.peek(before: end) else { return .message(Message(address)) }
    guard comma == UInt8(ascii: ",") else {
      cursor.leave(to: end)
      return .undecodable(address, .packet(.noTypeTags, at: tagsAt))
    }
    let tags = try cursor.text(before: end).utf8.dropFirst()
    var arguments: [Argument] = []
    arguments.reserveCapacity(tags.count)
    for (index, tag) in tags.enumerated() {
      guard let argument = try argument(tag, &cursor, end: end) else {
        cursor.leave(to: end)
        return .undecodable(address, .packet(.unknownType(tag), at: tagsAt + 1 + index))
      }
      arguments.append(argument)
    }
    guard cursor.at == end else { throw .packet(.leftover, at: cursor.at) }
    return .message(Message(address, arguments: arguments))
  }

  private func argument(
    _ tag: UInt8, _ cursor: inout PacketCursor, end: Int
  ) throws(OSCError) -> Argument? {
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

/// A position in received bytes; each read is checked against a given end.
struct PacketCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next byte, which stays unread; nil at `end`.
  func peek(before end: Int) -> UInt8? { at < end ? bytes[at] : nil }

  /// Skips to `end`.
  mutating func leave(to end: Int) { at = end }

  /// Reads a big-endian integer of four or eight bytes.
  mutating func integer<T: FixedWidthInteger>(before end: Int) throws(OSCError) -> T {
    let size = MemoryLayout<T>.size
    guard end - at >= size else { throw .packet(.truncated, at: at) }
    defer { at += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: T.self))
  }

  /// Reads a string, its terminating zero, and zeros up to a multiple of four.
  mutating func text(before end: Int) throws(OSCError) -> String {
    let start = at
    guard let zero = bytes[start..<end].firstIndex(of: 0) else { throw .packet(.text, at: start) }
    // The packet begins at offset 0, so the padding is counted from there.
    let next = (zero + 4) & ~3
    guard next <= end, bytes[zero..<next].allSatisfy({ $0 == 0 }),
      let text = String(validating: bytes[start..<zero], as: UTF8.self)
    else { throw .packet(.text, at: start) }
    at = next
    return text
  }

  /// Reads a blob: its size, its bytes, and zeros up to a multiple of four.
  mutating func blob(before end: Int) throws(OSCError) -> [UInt8] {
    let start = at
    let size = Int(Int32(bitPattern: try integer(before: end)))
    guard size >= 0 else { throw .packet(.size, at: start) }
    let next = (at + size + 3) & ~3
    guard next <= end else { throw .packet(.truncated, at: start) }
    let blob = [UInt8](bytes[at..<at + size])
    guard bytes[at + size..<next].allSatisfy({ $0 == 0 }) else { throw .packet(.leftover, at: at + size) }
    at = next
    return blob
  }
}
