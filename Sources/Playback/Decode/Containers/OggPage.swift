import System

/// A page of an Ogg file (RFC 3533). [any]
struct OggPage {
  /// Where it begins, and how many bytes it has.
  let place: Int64
  let size: Int
  /// The stream that it belongs to.
  let serial: UInt64
  /// The sample behind the last packet that ends on it; nil where none does.
  let granule: Int64?
  /// Whether it goes on with a packet of the page before, is the first, is the last.
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// The parts of packets on it, and whether the last of them ends on it.
  let parts: [Range<Int>]
  let endsWhole: Bool
  /// The whole page.
  let bytes: [UInt8]

  /// Bytes that a page can have.
  static let most = 27 + 255 + 255 * 255

  /// Reads the page at a place; nil where there is none or its checksum is wrong.
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
    self.granule = Int64(exactly: granule).flatMap { $0 < AudioFormat.mostFrames ? $0 : nil }
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

  /// The first whole page at or behind a place.
  ///
  /// - Parameter most: bytes that are looked through.
  static func next(in file: RegularFile, from place: Int64, most: Int) -> OggPage? {
    if let page = OggPage(of: file, at: place) { return page }
    var start = place
    let end = min(file.size, place + Int64(most))
    // Real pages do not overlap. Letters that only look like the beginnings of pages might claim each other's bytes
    // again and again, and every claim costs a checksum.
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

  /// The bytes that a page has by its header, at least those of the header.
  private static func claim(_ head: [UInt8]) -> Int {
    guard head.count > 27 else { return 27 }
    return 27 + head[27...].prefix(Int(head[26])).reduce(Int(head[26])) { $0 + Int($1) }
  }

  /// The checksum of a page, its own field taken as 0 (RFC 3533, 6).
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

  /// The polynomial 04C11DB7, not mirrored.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
  }
}
