import CPages
import CZlib
import NIOCore

/// The files that are served, as the program was built with them. [any]
struct EmbeddedPages: Sendable {
  /// One of them.
  struct Page: Sendable {
    /// What it is, as HTTP says it.
    let type: String
    /// Tells one version from another: in quotes, as HTTP has it.
    let tag: String
    let bytes: ByteBuffer
    /// The same packed by gzip; nil where that saves nothing.
    let packed: ByteBuffer?
    /// Whether it is a page to be looked at, and not a part of one.
    let isDocument: Bool
  }

  /// Those of this program; they are packed when they are first asked for.
  static let own = EmbeddedPages()

  private let pages: [String: Page]

  /// All there are, under `/NAME`; the stage at `/` as well, and the desk at `/desk`.
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

  /// What is served at a path; nil where nothing is.
  subscript(path: String) -> Page? { pages[path] }
}

/// Bytes made smaller, as browsers unpack them. [any]
private enum PackedBytes {
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

extension Sequence<UInt8> {
  /// FNV-1a, 64 bits: tells one version of something from another, and keeps no secret.
  var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
