/// What stands around the messages of a bundle. [any]
public enum BundleWriter {
  /// The bytes before the first message: `#bundle`, a zero, the time tag.
  public static let headSize = 16
  /// The bytes before each message: its size.
  public static let elementHeadSize = 4

  /// Begins a bundle behind what is there.
  public static func begin(_ bytes: inout [UInt8], at time: TimeTag = .immediate) {
    bytes += "#bundle\0".utf8
    append(UInt32(time.rawValue >> 32), to: &bytes)
    append(UInt32(truncatingIfNeeded: time.rawValue), to: &bytes)
  }

  /// Adds a message, or a bundle, to the bundle that was begun.
  @inlinable public static func add(_ packet: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(UInt32(packet.count), to: &bytes)
    bytes += packet
  }

  /// Appends a number as packets have it, the highest byte first.
  @inlinable public static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
