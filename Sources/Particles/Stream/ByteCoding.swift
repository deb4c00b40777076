/// Reads or writes values by the same walk, so that both formats cannot differ. Numbers are little-endian.
package protocol ByteCoder {
  /// An integer of its own width.
  mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T)
  /// The eight bytes of a `Double`.
  mutating func code(_ number: inout Double)
  /// The four bytes of a `Float`.
  mutating func code(_ number: inout Float)
  /// A Boolean, as one byte.
  mutating func code(_ flag: inout Bool)
  /// UTF-8 text of at most 65,535 bytes after its length in 16 bits. Longer text is cut.
  mutating func code(_ text: inout String)
  /// A list of at most 65,535 elements after its length in 16 bits; `one` codes an element, and `new` is one to read
  /// into.
  mutating func code<T>(_ list: inout [T], new: T, _ one: (inout T, inout Self) -> Void)
  /// Names the value that is coded next, for pages that read the record (`FieldList`). Reading and writing ignore it.
  mutating func name(_ name: StaticString)
  /// The rest of the record is numbers of this type, which its owner appends or reads at once.
  mutating func codeRest<T: BitwiseCopyable>(of type: T.Type)
  /// `count` bytes as they are in memory.
  mutating func code(_ start: UnsafeMutableRawPointer, count: Int)
  /// The most bytes that can still follow.
  var remaining: Int { get }
  /// Whether the bytes read were invalid. After that, reading changes nothing.
  var failed: Bool { get set }
}

extension ByteCoder {
  package mutating func code(_ number: inout Float) {
    var bits = number.bitPattern
    code(&bits)
    number = Float(bitPattern: bits)
  }

  package mutating func code(_ flag: inout Bool) {
    var byte: UInt8 = flag ? 1 : 0
    code(&byte)
    flag = byte != 0
  }

  package mutating func code<T>(_ list: inout [T], new: T, _ one: (inout T, inout Self) -> Void) {
    var count = UInt16(clamping: list.count)
    code(&count)
    for index in 0..<Int(count) where !failed {
      if index == list.count { list.append(new) }
      one(&list[index], &self)
    }
    if Int(count) < list.count { list.removeSubrange(Int(count)...) }
  }

  package mutating func name(_ name: StaticString) {}
  package mutating func codeRest<T: BitwiseCopyable>(of type: T.Type) {}

  /// An integer of 0…`most`, as 32 bits. Writing clamps it; reading a larger one sets `failed`.
  package mutating func code(_ count: inout Int, most: Int) {
    var word = UInt32(max(0, min(count, most)))
    code(&word)
    if UInt64(word) > UInt64(most) { failed = true }
    count = failed ? 0 : Int(word)
  }

  /// A case of an enumeration, as one byte: its index.
  package mutating func code<T: CaseIterable & Equatable>(choice: inout T) where T.AllCases == [T] {
    let all = T.allCases
    var byte: UInt8 = 0
    for index in all.indices where all[index] == choice { byte = UInt8(index) }
    code(&byte)
    if Int(byte) < all.count { choice = all[Int(byte)] } else { failed = true }
  }

  /// A number of a valid state: finite and within ±10¹⁸. Any other sets `failed`.
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

  /// Reads from the first byte on. The bytes must stay in memory as long as the reader.
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

  /// The next `count` bytes, for a reader of their own; nil if fewer are left.
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

/// Writes values to an array of bytes. [any]
package struct ByteWriter: ByteCoder {
  /// The bytes written so far.
  package var bytes: [UInt8] = []
  /// The offset of each `Double` in `bytes`, in the order of the walk.
  package private(set) var places: [Int] = []
  package var failed = false

  /// Makes a writer without bytes.
  package init() {}

  package var remaining: Int { .max }

  package mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T) { write(word) }

  /// Writes an integer of its own width.
  package mutating func write<T: FixedWidthInteger & BitwiseCopyable>(_ word: T) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func code(_ number: inout Double) {
    places.append(bytes.count)
    write(number.bitPattern)
  }

  package mutating func code(_ text: inout String) { write(text) }

  /// Writes bytes after their number in 32 bits.
  package mutating func write(part: [UInt8]) {
    write(UInt32(part.count))
    bytes.append(contentsOf: part)
  }

  /// Writes UTF-8 text of at most 65,535 bytes after its length in 16 bits. Longer text is cut.
  package mutating func write(_ text: String) {
    let cut = text.utf8.prefix(65_535)
    write(UInt16(cut.count))
    bytes.append(contentsOf: cut)
  }

  package mutating func code(_ start: UnsafeMutableRawPointer, count: Int) {
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
  }
}
