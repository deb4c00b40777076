/// Reads the dictionary of a binary property list: numbers, strings, booleans and data. [control]
///
/// Foundation's reader follows a reference as often as it occurs, so a file of 1 MB may take hours and terabytes.
/// This one never returns more bytes than the file has. Source of the layout: CFBinaryPList.c (Core Foundation).
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let file: String
  /// Bytes of an entry of the offset table, and of a reference to an object.
  private let offsetSize: Int
  private let referenceSize: Int
  /// The number of objects.
  private let objects: Int
  /// The first byte of the offset table.
  private let table: Int
  /// The bytes of strings and data that may still be returned.
  private var budget: Int

  /// Whether bytes begin as a binary property list does.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  /// The keys of the root dictionary. Throws where the file is broken or too large.
  static func values(in bytes: [UInt8], called file: String) throws(ImportError) -> FileValues {
    var list = try BinaryPropertyList(bytes, file)
    return try list.dictionary()
  }

  private init(_ bytes: [UInt8], _ file: String) throws(ImportError) {
    let broken = ImportError("broken-plist", "\(file): is a broken binary property list")
    let trailer = bytes.count - 32
    guard trailer >= 8 else { throw broken }
    func number(_ start: Int, _ size: Int) -> Int? {
      Int(exactly: bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    self.bytes = bytes
    self.file = file
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objects = number(trailer + 8, 8), let table = number(trailer + 24, 8), table >= 8, table <= trailer,
      objects > 0, objects <= (trailer - table) / offsetSize, number(trailer + 16, 8) == 0
    else { throw broken }
    self.objects = objects
    self.table = table
    budget = bytes.count
  }

  private var broken: ImportError { ImportError("broken-plist", "\(file): is a broken binary property list") }

  private mutating func dictionary() throws(ImportError) -> FileValues {
    let top = try object(0)
    guard top.kind == 0xD else {
      throw ImportError("no-dictionary", "\(file): holds no dictionary of particle settings")
    }
    guard top.count <= FileValues.most else {
      throw ImportError("hostile-plist", "\(file): has more than \(FileValues.most) keys")
    }
    var values = FileValues(file: file)
    for index in 0..<top.count {
      let key = try number(top.start + index * referenceSize, referenceSize)
      let value = try number(top.start + (top.count + index) * referenceSize, referenceSize)
      guard case .text(let name) = try scalar(key) else { throw broken }
      values.add(name, try scalar(value))
    }
    return values
  }

  /// The kind of an object, its length or count, and the start of its content.
  private func object(_ index: Int) throws(ImportError) -> (kind: UInt8, count: Int, start: Int) {
    guard index < objects else { throw broken }
    let place = try number(table + index * offsetSize, offsetSize)
    guard place >= 8, place < table else { throw broken }
    let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
    guard low == 0xF, kind >= 4 else { return (kind, low, place + 1) }
    // A count of 15 or more follows as an integer object.
    guard place + 1 < table, bytes[place + 1] >> 4 == 1, bytes[place + 1] & 0xF <= 3 else { throw broken }
    let size = 1 << Int(bytes[place + 1] & 0xF)
    return (kind, try number(place + 2, size), place + 2 + size)
  }

  /// The value of an object that is no container.
  private mutating func scalar(_ index: Int) throws(ImportError) -> FileValue {
    let (kind, count, start) = try object(index)
    switch kind {
    case 0x0: return count == 8 ? .flag(false) : count == 9 ? .flag(true) : .nothing
    case 0x1:
      guard count <= 3 else { return .other("a number beyond all numbers") }
      let bits = try bits(start, 1 << count)
      return .number(count == 3 ? Double(Int64(bitPattern: bits)) : Double(bits))
    case 0x2:
      guard count == 2 || count == 3 else { throw broken }
      let bits = try bits(start, 1 << count)
      return .number(
        count == 2 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
    case 0x3: return .other("a date")
    case 0x4: return .data(Array(try slice(start, count)))
    case 0x5: return .text(String(decoding: try slice(start, count), as: UTF8.self))
    case 0x6:
      guard count <= bytes.count else { throw broken }
      let slice = try slice(start, 2 * count)
      let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
        UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1])
      }
      return .text(String(decoding: units, as: UTF16.self))
    case 0xA, 0xC: return .other("a list")
    case 0xD: return .other("a dictionary")
    default: throw broken
    }
  }

  /// The bytes of a string or of data, counted against the budget.
  private mutating func slice(_ start: Int, _ count: Int) throws(ImportError) -> ArraySlice<UInt8> {
    guard count >= 0, start <= table, count <= table - start else { throw broken }
    budget -= count
    guard budget >= 0 else {
      throw ImportError("hostile-plist", "\(file): refers to the same text again and again")
    }
    return bytes[start..<(start + count)]
  }

  private func bits(_ start: Int, _ size: Int) throws(ImportError) -> UInt64 {
    guard start >= 0, size <= bytes.count, start <= bytes.count - size else { throw broken }
    return bytes[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func number(_ start: Int, _ size: Int) throws(ImportError) -> Int {
    guard let number = Int(exactly: try bits(start, size)) else { throw broken }
    return number
  }
}
