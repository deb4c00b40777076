import System

/// The links of a chained Ogg file: streams that follow each other (RFC 3533, 4). [one]
struct OggLinks {
  /// The range of bytes of each link; a single one if the file is not chained.
  private(set) var ranges: [Range<Int64>] = []
  /// Bytes after the last link that were not read.
  private(set) var rest: Int64 = 0

  /// The most links; a recording of an evening of radio has some hundred.
  static let most = 500
  /// The most bytes of a chained file that are searched for links.
  private static let mostSearched: Int64 = 256 << 20

  /// Samples a few places of a file; searches it for links if it may be chained.
  init(of file: RegularFile) {
    guard OggLinks.mayBeChained(file) else {
      ranges = [0..<file.size]
      return
    }
    var starts: [Int64] = []
    var place: Int64 = 0
    var isHeader = false
    while place < OggLinks.mostSearched, let page = OggPage.next(in: file, from: place, most: 4 << 20) {
      // In each link, the first pages of all its streams come before any other page.
      if page.isFirst, !isHeader { starts.append(page.place) }
      if starts.count > OggLinks.most { break }
      isHeader = page.isFirst
      place = page.place + Int64(page.size)
    }
    if starts.count > OggLinks.most {
      rest = file.size - starts.removeLast()
    } else if place >= OggLinks.mostSearched {
      rest = file.size - place
    }
    let end = file.size - rest
    for (number, start) in starts.enumerated() {
      ranges.append(start..<(number + 1 < starts.count ? starts[number + 1] : end))
    }
    if ranges.isEmpty { ranges = [0..<file.size] }
  }

  /// Whether a sampled page belongs to a stream that does not begin at the file's beginning, or granule positions of a
  /// stream decrease.
  private static func mayBeChained(_ file: RegularFile) -> Bool {
    var serials: Set<UInt64> = []
    var place: Int64 = 0
    while serials.count < 64, let page = OggPage(of: file, at: place), page.isFirst {
      serials.insert(page.serial)
      place += Int64(page.size)
    }
    // The first link may be short, so places near the beginning are sampled as well.
    let places = [64, 32, 16].map { file.size / $0 } + (1..<8).map { file.size / 8 * $0 }
    var lastGranules: [UInt64: Int64] = [:]
    func isOfLaterLink(_ page: OggPage) -> Bool {
      guard let number = page.granule else { return !serials.contains(page.serial) }
      defer { lastGranules[page.serial] = number }
      return !serials.contains(page.serial) || number < lastGranules[page.serial, default: 0]
    }
    for place in places {
      if let page = OggPage.next(in: file, from: place, most: 2 * OggPage.most), isOfLaterLink(page) {
        return true
      }
    }
    // In a file below about 1 MB this place lies before the last one above, so that granule positions decrease: such
    // files are always searched, which takes little time.
    place = max(0, file.size - Int64(2 * OggPage.most))
    while let page = OggPage.next(in: file, from: place, most: 2 * OggPage.most) {
      if isOfLaterLink(page) { return true }
      place = page.place + Int64(page.size)
    }
    return false
  }
}
