import NIOCore
import Realtime
import Testing

@testable import Viewer

/// The sound that pages watch, as messages.
@Suite struct SoundHubTests {
  /// The place of the first sample of a message, and its samples; nil if the header is wrong.
  private func taken(_ message: ByteBuffer) -> (place: Int64, samples: [Float])? {
    var message = message
    guard message.readInteger(as: UInt8.self) == 7, message.readInteger(as: UInt8.self) == 1,
      message.readInteger(as: UInt16.self) == 0,
      let size = message.readInteger(endianness: .little, as: UInt32.self),
      Int(size) == message.readableBytes,
      message.readInteger(endianness: .little, as: UInt32.self) == 48_000,
      let place = message.readInteger(endianness: .little, as: Int64.self)
    else { return nil }
    var samples: [Float] = []
    while let bits = message.readInteger(endianness: .little, as: UInt32.self) {
      samples.append(Float(bitPattern: bits))
    }
    return (place, samples)
  }

  @Test(arguments: [(1, [1]), (4096, [4096]), (8192, [4096, 4096]), (8193, [4096, 4096, 1])])
  func `every sample of a long cycle is sent, in messages of 4096`(count: Int, sizes: [Int]) {
    let tap = SampleTap(channels: 1, minimumCapacity: 32_768)
    let sound = (0..<count).map { Float($0) }
    #expect(tap.writer.begin(at: 1000, count))
    tap.writer.write(channel: 0, sound, count: count)
    tap.writer.commit(count)
    let messages = SoundHub.records(of: tap.reader, rate: 48_000).compactMap(taken)
    #expect(messages.map(\.samples.count) == sizes)
    #expect(messages.map(\.place) == sizes.indices.map { 1000 + Int64($0) * 4096 })
    #expect(messages.flatMap(\.samples) == sound)
    #expect(SoundHub.records(of: tap.reader, rate: 48_000).isEmpty)
  }
}
