import Engine
import Graphs
import Rendering

/// The sound of a video: all jack-outputs mixed into one signal. [control]
final class RenderSound {
  let sound: VideoWriter.Sound
  /// A message about channels that were mixed together; nil: none were.
  let note: String?
  /// For each port, its channel in the video.
  private let channels: [Int]
  /// For each port, the linear factor of its samples.
  private let gains: [Float]
  /// Mixed samples since the last `release`, interleaved by channel.
  private var waiting: [Float] = []

  /// Nil when no port is an output.
  init?(_ ports: [HostPort], rate: Int) {
    let outputs = ports.filter { $0.direction == .output }
    guard !outputs.isEmpty else { return nil }
    // The name of a port ends in the number of its channel.
    let numbers = outputs.map { port in Int(port.name.split(separator: "_").last ?? "") ?? 1 }
    let width = numbers.max() ?? 1
    if width <= VideoFormat.mostChannels {
      channels = numbers.map { $0 - 1 }
      gains = numbers.map { _ in 1 }
      note = nil
      sound = VideoWriter.Sound(rate: rate, channels: width)
    } else {
      channels = numbers.map { ($0 - 1) % 2 }
      // Equal power: n signals that are not correlated, each times 1/√n, are as loud as one.
      gains = numbers.map { number in 1 / Float(number % 2 == 1 ? (width + 1) / 2 : width / 2).squareRoot() }
      note =
        "the sound has \(width) channels and a film keeps \(VideoFormat.mostChannels) apart: odd ones are heard on "
        + "the left, even ones on the right"
      sound = VideoWriter.Sound(rate: rate, channels: 2)
    }
  }

  /// Mixes in `count` samples of each output port. `samples` has a pointer for each port.
  func take(_ samples: UnsafeBufferPointer<UnsafePointer<Float>>, _ count: Int) {
    let width = sound.channels
    let start = waiting.count
    waiting.append(contentsOf: repeatElement(0, count: count * width))
    waiting.withUnsafeMutableBufferPointer { waiting in
      for (port, samples) in samples.enumerated() {
        let gain = gains[port]
        var place = start + channels[port]
        for index in 0..<count {
          waiting[place] += samples[index] * gain
          place += width
        }
      }
    }
  }

  /// Returns the mixed samples since the last call, interleaved by channel and clamped to ±1; NaN becomes 0.
  func release() -> [Float] {
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting.map { $0 > -1 ? min($0, 1) : $0 <= -1 ? -1 : 0 }
  }
}
