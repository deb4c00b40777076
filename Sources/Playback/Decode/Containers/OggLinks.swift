import System

/// The links of a chained Ogg file: streams that were written one behind the other (RFC 3533, 4). [one]
struct OggLinks {
  /// Where each begins and ends; one for a file that is not chained.
  private(set) var parts: [Range<Int64>] = []
  /// Bytes behind the last link that were not looked at.
  private(set) var rest: Int64 = 0

  /// The most links that are taken: an evening of radio has some hundred.
  static let most = 500
  /// Bytes of a chained file that are gone through.
  private static let mostSearched: Int64 = 256 << 20

  /// Looks at a few places of a file; one that may be chained is gone through.
  init(of file: RegularFile) {
    guard OggLinks.mayBeChained(file) else {
      parts = [0..<file.size]
      return
    }
    var starts: [Int64] = []
    var place: Int64 = 0
    var isHeader = false
    while place < OggLinks.mostSearched, let page = OggPage.next(in: file, from: place, most: 4 << 20) {
      // The first pages of all streams of a link come before anything else of it.
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
      parts.append(start..<(number + 1 < starts.count ? starts[number + 1] : end))
    }
    if parts.isEmpty { parts = [0..<file.size] }
  }

  /// Whether the last page belongs to a stream that does not begin the file, or the numbers of a stream's pages fall.
  private static func mayBeChained(_ file: RegularFile) -> Bool {
    var serials: Set<UInt64> = []
    var place: Int64 = 0
    while serials.count < 64, let page = OggPage(of: file, at: place), page.isFirst {
      serials.insert(page.serial)
      place += Int64(page.size)
    }
    // A link at the very beginning may be short.
    let places = [64, 32, 16].map { file.size / $0 } + (1..<8).map { file.size / 8 * $0 }
    var numbers: [UInt64: Int64] = [:]
    func isOdd(_ page: OggPage) -> Bool {
      guard let number = page.granule else { return !serials.contains(page.serial) }
      defer { numbers[page.serial] = number }
      return !serials.contains(page.serial) || number < numbers[page.serial, default: 0]
    }
    for place in places {
      if let page = OggPage.next(in: file, from: place, most: 2 * OggPage.most), isOdd(page) { return true }
    }
    place = max(0, file.size - Int64(2 * OggPage.most))
    while let page = OggPage.next(in: file, from: place, most: 2 * OggPage.most) {
      if isOdd(page) { return true }
      place = page.place + Int64(page.size)
    }
    return false
  }
}
