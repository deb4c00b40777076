/// Room for samples, channel by channel: float32, full scale 1.0.
///
/// [one] A plain pointer struct; whoever makes one keeps the memory alive.
public struct PlanarSamples {
  /// The first channel's first sample.
  public let base: UnsafeMutablePointer<Float>
  /// Floats from one channel's first sample to the next channel's.
  public let stride: Int
  /// Channels, at least 1.
  public let channels: Int

  /// Describes room that exists already.
  ///
  /// - Parameters:
  ///   - base: the first channel's first sample.
  ///   - stride: floats from one channel to the next.
  ///   - channels: at least 1.
  public init(base: UnsafeMutablePointer<Float>, stride: Int, channels: Int) {
    self.base = base
    self.stride = stride
    self.channels = channels
  }

  /// The first sample of a channel, counted from 0.
  public subscript(channel: Int) -> UnsafeMutablePointer<Float> { base + channel * stride }

  /// The same room without its first samples.
  ///
  /// - Parameter count: samples per channel.
  public func dropFirst(_ count: Int) -> PlanarSamples {
    PlanarSamples(base: base + count, stride: stride, channels: channels)
  }
}
