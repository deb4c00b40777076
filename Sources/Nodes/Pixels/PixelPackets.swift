/// The packets of pixels by one protocol. [one]
protocol PixelPackets: AnyObject {
  /// The bytes of each part that is sent by itself: those of a universe, or all of a device.
  var parts: [Range<Int>] { get }
  /// By which outlet of a destination a part leaves.
  func outlet(of part: Int) -> Int
  /// Makes the packets of a part of the bytes of all LEDs, at a time of the timeline, each valid until the next; `take` says
  /// whether to go on.
  func make(
    _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
    _ take: (UnsafeRawBufferPointer) -> Bool)
  /// The next of the packets that end a part; nil where the protocol has none.
  func makeEnd(_ part: Int) -> UnsafeRawBufferPointer?
}

extension PixelPackets {
  func outlet(of part: Int) -> Int { part }
  func makeEnd(_ part: Int) -> UnsafeRawBufferPointer? { nil }
}

/// All LEDs of a device as one part, frame by frame. [one]
final class DevicePackets: PixelPackets {
  /// Makes the packets of all bytes, as long as what takes them says to go on.
  typealias Make = (UnsafeRawBufferPointer, (UnsafeRawBufferPointer) -> Bool) -> Void
  let parts: [Range<Int>]
  private let make: Make

  init(count: Int, _ make: @escaping Make) { (parts, self.make) = ([0..<count], make) }

  func make(
    _ part: Int, of bytes: UnsafeRawBufferPointer, at seconds: Double,
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) { make(bytes, take) }
}
