/// What an encoder says of a whole MPEG stream in a frame without sound at its beginning, the head of Xing, LAME or
/// Fraunhofer: how long it is, and what of it is not to be heard. [any]
///
/// It is a statement: others have cut the file since, or have never filled it in.
struct MPEGHead: Equatable {
  /// Frames that follow; nil where it does not say.
  var frames: Int?
  /// Bytes of the stream with this frame; nil where it does not say.
  var bytes: Int64?
  /// Samples per channel that the encoder has put in front and behind; nil where it does not say.
  var gap: (front: Int, behind: Int)?

  /// Samples by which every decoder of layer 3 comes late.
  static let decoderDelay = 529

  static func == (one: MPEGHead, other: MPEGHead) -> Bool {
    one.frames == other.frames && one.bytes == other.bytes && one.gap?.front == other.gap?.front
      && one.gap?.behind == other.gap?.behind
  }

  /// Looks into the first frame; nil where it is one of sound.
  init?(frame bytes: [UInt8]) {
    guard bytes.count > 40 else { return nil }
    let (isFirst, isMono) = (bytes[1] >> 3 & 3 == 3, bytes[3] >> 6 == 3)
    // Behind what layer 3 has of side information, whose checksum some count and some do not.
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
