import CKernelClones
import CRealtime
import TestSupport
import Testing

/// The gain kernel for many channels, compared with those for one channel.
@Suite struct GainKernelTests {
  /// Samples in a frame.
  private static let count = 5000
  /// Factors at the start and the end of the frame: equal for all channels, different, and constant.
  private static let factors: [(from: Float, to: Float)] = [
    (0.1, 0.7), (0.1, 0.7), (0.5, 0.5), (0.1, 0.7), (0.1, 0.2), (0.3, 0.2), (0.2, 0.3), (0, 1), (1, 1),
    (1, 0),
  ]

  @Test func `each channel has its own ramp, at any cycle length`() {
    let channels = Self.factors.count
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 3 * channels * Self.count)
    defer { samples.deallocate() }
    /// The input, the output, and the expected output.
    func lane(_ sort: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
      samples + (sort * channels + channel) * Self.count
    }
    for channel in 0..<channels {
      vg_white(lane(0, channel), 0, UInt64(channel + 1), 1, Self.count)
      for (place, odd) in [Float.nan, .infinity, -0.0, .leastNonzeroMagnitude].enumerated() {
        lane(0, channel)[1000 * place + 517] = odd
      }
      let (from, to) = Self.factors[channel]
      let one = kernel_set_of(1)
      if from == to {
        one.scale(lane(2, channel), lane(0, channel), to, Self.count)
      } else {
        one.ramp(lane(2, channel), lane(0, channel), 1, from, to, 0, UInt32(Self.count), Self.count)
      }
    }
    let (from, to) = (Self.factors.map(\.from), Self.factors.map(\.to))
    let inputs = (0..<UInt32(channels)).map { $0 }
    let outputs = inputs.map { $0 + UInt32(channels) }
    var dice = Dice(5)
    for set in MeterKernelTests.sets {
      for _ in 0..<20 {
        // A value that the kernel cannot give.
        lane(1, 0).update(repeating: Float(bitPattern: 0x7FC1_2345), count: channels * Self.count)
        var position = 0
        while position < Self.count {
          let count = min(Self.count - position, dice.cycle(upTo: 900))
          var buffers = (0..<2 * channels).map { lane($0 / channels, $0 % channels) + position }
          inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
              buffers.withUnsafeMutableBufferPointer { buffers in
                var io = vg_io(
                  inputs: inputs.baseAddress!, outputs: outputs.baseAddress!, inputCount: UInt32(channels),
                  outputCount: UInt32(channels), firstValue: 0, firstSource: 0)
                var cycle = vg_cycle(
                  buffers: buffers.baseAddress!, ownBuffers: buffers.baseAddress!,
                  ports: UnsafeMutablePointer(bitPattern: 8)!,
                  counters: samples, offset: 0, count: UInt32(count), position: UInt32(position),
                  length: UInt32(Self.count),
                  sample: 0, frame: 1)
                set.gain(&cycle, &io, from, to)
              }
            }
          }
          position += count
        }
        for channel in 0..<channels {
          let isSame = (0..<Self.count).allSatisfy {
            lane(1, channel)[$0].bitPattern == lane(2, channel)[$0].bitPattern
          }
          #expect(isSame, "channel \(channel + 1)")
        }
      }
    }
  }
}
