/// Packets that liblo encodes once, and whose values are then patched in place. [frame]
///
/// A unit is one message with `width` values. It is stored as an element of a bundle, with its size in front, so that
/// the same bytes are sent singly or copied into a bundle.
struct PreparedPackets: ~Copyable {
  /// The offsets of a unit and of its patched fields, in bytes.
  private struct Element {
    /// The first byte of the unit, and its present size.
    var start = 0
    var size = 0
    /// The first value and its type tag, from `start`.
    var values = 0
    var tags = 0
    /// The bytes after the values, and the text before and after each value of type `s`.
    var behind: [UInt8] = []
    var head: [UInt8] = []
    var tail: [UInt8] = []
  }

  /// The number of messages.
  let units: Int
  /// The number of values in each message.
  let width: Int
  private let form: ArgumentTemplate.Form
  /// The maximum bytes of a bundle with several messages.
  private let limit: Int
  private let bytes: UnsafeMutableRawPointer
  private let elements: UnsafeMutablePointer<Element>
  private let bundle: UnsafeMutableRawPointer
  /// Bytes in the open bundle.
  private var fill = BundleWriter.headSize

  /// - Parameters:
  ///   - arguments: the arguments around the values, for each address.
  ///   - limit: maximum bytes of a bundle with several messages; a larger message is sent as the only one of its
  ///     bundle.
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
      // A value takes four bytes and a tag: too many are refused before a message is built.
      guard width < EncodedMessage.datagramLimit / 5 else {
        throw .packetTooLarge(bytes: width * 5, limit: EncodedMessage.datagramLimit)
      }
      let packet = try Self.packet(to: address, width, form, filled)
      var element = Self.element(packet, address, width, form, filled)
      element.start = room
      // Reserves the longest text of each value; a longer one would move the units after it.
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

  /// A bundle that holds one message, whose values are 0.
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

  /// Finds the offsets of the patched fields in an encoded packet.
  private static func element(
    _ packet: [UInt8], _ address: String, _ width: Int, _ form: ArgumentTemplate.Form,
    _ filled: ArgumentTemplate.Filled
  ) -> Element {
    let behind = filled.behind.reduce(0) { $0 + $1.size }
    let size = packet.count - BundleWriter.headSize
    // The size field and the padded address precede the comma and the tags.
    let tags = 4 + address.utf8.count / 4 * 4 + 4 + 1 + filled.before.count
    return Element(
      size: size, values: size - behind - (form == .bool ? 0 : 4 * width), tags: tags,
      behind: Array(packet.suffix(behind)), head: Array(filled.head.utf8), tail: Array(filled.tail.utf8))
  }

  /// Writes a unit's values, big-endian.
  ///
  /// NaN becomes 0.
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
        // The largest `Float` below 2³¹.
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

  /// Writes a unit's values as texts, and the arguments after them; its size may change.
  private mutating func write(_ unit: Int, texts values: UnsafePointer<Float>) {
    let element = (bytes + elements[unit].start).assumingMemoryBound(to: UInt8.self)
    var end = elements[unit].values
    for index in 0..<width {
      let start = end
      end += Self.put(elements[unit].head, element + end)
      end += NumberText.write(values[index], to: element + end)
      end += Self.put(elements[unit].tail, element + end)
      // OSC strings end with at least one zero, padded to a multiple of four.
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

  /// Appends a unit's message to the open bundle. Delivers that bundle first if the message does not fit.
  /// - Returns: the number of packets delivered.
  mutating func gather(_ unit: Int, deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    let size = elements[unit].size
    let delivered = fill + size > limit ? flush(deliver: deliver) : 0
    (bundle + fill).copyMemory(from: bytes + elements[unit].start, byteCount: size)
    fill += size
    return delivered
  }

  /// Delivers the open bundle unless it is empty.
  /// - Returns: the number of packets delivered.
  mutating func flush(deliver: (UnsafeRawBufferPointer) -> Void) -> Int {
    guard fill > BundleWriter.headSize else { return 0 }
    deliver(UnsafeRawBufferPointer(start: bundle, count: fill))
    fill = BundleWriter.headSize
    return 1
  }
}

extension ArgumentTemplate.Filled {
  /// Maximum bytes of a value as text, with its padding.
  fileprivate var textSize: Int {
    (head.utf8.count + NumberText.most + tail.utf8.count) / 4 * 4 + 4
  }
}
