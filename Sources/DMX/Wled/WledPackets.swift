/// The packets of pixels by the UDP realtime protocol of WLED: a header of two bytes, then the bytes of LEDs. [one]
public final class WledPackets {
  /// The port that devices listen on.
  public static let port: UInt16 = 21_324
  /// Maximum bytes of a packet.
  public static let most = 1472

  /// The first byte of a packet: the format of the rest.
  public enum Mode: UInt8, Sendable, CaseIterable {
    /// For each LED its index, red, green, blue; indexes 0…255.
    case warls = 1
    /// Red, green, blue, from the first LED on.
    case drgb
    /// Red, green, blue, white, from the first LED on.
    case drgbw
    /// The index of the first LED, then red, green, blue of each.
    case dnrgb
    /// The index of the first LED, then red, green, blue, white of each.
    case dnrgbw

    /// Bytes of a LED.
    public var bytes: Int { self == .drgbw || self == .dnrgbw ? 4 : 3 }
    /// Maximum LEDs in a packet.
    public var perPacket: Int {
      switch self {
      case .warls: 255
      case .drgb: 490
      case .drgbw, .dnrgbw: 367
      case .dnrgb: 489
      }
    }
    /// The number of LEDs that the mode can address.
    public var most: Int {
      switch self {
      case .warls: 256
      case .drgb, .drgbw: perPacket
      case .dnrgb, .dnrgbw: 65_536
      }
    }
    /// Whether a packet states an index, so that LEDs may begin with another than the first.
    public var hasStart: Bool { self == .warls || self == .dnrgb || self == .dnrgbw }
  }

  private let packet = PacketWriter(count: WledPackets.most)
  private let mode: Mode
  private let first: Int

  /// Makes packets of a mode, for LEDs from the index `first` on. After `timeout` seconds without a packet a device
  /// returns to its own effects; 255: never.
  public init(_ mode: Mode, first: Int = 0, timeout: UInt8) {
    (self.mode, self.first) = (mode, first)
    packet.put(mode.rawValue, at: 0)
    packet.put(timeout, at: 1)
  }

  deinit { packet.bytes.deallocate() }

  /// The simplest mode that can address `count` LEDs of `bytes` bytes from the index `first` on; nil where none can.
  public static func mode(of count: Int, bytes: Int, first: Int) -> Mode? {
    let modes: [Mode] = bytes == 3 ? [.drgb, .dnrgb] : bytes == 4 ? [.drgbw, .dnrgbw] : []
    return modes.first { first + count <= $0.most && (first == 0 || $0.hasStart) }
  }

  /// Makes the packets of a frame, each valid until the next, while `take` returns true.
  public func make(of bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) {
    let count = bytes.count / mode.bytes
    var led = 0
    repeat {
      let part = min(mode.perPacket, count - led)
      let size = mode == .warls ? putNumbered(bytes, led, part) : putInOrder(bytes, led, part)
      guard take(UnsafeRawBufferPointer(rebasing: packet.bytes[..<size])) else { return }
      led += part
    } while led < count
  }

  private func putInOrder(_ bytes: UnsafeRawBufferPointer, _ led: Int, _ part: Int) -> Int {
    var place = 2
    if mode.hasStart {
      packet.put(UInt16(truncatingIfNeeded: first + led), at: place)
      place += 2
    }
    let size = part * mode.bytes
    UnsafeMutableRawBufferPointer(rebasing: packet.bytes[place...])
      .copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[led * mode.bytes..<led * mode.bytes + size]))
    return place + size
  }

  private func putNumbered(_ bytes: UnsafeRawBufferPointer, _ led: Int, _ part: Int) -> Int {
    for index in 0..<part {
      let place = 2 + 4 * index
      packet.put(UInt8(truncatingIfNeeded: first + led + index), at: place)
      for color in 0..<3 { packet.put(bytes[3 * (led + index) + color], at: place + 1 + color) }
    }
    return 2 + 4 * part
  }
}
