/// The information frame of Xing, LAME or Fraunhofer (VBRI) at the beginning of an MPEG stream: its length, and the
/// samples to trim. [any]
///
/// It may be wrong: the file may have been cut since, or the encoder has not filled it in.
struct MPEGHead: Equatable {
  /// Frames that follow, if it says so.
  var frames: Int?
  /// Bytes of the stream, this frame included, if it says so.
  var bytes: Int64?
  /// Samples per channel that the encoder added at the front and behind, if it says so.
  var gap: (front: Int, behind: Int)?

  /// Delay of a layer 3 decoder, in samples.
  static let decoderDelay = 529

  static func == (one: MPEGHead, other: MPEGHead) -> Bool {
    one.frames == other.frames && one.bytes == other.bytes && one.gap?.front == other.gap?.front
      && one.gap?.behind == other.gap?.behind
  }

  /// Reads the first frame; nil if it is sound.
  init?(frame bytes: [UInt8]) {
    guard bytes.count > 40 else { return nil }
    let (isFirst, isMono) = (bytes[1] >> 3 & 3 == 3, bytes[3] >> 6 == 3)
    // The tag follows the side information of layer 3, which some encoders count with its checksum of two bytes and
    // some without.
    let side = 4 + (isFirst ? isMono ? 17 : 32 : isMono ? 9 : 17)
    for place in [side, side + 2] where bytes.has("Xing", at: place) || bytes.has("Info", at: place) {
      readXing(bytes, place)
      return
    }
    guard bytes.has("VBRI", at: 36) else { return nil }
    self.bytes = bytes.big(46, 4).map(Int64.init)
    frames = bytes.big(50, 4).map(Int.init)
  }

  private mutating func readXing(_ all: [UInt8], _ start: Int) {
    guard let flags = all.big(start + 4, 4) else { return }
    var place = start + 8
    if flags & 1 != 0 {
      frames = all.big(place, 4).map(Int.init)
      place += 4
    }
    if flags & 2 != 0 {
      bytes = all.big(place, 4).map(Int64.init)
      place += 4
    }
    if flags & 4 != 0 { place += 100 }
    if flags & 8 != 0 { place += 4 }
    guard all.has("LAME", at: place) || all.has("Lavf", at: place) || all.has("Lavc", at: place),
      let gap = all.big(place + 21, 3)
    else { return }
    self.gap = (Int(gap >> 12), Int(gap & 0xFFF))
  }
}
