/// Packets encoded once, by liblo, whose values are then patched in place. [frame]
///
/// A unit is one message with `width` values. Each is stored as the element of a bundle, its size in front, so that
/// the same bytes go out alone or are gathered into bundles.
struct PreparedPackets: ~Copyable {
  /// Where a unit is, and what of it is patched.
  private struct Element {
    /// Where it begins, and how many bytes it has now.
    var start = 0
    var size = 0
    /// Where its first value begins, and the type tag of it, from `start`.
    var values = 0
    var tags = 0
    /// What stands behind the values, and around each of them in a text.
    var behind: [UInt8] = []
    var head: [UInt8] = []
    var tail: [UInt8] = []
  }

  let units: Int
  let width: Int
  private let form: ArgumentTemplate.Form
  private let limit: Int
  private let bytes: UnsafeMutableRawPointer
  private let elements: UnsafeMutablePointer<Element>
  private let bundle: UnsafeMutableRawPointer
  private var fill = BundleWriter.headSize

  /// - Parameters:
  ///   - arguments: what stands around the values, for each address.
  ///   - limit: the most bytes of a bundle with several messages; a single one that is larger still goes alone.
  init(
    addresses: [String], width: Int, form: ArgumentTemplate.Form, arguments: [ArgumentTemplate.Filled],
    limit: Int
  ) throws(OSCError) {
    var packets: [[UInt8]] = []
    var made: [Element] = []
    var room = 0
    var largest = BundleWriter.headSize
    for (address, filled) in zip(addresses, arguments) {
      try AddressCharacters.check(address)
      // Four bytes and a tag each: refused before a message of any size is built.
      guard width < EncodedMessage.datagramLimit / 5 else {
        throw .packetTooLarge(bytes: width * 5, limit: EncodedMessage.datagramLimit)
      }
      let packet = try Self.packet(to: address, width, form, filled)
      var element = Self.element(packet, address, width, form, filled)
      element.start = room
      // A text may grow to its longest; a size that is none of four would move what follows.
      let capacity =
        element.size + (form == .string ? width * (filled.textSize - 4) : 0)
      guard BundleWriter.headSize + capacity <= EncodedMessage.datagramLimit else {
        throw .packetTooLarge(bytes: BundleWriter.headSize + capacity, limit: EncodedMessage.datagramLimit)
      }
      room += capacity
      largest = max(largest, BundleWriter.headSize + capacity)
      packets.append(packet)
      made.append(element)
    }
    units = packets.count
    self.width = width
    self.form = form
    self.limit = limit
    bytes = .allocate(byteCount: max(room, 1), alignment: 16)
    elements = .allocate(capacity: max(made.count, 1))
    bundle = .allocate(byteCount: max(largest, limit), alignment: 16)
    for (unit, packet) in packets.enumerated() {
      packet.withUnsafeBytes { source in
        bundle.copyMemory(from: source.baseAddress!, byteCount: BundleWriter.headSize)
        let element = UnsafeRawBufferPointer(rebasing: source[BundleWriter.headSize...])
        (bytes + made[unit].start).copyMemory(from: element.baseAddress!, byteCount: element.count)
      }
      (elements + unit).initialize(to: made[unit])
    }
  }

  deinit {
    bytes.deallocate()
    elements.deinitialize(count: units)
    elements.deallocate()
    bundle.deallocate()
  }

  /// The bundle that holds a message alone, with zeros for its values.
  private static func packet(
    to address: String, _ width: Int, _ form: ArgumentTemplate.Form, _ filled: ArgumentTemplate.Filled
  ) throws(OSCError) -> [UInt8] {
    let zero: Argument =
      switch form {
      case .float: .float(0)
      case .int: .int(0)
      case .bool: .bool(false)
      case .string: .string("")
      }
    let message = try EncodedMessage()
    for argument in filled.before { try message.add(argument) }
    for _ in 0..<width { try message.add(zero) }
    for argument in filled.behind { try message.add(argument) }
    return try message.bundle(to: address)
  }

