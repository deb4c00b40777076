/// The codecs whose frames follow each other without a container. Each frame has a header that states its size. [any]
enum FrameCoding: Equatable {
  /// AAC.
  case adts
  /// MPEG audio, layers 1 to 3.
  case mpeg
  /// AC-3.
  case ac3

  /// Bytes of a header that are read.
  var headerBytes: Int {
    switch self {
    case .adts: ADTSHeader.count
    case .mpeg: 4
    case .ac3: 6
    }
  }

  /// Reads a header at a place; nil if there is none.
  func header(_ bytes: [UInt8], at place: Int = 0) -> FrameHeader? {
    switch self {
    case .adts:
      ADTSHeader(bytes, at: place).map {
        FrameHeader(size: $0.size, samples: $0.samples, rate: $0.rate, bits: 0, codec: "aac", kind: 0)
      }
    case .mpeg: FrameHeader(mpeg: bytes, at: place)
    case .ac3: FrameHeader(ac3: bytes, at: place)
    }
  }
}

/// The header of a frame. [any]
struct FrameHeader: Equatable {
  /// Bytes of the frame with its header.
  let size: Int
  /// Samples per channel that it decodes to; for AAC those of the core without SBR.
  let samples: Int
  /// Sample rate in Hz.
  let rate: Int
  /// Bit rate in bits per second if it is constant; 0 if the header does not state it.
  let bits: Int
  /// FFmpeg's name of the codec.
  let codec: String
  /// Header fields that are the same in all frames of a stream.
  let kind: UInt32
}

// MARK: - MPEG audio (ISO 11172-3, 2.4.2.3, and 13818-3)

extension FrameHeader {
  /// Reads the header of layer 1, 2 or 3; nil if there is none, or if it has a free-format size.
  init?(mpeg bytes: [UInt8], at place: Int) {
    guard place >= 0, place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE0 == 0xE0 else {
      return nil
    }
    let (second, third) = (bytes[place + 1], bytes[place + 2])
    // Version codes: 0 is 2.5, 2 is 2, 3 is 1. Layer codes: 3 is layer 1, 1 is layer 3.
    let (version, layer) = (Int(second >> 3 & 3), 4 - Int(second >> 1 & 3))
    let (bitIndex, rateIndex) = (Int(third >> 4), Int(third >> 2 & 3))
    guard version != 1, layer != 4, (1...14).contains(bitIndex), rateIndex != 3 else { return nil }
    let isFirst = version == 3
    let rate = [44100, 48000, 32000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let bits =
      1000 * (isFirst ? FrameHeader.bits[layer - 1] : FrameHeader.halfBits[min(1, layer - 1)])[bitIndex]
    let padding = Int(third >> 1 & 1)
    samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    size = layer == 1 ? (12 * bits / rate + padding) * 4 : samples / 8 * bits / rate + padding
    self.rate = rate
    self.bits = bits
    codec = "mp\(layer)"
    // Version, layer and rate.
    kind = UInt32(second & 0xFE) << 8 | UInt32(third & 0x0C)
  }

  /// kbit/s of version 1, layer × bit rate index.
  private static let bits = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  /// kbit/s of versions 2 and 2.5: layer 1, then layers 2 and 3.
  private static let halfBits = [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}

// MARK: - AC-3 (ATSC A/52, 5.3)

extension FrameHeader {
  /// Reads the header of AC-3; nil if there is none, and for E-AC-3.
  init?(ac3 bytes: [UInt8], at place: Int) {
    guard place >= 0, place + 6 <= bytes.count, bytes[place] == 0x0B, bytes[place + 1] == 0x77 else {
      return nil
    }
    let (rateIndex, sizeIndex) = (Int(bytes[place + 4] >> 6), Int(bytes[place + 4] & 0x3F))
    guard rateIndex != 3, sizeIndex < 38, bytes[place + 5] >> 3 <= 8 else { return nil }
    let bits = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ][sizeIndex / 2]
    rate = [48000, 44100, 32000][rateIndex]
    samples = 1536
    // At 44.1 kHz the size is rounded down to whole 16-bit words, and every other frame may have one word more.
    self.bits = 1000 * bits
    size = 2 * (bits * 1000 * samples / 16 / rate + (rateIndex == 1 ? sizeIndex & 1 : 0))
    codec = "ac3"
    kind = UInt32(rateIndex)
  }
}
