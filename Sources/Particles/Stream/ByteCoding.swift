/// One walk over values that either reads them from bytes or writes them: so what is written and what is read cannot
/// differ. Least significant byte first.
package protocol ByteCoder {
  /// A whole number of its own width.
  mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T)
  /// A `Double`, to the bit.
  mutating func code(_ number: inout Double)
  /// A text of 65,535 bytes at most; what is longer is cut.
  mutating func code(_ text: inout String)
  /// `count` bytes as they lie in memory.
  mutating func code(_ start: UnsafeMutableRawPointer, count: Int)
  /// How many bytes can follow at most.
  var remaining: Int { get }
  /// Whether what was to be read is broken; from then on nothing is read any more.
  var failed: Bool { get set }
}

extension ByteCoder {
  /// A truth value, as a byte.
  package mutating func code(_ flag: inout Bool) {
    var byte: UInt8 = flag ? 1 : 0
    code(&byte)
    flag = byte != 0
  }

  /// A number of 0…`most`, as 32 bits; what is written is brought within, what is read beyond is broken.
  package mutating func code(_ count: inout Int, most: Int) {
    var word = UInt32(max(0, min(count, most)))
    code(&word)
    if UInt64(word) > UInt64(most) { failed = true }
    count = failed ? 0 : Int(word)
  }

  /// One of several cases, as a byte: its place among them.
  package mutating func code<T: CaseIterable & Equatable>(choice: inout T) where T.AllCases == [T] {
    let all = T.allCases
    var byte: UInt8 = 0
    for index in all.indices where all[index] == choice { byte = UInt8(index) }
    code(&byte)
    if Int(byte) < all.count { choice = all[Int(byte)] } else { failed = true }
  }

  /// A number that a sound state holds: finite and not beyond 10¹⁸. All else is broken.
  mutating func code(bounded number: inout Double) {
    code(&number)
    if !(number.magnitude <= 1e18) {
      failed = true
      number = 0
    }
  }
}

/// Reads values from bytes that cannot be trusted. [any]
package struct ByteReader: ByteCoder {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  package var failed = false

  /// Reads from the first byte on; the bytes must stay where they are.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package var remaining: Int { failed ? 0 : bytes.count - place }

  private mutating func take(_ count: Int) -> UnsafeRawPointer? {
    guard !failed, count >= 0, count <= bytes.count - place, let base = bytes.baseAddress else {
      failed = true
      return nil
    }
    place += count
    return base + (place - count)
  }

  /// The next `count` bytes, to be read by a reader of their own; nil where there are not so many.
  package mutating func part(_ count: Int) -> UnsafeRawBufferPointer? {
    take(count).map { UnsafeRawBufferPointer(start: $0, count: count) }
  }

  package mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T) {
    if let start = take(MemoryLayout<T>.size) { word = T(littleEndian: start.loadUnaligned(as: T.self)) }
  }

  package mutating func code(_ number: inout Double) {
    var bits = number.bitPattern
    code(&bits)
    number = Double(bitPattern: bits)
  }

  package mutating func code(_ text: inout String) {
    var count: UInt16 = 0
    code(&count)
    guard let bytes = part(Int(count)) else { return }
    text = String(decoding: bytes, as: UTF8.self)
  }

  package mutating func code(_ start: UnsafeMutableRawPointer, count: Int) {
    if let from = take(count), count > 0 { start.copyMemory(from: from, byteCount: count) }
  }
}

/// Writes values. [any]
package struct ByteWriter: ByteCoder {
  /// What is written so far.
  package var bytes: [UInt8] = []
  /// Where each `Double` stands, in the order of the walk.
  package private(set) var places: [Int] = []
  package var failed = false

  /// Nothing is written yet.
  package init() {}

  package var remaining: Int { .max }

  package mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T) { write(word) }

  /// A whole number of its own width.
  package mutating func write<T: FixedWidthInteger & BitwiseCopyable>(_ word: T) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func code(_ number: inout Double) {
    places.append(bytes.count)
    write(number.bitPattern)
  }

  package mutating func code(_ text: inout String) { write(text) }

  /// A text of 65,535 bytes at most; what is longer is cut.
  package mutating func write(_ text: String) {
    let cut = text.utf8.prefix(65_535)
    write(UInt16(cut.count))
    bytes.append(contentsOf: cut)
  }

  package mutating func code(_ start: UnsafeMutableRawPointer, count: Int) {
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
  }
}
