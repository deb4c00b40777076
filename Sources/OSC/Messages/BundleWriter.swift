/// Writes the headers of a bundle and of its elements. [any]
public enum BundleWriter {
  /// Bytes before the first element: `#bundle`, a zero, and the time tag.
  public static let headSize = 16
  /// Bytes before each element: its size.
  public static let elementHeadSize = 4

  /// Appends the header of a bundle.
  public static func begin(_ bytes: inout [UInt8], at time: TimeTag = .immediate) {
    bytes += "#bundle\0".utf8
    append(UInt32(time.rawValue >> 32), to: &bytes)
    append(UInt32(truncatingIfNeeded: time.rawValue), to: &bytes)
  }

  /// Appends a message or a bundle as an element of the bundle begun before.
  @inlinable public static func add(_ packet: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(UInt32(packet.count), to: &bytes)
    bytes += packet
  }

  /// Appends a number in big-endian order.
  @inlinable public static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
