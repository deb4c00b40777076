import System

/// A page of an Ogg file (RFC 3533). [any]
struct OggPage {
  /// Byte offset and size in bytes.
  let place: Int64
  let size: Int
  /// The serial number of its stream.
  let serial: UInt64
  /// The granule position: the sample after the last packet that ends on it; nil if none ends.
  let granule: Int64?
  /// Header flags: continues a packet of the page before; first page; last page of the stream.
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// Byte ranges of packets, or parts of packets, in `bytes`; and whether the last one ends on this page.
  let parts: [Range<Int>]
  let endsWhole: Bool
  /// The whole page.
  let bytes: [UInt8]

  /// Largest size of a page in bytes.
  static let most = 27 + 255 + 255 * 255

  /// Reads the page at an offset; nil if there is none, or if its checksum is wrong.
  init?(of file: RegularFile, at place: Int64) {
    let head = file.bytes(at: place, count: 27 + 255)
    guard head.count >= 27, head.has("OggS"), head[4] == 0 else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    let lengths = head[27..<27 + segments]
    size = 27 + segments + lengths.reduce(0) { $0 + Int($1) }
    bytes = file.bytes(at: place, count: size)
    guard bytes.count == size, let granule = bytes.little(6, 8), let serial = bytes.little(14, 4),
      let sum = bytes.little(22, 4), OggPage.checksum(bytes) == sum
    else { return nil }
    self.place = place
    self.serial = serial
    self.granule = Int64(exactly: granule).flatMap { $0 < AudioFormat.mostSamples ? $0 : nil }
    isContinued = bytes[5] & 1 != 0
    isFirst = bytes[5] & 2 != 0
    isLast = bytes[5] & 4 != 0
    var parts: [Range<Int>] = []
    var start = 27 + segments
    var end = start
    var isWhole = true
    for length in lengths {
      end += Int(length)
      isWhole = length < 255
      if isWhole {
        parts.append(start..<end)
        start = end
      }
    }
    if !isWhole { parts.append(start..<end) }
    self.parts = parts
    endsWhole = isWhole
  }

  /// The first intact page at or after an offset.
  ///
  /// - Parameter most: bytes that are searched.
  static func next(in file: RegularFile, from place: Int64, most: Int) -> OggPage? {
    if let page = OggPage(of: file, at: place) { return page }
    var start = place
    let end = min(file.size, place + Int64(most))
    // Bounds the checksums over bytes that only look like page headers: real pages do not overlap, but false ones may
    // claim the same bytes again and again.
    var claims = 2 * most + OggPage.most
    while start < end {
      let window = file.bytes(at: start, count: 65_536 + 3)
      guard window.count > 4 else { return nil }
      for index in 0..<window.count - 3 where window[index] == 0x4F && window.has("OggS", at: index) {
        if let page = OggPage(of: file, at: start + Int64(index)) { return page }
        claims -= OggPage.claim(file.bytes(at: start + Int64(index), count: 27 + 255))
        if claims < 0 { return nil }
      }
      start += Int64(window.count - 3)
    }
    return nil
  }

  /// The size of a page according to its header, at least that of the header.
  private static func claim(_ head: [UInt8]) -> Int {
    guard head.count > 27 else { return 27 }
    return 27 + head[27...].prefix(Int(head[26])).reduce(Int(head[26])) { $0 + Int($1) }
  }

  /// The CRC-32 of a page, with its own field as 0 (RFC 3533, 6).
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        var sum: UInt32 = 0
        for index in bytes.indices {
          let byte = 22..<26 ~= index ? 0 : bytes[index]
          sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(byte))]
        }
        return UInt64(sum)
      }
    }
  }

  /// The table of CRC-32 with polynomial 0x04C11DB7, not reflected.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
  }
}
