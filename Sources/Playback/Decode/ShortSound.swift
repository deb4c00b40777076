/// A play so short that it is kept in memory: a loop of one sample would else rewind its file 48,000 times a second.
///
/// [one]
final class ShortSound {
  /// Samples per channel that a play may have at most.
  static let longest = 4096

  private let buffer: PlanarBuffer
  private var count = 0
  private var position = 0

  init(channels: Int) { buffer = PlanarBuffer(channels: channels, count: ShortSound.longest) }

  /// Keeps further samples of a play, the first of which lies `offset` samples from its beginning.
  func note(_ samples: PlanarSamples, count: Int, at offset: Int64) {
    guard offset < Int64(ShortSound.longest) else { return }
    let start = Int(offset)
    let kept = min(count, ShortSound.longest - start)
    for channel in 0..<samples.channels {
      (buffer.samples[channel] + start).update(from: samples[channel], count: kept)
    }
    self.count = start + kept
    position = self.count
  }

  /// Gives the kept play's next samples; fewer than wanted only at its end.
  func read(_ wanted: Int, into destination: PlanarSamples) -> Int {
    let given = min(wanted, count - position)
    buffer.copy(from: position, count: given, to: destination)
    position += given
    return given
  }

  /// Goes back to the play's first sample.
  func rewind() { position = 0 }
}
