/// A sound as a plan's table has it. [audio]
struct SoundSlot: BitwiseCopyable {
  /// The number of the sound's name.
  let number: Int
  /// The first channel's first sample.
  let samples: UnsafePointer<Float>
  /// Floats from one channel to the next.
  let stride: Int
  /// Channels: 1 sounds in all of the bank's.
  let channels: Int
  /// Samples per channel.
  let count: Int
  /// What the samples are multiplied with.
  let factor: Float
  /// Whether it ends itself when it is fired again.
  let retriggers: Bool

  /// The row of a free voice.
  static var none: SoundSlot {
    SoundSlot(
      number: 0, samples: UnsafePointer(bitPattern: 64)!, stride: 0, channels: 0, count: 0, factor: 0,
      retriggers: false)
  }

  /// The samples that go into a channel of the bank; nil when it has none for it.
  @inline(__always) @_noLocks
  func source(_ channel: Int) -> UnsafePointer<Float>? {
    if channels == 1 { return samples }
    return channel < channels ? samples + channel &* stride : nil
  }
}
