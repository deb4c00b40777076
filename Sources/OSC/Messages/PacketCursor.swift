/// A place in received bytes; every step is checked against the end it is given.
struct PacketCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func peek(before end: Int) -> UInt8? { at < end ? bytes[at] : nil }

  /// A big-endian integer of four or eight bytes.
  mutating func integer<T: FixedWidthInteger>(before end: Int) throws(OSCFault) -> T {
    let size = MemoryLayout<T>.size
    guard end - at >= size else { throw .packet(.truncated, at: at) }
    defer { at += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: T.self))
  }

  /// A text, its zero and the zeros up to the next multiple of four.
  mutating func text(before end: Int) throws(OSCFault) -> String {
    let start = at
    guard let zero = bytes[start..<end].firstIndex(of: 0) else { throw .packet(.text, at: start) }
    // The packet begins at 0 of these bytes and has whole words, so words are counted from there.
    let next = (zero + 4) & ~3
    guard next <= end, bytes[zero..<next].allSatisfy({ $0 == 0 }),
      let text = String(validating: bytes[start..<zero], as: UTF8.self)
    else { throw .packet(.text, at: start) }
    at = next
    return text
  }

  /// A size, so many bytes, and the zeros up to the next multiple of four.
  mutating func blob(before end: Int) throws(OSCFault) -> [UInt8] {
    let start = at
    let size = Int(Int32(bitPattern: try integer(before: end)))
    guard size >= 0 else { throw .packet(.size, at: start) }
    let next = (at + size + 3) & ~3
    guard next <= end else { throw .packet(.truncated, at: start) }
    let blob = [UInt8](bytes[at..<at + size])
    guard bytes[at + size..<next].allSatisfy({ $0 == 0 }) else { throw .packet(.leftover, at: at + size) }
    at = next
    return blob
  }
}
