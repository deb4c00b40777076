import CPages
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

extension Sequence<UInt8> {
  /// FNV-1a, 64 bits: tells one version of something from another, and keeps no secret.
  var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
