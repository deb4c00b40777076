/// The packet of WLED's audio sync, version 2: 44 bytes, little-endian. [one]
public final class WledSyncPacket {
  /// The port that devices listen on.
  public static let port: UInt16 = 11_988
  /// The multicast group of all devices.
  public static let group = "239.0.0.1"
  /// Bytes of a packet.
  public static let size = 44
  /// Maximum packets per second.
  public static let rate = 50.0
  /// The edges of the bands, in Hz.
  public static let edges: [Double] = [
    43, 86, 129, 216, 301, 430, 560, 818, 1120, 1421, 1895, 2412, 3015, 3704, 4479, 7106, 9259,
  ]
  /// The range of `frequency`, in Hz.
  public static let frequencies: ClosedRange<Float> = 1...11_025

  /// The fields of a packet.
  public struct Content: Equatable, Sendable {
    /// The level, 0…255.
    public var raw: Float = 0
    /// The smoothed level, 0…255.
    public var smooth: Float = 0
    /// Whether a beat has begun.
    public var isPeak = false
    /// The bands, 0…254.
    public var bands = [UInt8](repeating: 0, count: 16)
    /// The magnitude of the strongest frequency.
    public var magnitude: Float = 0
    /// The strongest frequency, in Hz.
    public var frequency: Float = 1

    /// Silence.
    public init() {}
  }

  private let packet = PacketWriter(count: size)

  /// Encodes the constant bytes.
  public init() { packet.put("00002".utf8, at: 0) }

  deinit { packet.bytes.deallocate() }

  /// The packet with this content, valid until the next call.
  public func make(_ content: Content) -> UnsafeRawBufferPointer {
    put(content.raw, at: 8)
    put(content.smooth, at: 12)
    packet.put(UInt8(content.isPeak ? 1 : 0), at: 16)
    packet.put(content.bands.prefix(16), at: 18)
    put(content.magnitude, at: 36)
    put(content.frequency, at: 40)
    return UnsafeRawBufferPointer(packet.bytes)
  }

  private func put(_ value: Float, at place: Int) { packet.put(value.bitPattern.byteSwapped, at: place) }
}
