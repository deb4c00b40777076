/// Makes the packets of pixels in one protocol. [one]
protocol PixelPackets: AnyObject {
  /// The bytes of each part, which is sent when it changes: a universe, or all LEDs of a device.
  var parts: [Range<Int>] { get }
  /// The outlet of a destination by which a part is sent.
  func outlet(of part: Int) -> Int
  /// Makes the packets of a part from the bytes of all LEDs, at a time of the timeline. Each is valid until the next;
  /// `take` returns whether to go on.
  func make(
    _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
    _ take: (UnsafeRawBufferPointer) -> Bool)
  /// The next packet that ends a part; nil where the protocol has none.
  func makeEnd(_ part: Int) -> UnsafeRawBufferPointer?
}

extension PixelPackets {
  func outlet(of part: Int) -> Int { part }
  func makeEnd(_ part: Int) -> UnsafeRawBufferPointer? { nil }
}

/// All LEDs of a device as one part. [one]
final class DevicePackets: PixelPackets {
  /// Makes the packets of all bytes while the callback returns true.
  typealias Make = (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Bool) -> Void
  let parts: [Range<Int>]
  private let make: Make

  init(count: Int, _ make: @escaping Make) { (parts, self.make) = ([0..<count], make) }

  func make(
    _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) { make(bytes, take) }
}
