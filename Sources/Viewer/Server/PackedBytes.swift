import CZlib
import NIOCore

/// Bytes made smaller, as browsers unpack them. [any]
enum PackedBytes {
  /// As gzip (RFC 1952), as small as zlib makes it; nil where that is no smaller.
  static func gzip(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
    var stream = z_stream()
    // The largest window, 15 bits, and 16 for gzip's head; the most memory, 9.
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let input = bytes.bindMemory(to: UInt8.self)
    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.avail_in = UInt32(clamping: bytes.count)
    var isDone = false
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(clamping: room.count)
      isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = isDone ? Int(stream.total_out) : 0
    }
    return isDone ? ByteBuffer(bytes: packed) : nil
  }
}
