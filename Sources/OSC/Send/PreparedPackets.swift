/// Packets encoded once, by liblo, whose floats are then patched in place. [frame]
///
/// A unit is one message with `width` floats. Each is stored as the element of a bundle, its size in front, so that
/// the same bytes go out alone or are gathered into bundles.
struct PreparedPackets: ~Copyable {
  /// The most bytes of a bundle with several messages: fits Ethernet's 1500 less the headers of IPv4 or IPv6 and
  /// UDP, and most tunnels.
  ///
  /// A single message that is larger still goes alone.
  static let bundleLimit = 1400
  /// `#bundle`, a zero, the time tag.
  static let headerSize = 16

  let units: Int
  let width: Int
  private let elements: UnsafeMutableRawPointer
  /// Where each unit's element begins; one more for the end of the last.
  private let starts: UnsafeMutablePointer<Int>
  private let bundle: UnsafeMutableRawPointer
  private var fill = PreparedPackets.headerSize

  init(addresses: [String], width: Int) throws(OSCError) {
    var packets: [[UInt8]] = []
    for address in addresses {
      try AddressCharacters.check(address)
      // Four bytes and a tag each: refused before a message of any size is built.
      guard width < EncodedMessage.datagramLimit / 5 else {
        throw .packetTooLarge(bytes: width * 5, limit: EncodedMessage.datagramLimit)
      }
      let message = try EncodedMessage()
      for _ in 0..<width { try message.add(.float(0)) }
      packets.append(try message.bundle(to: address))
    }
    units = packets.count
    self.width = width
    let largest = packets.map(\.count).max() ?? Self.headerSize
    let total = packets.reduce(0) { $0 + $1.count - Self.headerSize }
    elements = .allocate(byteCount: max(total, 1), alignment: 16)
    starts = .allocate(capacity: packets.count + 1)
    bundle = .allocate(byteCount: max(largest, Self.bundleLimit), alignment: 16)
    var start = 0
    for (unit, packet) in packets.enumerated() {
      starts[unit] = start
      packet.withUnsafeBytes { bytes in
        bundle.copyMemory(from: bytes.baseAddress!, byteCount: Self.headerSize)
        let element = UnsafeRawBufferPointer(rebasing: bytes[Self.headerSize...])
        (elements + start).copyMemory(from: element.baseAddress!, byteCount: element.count)
        start += element.count
      }
    }
    starts[packets.count] = start
  }

  deinit {
    elements.deallocate()
    starts.deallocate()
    bundle.deallocate()
  }

  /// Writes a unit's floats, big-endian; they are the last bytes of its message.
  ///
  /// What is no number becomes 0.
  func patch(_ unit: Int, from values: UnsafePointer<Float>) {
    let floats = elements + (starts[unit + 1] - 4 * width)
    for index in 0..<width {
      let value = values[index]
      let bits = value.isNaN ? 0 : value.bitPattern
      floats.storeBytes(of: bits.bigEndian, toByteOffset: 4 * index, as: UInt32.self)
    }
  }

  /// A unit's message by itself.
  func message(_ unit: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: elements + starts[unit] + 4, count: starts[unit + 1] - starts[unit] - 4)
  }

  /// Puts a unit's message into the open bundle, after handing over the one it no longer fits.
  /// - Returns: packets handed over.
  mutating func gather(_ unit: Int, deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    let size = starts[unit + 1] - starts[unit]
    let delivered = fill + size > Self.bundleLimit ? flush(deliver: deliver) : 0
    (bundle + fill).copyMemory(from: elements + starts[unit], byteCount: size)
    fill += size
    return delivered
  }

  /// Hands over the open bundle, if anything is in it.
  /// - Returns: packets handed over.
  mutating func flush(deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    guard fill > Self.headerSize else { return 0 }
    deliver(UnsafeRawBufferPointer(start: bundle, count: fill))
    fill = Self.headerSize
    return 1
  }
}
