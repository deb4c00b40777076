import Engine
import Graphs
import Rendering

/// What the loudspeakers would play: the channels of all jack-outputs, added up. [control]
final class RenderSound {
  /// What videos are given of it.
  let sound: VideoWriter.Sound
  /// What people are shown of it; nil when there is nothing to say.
  let note: String?
  /// For each port, the channel it goes to.
  private let channels: [Int]
  private let gains: [Float]
  private var waiting: [Float] = []

  /// The sound of a plan's ports; nil when none leads out.
  init?(_ ports: [HostPort], rate: Int) {
    let outputs = ports.filter { $0.direction == .output }
    guard !outputs.isEmpty else { return nil }
    // A port's name ends in the number of its channel.
    let numbers = outputs.map { port in Int(port.name.split(separator: "_").last ?? "") ?? 1 }
    let width = numbers.max() ?? 1
    if width <= VideoFormat.mostChannels {
      channels = numbers.map { $0 - 1 }
      gains = numbers.map { _ in 1 }
      note = nil
      sound = VideoWriter.Sound(rate: rate, channels: width)
    } else {
      channels = numbers.map { ($0 - 1) % 2 }
      // As loud together as one of them alone, where they differ.
      gains = numbers.map { number in 1 / Float(number % 2 == 1 ? (width + 1) / 2 : width / 2).squareRoot() }
      note =
        "the sound has \(width) channels and a film keeps \(VideoFormat.mostChannels) apart: odd ones are heard on "
        + "the left, even ones on the right"
      sound = VideoWriter.Sound(rate: rate, channels: 2)
    }
  }

  /// Takes samples of the ports that lead out, in their order.
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

  /// What has been taken since the last time, channel by channel within each sample; loud ones end where a sound card
  /// ends.
  func release() -> [Float] {
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting.map { $0 > -1 ? min($0, 1) : $0 <= -1 ? -1 : 0 }
  }
}
