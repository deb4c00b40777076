/// A sound in the table of a plan. [audio]
struct SoundSlot: BitwiseCopyable {
  /// The number of the sound's name.
  let number: Int
  /// The first sample of the first channel.
  let samples: UnsafePointer<Float>
  /// Offset from one channel to the next, in floats.
  let stride: Int
  /// The number of channels; a single one is played on all channels of the bank.
  let channels: Int
  /// Samples per channel.
  let count: Int
  /// The gain.
  let factor: Float
  /// Whether a new firing stops it.
  let retriggers: Bool

  /// The sound of a free voice.
  static var none: SoundSlot {
    SoundSlot(
      number: 0, samples: UnsafePointer(bitPattern: 64)!, stride: 0, channels: 0, count: 0, factor: 0,
      retriggers: false)
  }

  /// The samples for a channel of the bank; nil where the sound has none.
  @inline(__always) @_noLocks
  func source(_ channel: Int) -> UnsafePointer<Float>? {
    if channels == 1 { return samples }
    return channel < channels ? samples + channel &* stride : nil
  }
}
