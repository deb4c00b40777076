/// RIFF WAVE files, made byte by byte, the same on every machine.
public enum Wave {
  /// The format of a sample.
  public enum Coding: CaseIterable, Sendable {
    case pcm16, pcm24, float

    /// Bytes of one sample.
    var width: Int {
      switch self {
      case .pcm16: 2
      case .pcm24: 3
      case .float: 4
      }
    }
  }

  /// A file of 32-bit floats from channels of one length.
  public static func bytes(_ channels: [[Float]], rate: Int = 48_000) -> [UInt8] {
    let (width, frames) = (channels.count, channels.first?.count ?? 0)
    let interleaved = [Float](unsafeUninitializedCapacity: width * frames) { samples, count in
      for (number, channel) in channels.enumerated() {
        for frame in 0..<frames { samples[frame * width + number] = channel[frame] }
      }
      count = width * frames
    }
    return bytes(interleaved, channels: width, rate: rate)
  }

  /// A file of interleaved samples; `stated` overrides the number of data bytes in the header.
  public static func bytes(
    _ samples: [Float], channels: Int, rate: Int = 48_000, as coding: Coding = .float, stated: UInt32? = nil
  ) -> [UInt8] {
    let (width, size) = (coding.width, samples.count * coding.width)
    // An empty array has no memory of its own to be filled.
    let data =
      samples.isEmpty
      ? []
      : [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
        for (place, sample) in samples.enumerated() {
          let word =
            switch coding {
            case .pcm16: UInt32(truncatingIfNeeded: Int16(sample * 32_768))
            case .pcm24: UInt32(bitPattern: Int32(sample * 8_388_608))
            case .float: sample.bitPattern
            }
          for byte in 0..<width {
            bytes[place * width + byte] = UInt8(truncatingIfNeeded: word >> (8 * byte))
          }
        }
        count = size
      }
    return header(channels: channels, rate: rate, as: coding, dataBytes: stated ?? UInt32(size)) + data
  }

  /// The header of a file, which states `dataBytes` of samples.
  public static func header(
    channels: Int, rate: Int = 48_000, as coding: Coding = .float, dataBytes: UInt32
  ) -> [UInt8] {
    let width = coding.width
    var bytes = Array("RIFF".utf8) + little(36 &+ dataBytes) + Array("WAVEfmt ".utf8) + little(UInt32(16))
    bytes += little(UInt16(coding == .float ? 3 : 1)) + little(UInt16(channels)) + little(UInt32(rate))
    bytes += little(UInt32(truncatingIfNeeded: rate * channels * width))
    bytes += little(UInt16(truncatingIfNeeded: channels * width)) + little(UInt16(8 * width))
    return bytes + Array("data".utf8) + little(dataBytes)
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
