import CLiblo
import Glibc

/// A message that liblo builds.
struct EncodedMessage: ~Copyable {
  private let handle: lo_message

  /// Maximum bytes of a UDP datagram over IPv4: 65535 less 28 bytes of headers.
  static let datagramLimit = 65_507

  init() throws(OSCError) {
    guard let handle = lo_message_new() else { throw .outOfMemory }
    self.handle = handle
    // Our own reference, so that freeing a bundle recursively does not free the message.
    lo_message_incref(handle)
  }

  deinit { lo_message_free(handle) }

  borrowing func add(_ argument: Argument) throws(OSCError) {
    let failed: Int32
    switch argument {
    case .int(let value): failed = lo_message_add_int32(handle, value)
    case .int64(let value): failed = lo_message_add_int64(handle, value)
    case .float(let value):
      if value.isNaN { throw .notANumber }
      failed = lo_message_add_float(handle, value)
    case .double(let value):
      if value.isNaN { throw .notANumber }
      failed = lo_message_add_double(handle, value)
    case .string(let value):
      if value.utf8.contains(0) { throw .zeroByte(value) }
      failed = lo_message_add_string(handle, value)
    case .blob(let bytes):
      guard bytes.count <= Self.datagramLimit else {
        throw .packetTooLarge(bytes: bytes.count, limit: Self.datagramLimit)
      }
      // liblo cannot make a blob without bytes.
      guard !bytes.isEmpty else { throw .emptyBlob }
      let blob = bytes.withUnsafeBytes { lo_blob_new(Int32(bytes.count), $0.baseAddress) }
      guard let blob else { throw .outOfMemory }
      defer { lo_blob_free(blob) }
      failed = lo_message_add_blob(handle, blob)
    case .bool(let value): failed = value ? lo_message_add_true(handle) : lo_message_add_false(handle)
    case .null: failed = lo_message_add_nil(handle)
    case .impulse: failed = lo_message_add_infinitum(handle)
    case .timeTag(let tag):
      let seconds = UInt32(truncatingIfNeeded: tag.rawValue >> 32)
      failed = lo_message_add_timetag(
        handle, lo_timetag(sec: seconds, frac: UInt32(truncatingIfNeeded: tag.rawValue)))
    }
    if failed != 0 { throw .outOfMemory }
  }

  /// The encoded message.
  borrowing func packet(to address: String) throws(OSCError) -> [UInt8] {
    var size = lo_message_length(handle, address)
    guard size <= Self.datagramLimit else {
      throw .packetTooLarge(bytes: size, limit: Self.datagramLimit)
    }
    guard let bytes = lo_message_serialise(handle, address, nil, &size) else { throw .outOfMemory }
    defer { free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
  }

  /// A bundle with the time tag "immediately" that holds this message alone.
  borrowing func bundle(to address: String) throws(OSCError) -> [UInt8] {
    guard let bundle = lo_bundle_new(lo_timetag(sec: 0, frac: 1)) else { throw .outOfMemory }
    defer { lo_bundle_free_recursive(bundle) }
    // Some versions of liblo keep the pointer to the address until the bundle is freed.
    let bytes = address.withCString { path -> [UInt8]? in
      guard lo_bundle_add_message(bundle, path, handle) == 0 else { return nil }
      var size = lo_bundle_length(bundle)
      guard let bytes = lo_bundle_serialise(bundle, nil, &size) else { return nil }
      defer { free(bytes) }
      return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
    }
    guard let packet = bytes else { throw .outOfMemory }
    guard packet.count <= Self.datagramLimit else {
      throw .packetTooLarge(bytes: packet.count, limit: Self.datagramLimit)
    }
    return packet
  }
}
