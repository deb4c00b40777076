/// The tag `iTunSMPB`: how many samples of an AAC file are to be heard. [any]
///
/// Words of hexadecimal digits: nothing, samples before the first, samples behind the last, samples that are heard.
struct ITunesGap: Equatable {
  /// Samples before the first that is heard, in the units of the track.
  let start: Int64
  /// Samples that are heard, in the units of the track.
  let count: Int64

  /// Reads the tag; nil where it makes no sense.
  init?(_ text: String) {
    let words = text.split(separator: " ").prefix(4)
    guard words.count == 4, let start = Int64(words[words.startIndex + 1], radix: 16),
      let count = Int64(words[words.startIndex + 3], radix: 16),
      (0..<480_000).contains(start), (1..<AudioFile.mostFrames).contains(count)
    else { return nil }
    self.start = start
    self.count = count
  }
}
