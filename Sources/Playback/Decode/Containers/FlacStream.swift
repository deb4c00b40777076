import System

/// The header of a FLAC file (STREAMINFO) and the end that its last frame implies (RFC 9639). [any]
struct FlacStream {
  /// Sample rate in Hz and channels, as the header states them.
  let rate: Int
  let channels: Int
  /// Samples per channel; nil if the header leaves that open.
  let frames: Int64?
  /// Byte offset of the first frame.
  let soundStart: Int64
  /// Samples per channel of a block; nil if blocks differ.
  private let block: Int64?

  /// The end of a stream: its length in samples per channel, with the format of the last frame.
  struct End: Equatable {
    let frames: Int64
    let rate: Int
    let channels: Int
  }

  /// Reads the header; nil for another kind of file.
  init?(of file: RegularFile) {
    var place = DecoderChoice.afterTags(of: file)
    guard file.bytes(at: place, count: 4).has("fLaC") else { return nil }
    place += 4
    let info = file.bytes(at: place, count: 4 + 34)
    guard info.count == 38, info[0] & 0x7F == 0, let wide = info.big(14, 8), let least = info.big(4, 2),
      let most = info.big(6, 2)
    else { return nil }
    rate = Int(wide >> 44)
    channels = Int(wide >> 41 & 7) + 1
    frames = wide & 0xF_FFFF_FFFF == 0 ? nil : Int64(wide & 0xF_FFFF_FFFF)
    block = least == most ? Int64(least) : nil
    for _ in 0..<1000 {
      let head = file.bytes(at: place, count: 4)
      guard let size = head.big(1, 3) else { break }
      place += 4 + Int64(size)
      if head[0] & 0x80 != 0 { break }
    }
    soundStart = place
  }

  /// Whether no frame follows the header.
  func isBare(_ file: RegularFile) -> Bool { soundStart >= SoundTags.soundEnd(of: file) }

  /// The end that the header states.
  var stated: End? { frames.map { End(frames: $0, rate: rate, channels: channels) } }

  /// Bytes at the end of the file in which the last frame is searched.
  private static let mostSearched = 1 << 18

  /// The end by the last frame; nil if the file ends in other data, or within a frame.
  func end(of file: RegularFile) -> End? {
    let end = SoundTags.soundEnd(of: file)
    let start = max(soundStart, end - Int64(FlacStream.mostSearched))
    guard end > start else { return nil }
    let bytes = file.bytes(at: start, count: Int(end - start))
    // Few other bytes look like the header of a frame, but each of them costs a checksum.
    var left = 64
    for place in bytes.indices.reversed() where bytes[place] == 0xFF {
      guard let head = FlacFrame(bytes, at: place, in: self) else { continue }
      left -= 1
      if left < 0 { return nil }
      guard FlacFrame.checksum(bytes[place...]) == 0 else { continue }
      let number =
        head.isCounted ? head.number.multipliedReportingOverflow(by: block ?? 0).partialValue : head.number
      guard head.isCounted ? block != nil : true, number < AudioFormat.mostSamples else { return nil }
      return End(frames: number + head.samples, rate: head.rate, channels: head.channels)
    }
    return nil
  }
}

/// The header of a frame of FLAC (RFC 9639, 9.1). [any]
struct FlacFrame {
  /// The number of the frame, or of its first sample.
  let number: Int64
  /// Whether `number` counts frames, not samples.
  let isCounted: Bool
  let samples: Int64
  let rate: Int
  let channels: Int

  /// Reads a header; nil without one, or if its checksum is wrong.
  init?(_ bytes: [UInt8], at place: Int, in stream: FlacStream) {
    guard place + 6 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8 else { return nil }
    isCounted = bytes[place + 1] & 1 == 0
    let (blockCode, rateCode) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] & 15))
    let channelCode = Int(bytes[place + 3] >> 4)
    guard blockCode != 0, rateCode != 15, channelCode < 11, bytes[place + 3] & 1 == 0 else { return nil }
    // The number is encoded as in UTF-8, in up to seven bytes.
    let first = bytes[place + 4]
    let more = first < 0x80 ? 0 : (~first).leadingZeroBitCount - 1
    guard (0...6).contains(more), first < 0x80 || more > 0, place + 5 + more < bytes.count else { return nil }
    var number = Int64(first < 0x80 ? first : first & (0x7F >> UInt8(min(7, more + 1))))
    for index in 0..<more {
      guard bytes[place + 5 + index] & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(bytes[place + 5 + index] & 0x3F)
    }
    self.number = number
    var at = place + 5 + more
    func take(_ width: Int) -> Int? {
      defer { at += width }
      return bytes.big(at, width).map { Int($0) }
    }
    switch blockCode {
    case 1: samples = 192
    case 2...5: samples = 576 << Int64(blockCode - 2)
    case 6: samples = Int64(take(1) ?? 0) + 1
    case 7: samples = Int64(take(2) ?? 0) + 1
    default: samples = 256 << Int64(blockCode - 8)
    }
    switch rateCode {
    case 0: rate = stream.rate
    case 12: rate = 1000 * (take(1) ?? 0)
    case 13: rate = take(2) ?? 0
    case 14: rate = 10 * (take(2) ?? 0)
    default: rate = FlacFrame.rates[rateCode]
    }
    channels = channelCode < 8 ? channelCode + 1 : 2
    guard at < bytes.count, FlacFrame.checksum8(bytes[place..<at]) == bytes[at] else { return nil }
  }

  private static let rates = [
    0, 88200, 176_400, 192_000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 0, 0, 0, 0,
  ]

  private static func checksum8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(UInt8(0)) { sum, byte in
      (0..<8).reduce(sum ^ byte) { rest, _ in rest << 1 ^ (rest & 0x80 == 0 ? 0 : 0x07) }
    }
  }

  /// The CRC-16 of a frame and of its own checksum behind it; 0 if the frame is intact.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(UInt16(0)) { sum, byte in sum << 8 ^ table[Int(UInt8(sum >> 8) ^ byte)] }
  }

  /// The table of CRC-16 with polynomial 0x8005.
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { rest, _ in rest << 1 ^ (rest & 0x8000 == 0 ? 0 : 0x8005) }
  }
}
