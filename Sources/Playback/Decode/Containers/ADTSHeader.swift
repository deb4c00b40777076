/// The ADTS header of an AAC frame without a container (ISO 14496-3, 1.A.2.2). [any]
struct ADTSHeader: Equatable {
  /// Bytes of the frame, header included.
  let size: Int
  /// Samples per channel, of the core without SBR.
  let samples: Int
  /// Sample rate of the core in Hz.
  let rate: Int

  private static let rates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]
  /// Bytes of a header without checksum.
  static let count = 7

  /// Reads a header at a place; nil where there is none.
  init?(_ bytes: [UInt8], at place: Int = 0) {
    guard place >= 0, place + ADTSHeader.count <= bytes.count else { return nil }
    // The sync word: twelve 1 bits, and a layer of 0.
    guard bytes[place] == 0xFF, bytes[place + 1] & 0xF6 == 0xF0 else { return nil }
    let index = Int(bytes[place + 2] >> 2 & 0xF)
    guard index < ADTSHeader.rates.count else { return nil }
    let size =
      Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
    guard size > ADTSHeader.count else { return nil }
    self.size = size
    samples = 1024 * (Int(bytes[place + 6] & 3) + 1)
    rate = ADTSHeader.rates[index]
  }
}
