/// The packets of pixels by DDP (Distributed Display Protocol, version 1, 3waylabs): a header of ten bytes, then the
/// bytes of LEDs. The last packet of a frame has the push flag, at which devices show the frame. [one]
public final class DdpPackets {
  /// The port that devices listen on.
  public static let port: UInt16 = 4048
  /// Maximum bytes of LEDs in a packet; a multiple of 3 and of 4.
  public static let most = 1440

  /// The data type of a frame.
  public enum Form: UInt8, Sendable {
    /// Red, green, blue, eight bits each.
    case rgb = 0x0B
    /// Red, green, blue, white.
    case rgbw = 0x1B
    /// Anything else.
    case undefined = 0
  }

  private static let header = 10
  private static let version: UInt8 = 0x40
  private static let push: UInt8 = 0x01

  private let packet: PacketWriter
  private let form: Form
  private let device: UInt8
  private let first: Int
  private let size: Int
  private let sequence: PacketSequence

  /// New sequence numbers of a device's frames: 1…15, repeated.
  public static func newSequence() -> PacketSequence { PacketSequence(to: 15) }

  /// Makes packets of LEDs with `bytes` bytes each. `device` is the destination id, 1 for the display itself. `first`
  /// is the offset of the first byte there. Frames with a common `sequence` share its numbers.
  public init(
    bytes: Int, device: UInt8 = 1, first: Int = 0, sequence: PacketSequence = DdpPackets.newSequence()
  ) {
    self.sequence = sequence
    packet = PacketWriter(count: Self.header + Self.most)
    form = bytes == 3 ? .rgb : bytes == 4 ? .rgbw : .undefined
    (self.device, self.first) = (device, first)
    size = Self.most / bytes * bytes
  }

  deinit { packet.bytes.deallocate() }

  /// Makes the packets of a frame, each valid until the next, while `take` returns true. All of a frame have one
  /// sequence number: devices drop late packets by comparing it to that of the last frame shown.
  public func make(of bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) {
    let number = sequence.next()
    var place = 0
    repeat {
      let count = min(size, bytes.count - place)
      let isLast = place + count == bytes.count
      packet.put(Self.version | (isLast ? Self.push : 0), at: 0)
      packet.put(number, at: 1)
      packet.put(form.rawValue, at: 2)
      packet.put(device, at: 3)
      packet.put(UInt32(truncatingIfNeeded: first + place), at: 4)
      packet.put(UInt16(count), at: 8)
      UnsafeMutableRawBufferPointer(rebasing: packet.bytes[Self.header...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
      guard take(UnsafeRawBufferPointer(rebasing: packet.bytes[..<(Self.header + count)])) else { return }
      place += count
    } while place < bytes.count
  }
}
