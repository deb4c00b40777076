import CPages
import CZlib
import NIOCore

/// The files of the pages, which are part of the program. [any]
struct EmbeddedPages: Sendable {
  struct Page: Sendable {
    /// The media type.
    let type: String
    /// The ETag, in quotes.
    let tag: String
    let bytes: ByteBuffer
    /// The bytes compressed by gzip; nil: they would be no smaller.
    let packed: ByteBuffer?
    /// Whether it is an HTML document, and not a part of one.
    let isDocument: Bool
  }

  /// The pages of this program, compressed at the first access.
  static let own = EmbeddedPages()

  private let pages: [String: Page]

  /// All files at `/NAME`; also the stage at `/`, and the desk at `/desk`.
  private init() {
    var pages: [String: Page] = [:]
    for page in UnsafeBufferPointer(start: vg_page_list(), count: vg_page_count) {
      let (name, type) = (String(cString: page.name), String(cString: page.type))
      let bytes = UnsafeRawBufferPointer(start: page.bytes, count: page.count)
      pages["/\(name)"] = Page(
        type: type, tag: "\"\(String(bytes.fnv1a, radix: 16))\"", bytes: ByteBuffer(bytes: bytes),
        packed: type.hasSuffix("gzip") ? nil : PackedBytes.gzip(bytes),
        isDocument: type.hasPrefix("text/html"))
    }
    pages["/"] = pages["/stage.html"]
    pages["/desk"] = pages["/desk.html"]
    self.pages = pages
  }

  /// The file at a path; nil: none.
  subscript(path: String) -> Page? { pages[path] }
}

/// The compression of pages. [any]
private enum PackedBytes {
  /// gzip (RFC 1952) at zlib's best compression; nil: the result is no smaller.
  static func gzip(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
    var stream = z_stream()
    // windowBits 15 is the largest window, + 16 selects the gzip format; memLevel 9 is the maximum.
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

extension Sequence<UInt8> {
  /// FNV-1a, 64 bits. Detects other versions of something; it is no cryptographic hash.
  var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
