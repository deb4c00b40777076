/// The pages of an Ogg file (RFC 3533), as far as they tell where the last one begins. [control]
struct OggPages {
  /// The sample at which the last page with sound begins; nil where it is the only one or cannot be found.
  private(set) var startOfLast: Int64?

  /// The end of the file that is looked through; a page has at most 65,307 bytes.
  private static let most = 4 * 65_536

  init(_ file: RegularFile) {
    let head = file.bytes(at: 0, count: 27)
    guard head.has("OggS"), let serial = head.little(14, 4) else { return }
    let tail = file.bytes(at: max(0, file.size - Int64(OggPages.most)), count: OggPages.most)
    var ends: [Int64] = []
    var place = tail.count - 27
    while place >= 0, ends.count < 2 {
      if tail[place] == 0x4F, tail.has("OggS", at: place), tail.little(place + 14, 4) == serial,
        let end = tail.little(place + 6, 8).flatMap({ Int64(exactly: $0) }), end > 0
      {
        ends.append(end)
      }
      place -= 1
    }
    if ends.count == 2, ends[1] < ends[0] { startOfLast = ends[1] }
  }
}
