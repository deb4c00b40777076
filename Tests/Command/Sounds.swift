import Foundation
import TestSupport

/// Audio files made byte by byte, the same everywhere.
enum Sounds {
  /// A RIFF WAVE file of 32-bit floats.
  static func wave(_ channels: [[Float]], rate: Int = 48000) -> Data {
    let frames = channels.first?.count ?? 0
    var data = Data()
    for frame in 0..<frames { for channel in channels { append(channel[frame].bitPattern, to: &data) } }
    return header(channels: channels.count, rate: rate, dataBytes: data.count) + data
  }

  /// Its header alone, stating `dataBytes` of samples.
  static func header(channels: Int, rate: Int = 48000, dataBytes: Int) -> Data {
    var head = Data("RIFF".utf8)
    append(UInt32(36 + dataBytes), to: &head)
    head += Data("WAVEfmt ".utf8)
    append(UInt32(16), to: &head)
    append(UInt16(3), to: &head)
    append(UInt16(channels), to: &head)
    append(UInt32(rate), to: &head)
    append(UInt32(rate * channels * 4), to: &head)
    append(UInt16(channels * 4), to: &head)
    append(UInt16(32), to: &head)
    head += Data("data".utf8)
    append(UInt32(dataBytes), to: &head)
    return head
  }

  /// Something lively: bursts of a tone on the left, swelling noise on the right.
  static func lively(seconds: Double, rate: Int = 48000) -> [[Float]] {
    let count = Int(seconds * Double(rate))
    var state: UInt32 = 1
    let left = (0..<count).map { i -> Float in
      let isOn = i / (rate / 5) % 2 == 0
      return isOn ? Float(sin(Double(i) * 2 * .pi * 440 / Double(rate))) * 0.8 : 0
    }
    let right = (0..<count).map { i -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / 8_388_608 - 1) * Float(i % rate) / Float(rate)
    }
    return [left, right]
  }

  private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }
}

extension TemporaryFolder {
  /// Writes bytes and gives the path.
  @discardableResult
  func write(_ bytes: Data, to name: String) throws -> String {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}