  private static func element(
    _ packet: [UInt8], _ address: String, _ width: Int, _ form: ArgumentTemplate.Form,
    _ filled: ArgumentTemplate.Filled
  ) -> Element {
    let behind = filled.behind.reduce(0) { $0 + $1.size }
    let size = packet.count - BundleWriter.headSize
    // Behind the size and the address stand a comma and the tags.
    let tags = 4 + address.utf8.count / 4 * 4 + 4 + 1 + filled.before.count
    return Element(
      size: size, values: size - behind - (form == .bool ? 0 : 4 * width), tags: tags,
      behind: Array(packet.suffix(behind)), head: Array(filled.head.utf8), tail: Array(filled.tail.utf8))
  }

  /// Writes a unit's values, big-endian.
  ///
  /// What is no number becomes 0.
  mutating func patch(_ unit: Int, from values: UnsafePointer<Float>) {
    let element = bytes + elements[unit].start
    let place = element + elements[unit].values
    switch form {
    case .float:
      for index in 0..<width {
        let value = values[index]
        let bits = value.isNaN ? 0 : value.bitPattern
        place.storeBytes(of: bits.bigEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
    case .int:
      for index in 0..<width {
        let value = values[index].isNaN ? 0 : values[index].rounded()
        // The largest whole number that both have.
        let whole = Int32(max(-2_147_483_648, min(2_147_483_520, value)))
        place.storeBytes(of: whole.bigEndian, toByteOffset: 4 * index, as: Int32.self)
      }
    case .bool:
      for index in 0..<width {
        let tag = values[index] >= 0.5 ? UInt8(ascii: "T") : UInt8(ascii: "F")
        element.storeBytes(of: tag, toByteOffset: elements[unit].tags + index, as: UInt8.self)
      }
    case .string: write(unit, texts: values)
    }
  }

  /// Writes a unit's values as texts, and what stands behind them; its size is then another.
  private mutating func write(_ unit: Int, texts values: UnsafePointer<Float>) {
    let element = (bytes + elements[unit].start).assumingMemoryBound(to: UInt8.self)
    var end = elements[unit].values
    for index in 0..<width {
      let start = end
      end += Self.put(elements[unit].head, element + end)
      end += NumberText.write(values[index], to: element + end)
      end += Self.put(elements[unit].tail, element + end)
      // At least one zero, up to a whole number of fours.
      let padded = start + (end - start) / 4 * 4 + 4
      while end < padded {
        element[end] = 0
        end += 1
      }
    }
    end += Self.put(elements[unit].behind, element + end)
    elements[unit].size = end
    UnsafeMutableRawPointer(element).storeBytes(of: UInt32(end - 4).bigEndian, as: UInt32.self)
  }

  private static func put(_ source: [UInt8], _ place: UnsafeMutablePointer<UInt8>) -> Int {
    for (index, byte) in source.enumerated() { place[index] = byte }
    return source.count
  }

  /// A unit's message by itself.
  func message(_ unit: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + elements[unit].start + 4, count: elements[unit].size - 4)
  }

  /// Puts a unit's message into the open bundle, after handing over the one it no longer fits.
  /// - Returns: packets handed over.
  mutating func gather(_ unit: Int, deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    let size = elements[unit].size
    let delivered = fill + size > limit ? flush(deliver: deliver) : 0
    (bundle + fill).copyMemory(from: bytes + elements[unit].start, byteCount: size)
    fill += size
    return delivered
  }

  /// Hands over the open bundle, if anything is in it.
  /// - Returns: packets handed over.
  mutating func flush(deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    guard fill > BundleWriter.headSize else { return 0 }
    deliver(UnsafeRawBufferPointer(start: bundle, count: fill))
    fill = BundleWriter.headSize
    return 1
  }
}

extension ArgumentTemplate.Filled {
  /// How many bytes the text of a value takes at most, with its zeros.
  fileprivate var textSize: Int {
    (head.utf8.count + NumberText.most + tail.utf8.count) / 4 * 4 + 4
  }
}
