/// The packets of pixels by the realtime protocol of WLED (UDP, two bytes of header, then the bytes of LEDs). [one]
public final class WledPackets {
  /// The port that lamps listen at.
  public static let port: UInt16 = 21_324
  /// The most bytes of a packet.
  public static let most = 1472

  /// The first byte: what follows.
  public enum Mode: UInt8, Sendable, CaseIterable {
    /// For each LED its number, red, green, blue: the first 256.
    case warls = 1
    /// Red, green, blue, from the first LED on.
    case drgb
    /// Red, green, blue, white, from the first LED on.
    case drgbw
    /// The number of the first LED, then red, green, blue.
    case dnrgb
    /// The number of the first LED, then red, green, blue, white.
    case dnrgbw

    /// Bytes of a LED.
    public var bytes: Int { self == .drgbw || self == .dnrgbw ? 4 : 3 }
    /// The most LEDs of a packet.
    public var perPacket: Int {
      switch self {
      case .warls: 255
      case .drgb: 490
      case .drgbw, .dnrgbw: 367
      case .dnrgb: 489
      }
    }
    /// The most LEDs that it can number.
    public var most: Int {
      switch self {
      case .warls: 256
      case .drgb, .drgbw: perPacket
      case .dnrgb, .dnrgbw: 65_536
      }
    }
    /// Whether LEDs may begin with another than the first.
    public var hasStart: Bool { self == .warls || self == .dnrgb || self == .dnrgbw }
  }

  private let packet = PacketWriter(count: WledPackets.most)
  private let mode: Mode
  private let first: Int

  /// Packets of a mode, for LEDs from the number `first` on; `timeout` is after how many seconds without a packet a lamp goes on
  /// by itself, 255 for never.
  public init(_ mode: Mode, first: Int = 0, timeout: UInt8) {
    (self.mode, self.first) = (mode, first)
    packet.put(mode.rawValue, at: 0)
    packet.put(timeout, at: 1)
  }

  deinit { packet.bytes.deallocate() }

  /// The mode that so many LEDs of so many bytes need, from the number `first` on: the plainest that holds them; nil where none
  /// does.
  public static func mode(of count: Int, bytes: Int, first: Int) -> Mode? {
    let modes: [Mode] = bytes == 3 ? [.drgb, .dnrgb] : bytes == 4 ? [.drgbw, .dnrgbw] : []
    return modes.first { first + count <= $0.most && (first == 0 || $0.hasStart) }
  }

  /// Makes the packets of a frame, each valid until the next, as long as `take` says to go on.
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
