import Particles

/// Lists the fields of a record in their order. A record has one function that codes its fields, its walk, by which it is
/// read and written (`ByteCoder`); here the walk tells the names and types of the fields. Every field must have a name.
/// [control]
struct FieldList: ByteCoder {
  /// What a field is in bytes. Numbers are little-endian.
  indirect enum Kind: Equatable {
    case integer(bits: Int, isSigned: Bool)
    case float(bits: Int)
    case flag
    /// UTF-8 after its length in 16 bits.
    case text
    /// Elements after their number in 16 bits.
    case list([Field])
    /// Numbers of a kind, as many as there are up to the end of the record.
    case rest(Kind)

    /// Its bytes; nil where they vary.
    var size: Int? {
      switch self {
      case .integer(let bits, _), .float(let bits): bits / 8
      case .flag: 1
      case .text, .list, .rest: nil
      }
    }
  }

  struct Field: Equatable {
    let name: String
    let kind: Kind
  }

  private(set) var fields: [Field] = []
  /// The name of the field that comes next.
  private var nextName: String?
  // Nothing is read, so nothing is invalid or missing.
  var failed = false
  var remaining: Int { .max }

  /// The fields that a walk names.
  static func fields(_ walk: (inout FieldList) -> Void) -> [Field] {
    var list = FieldList()
    walk(&list)
    precondition(list.nextName == nil, "a name without a field at the end of a record")
    return list.fields
  }

  private mutating func add(_ kind: Kind) {
    guard let name = nextName else { preconditionFailure("a page cannot read a field without a name") }
    fields.append(Field(name: name, kind: kind))
    nextName = nil
  }

  mutating func name(_ name: StaticString) {
    precondition(nextName == nil, "two names of one field")
    nextName = "\(name)"
  }

  mutating func code<T: FixedWidthInteger & BitwiseCopyable>(_ word: inout T) {
    add(.integer(bits: T.bitWidth, isSigned: T.isSigned))
  }

  mutating func code(_ number: inout Double) { add(.float(bits: 64)) }
  mutating func code(_ number: inout Float) { add(.float(bits: 32)) }
  mutating func code(_ flag: inout Bool) { add(.flag) }
  mutating func code(_ text: inout String) { add(.text) }

  mutating func code<T>(_ list: inout [T], new: T, _ one: (inout T, inout Self) -> Void) {
    var element = new
    add(.list(Self.fields { one(&element, &$0) }))
  }

  mutating func codeRest<T: BitwiseCopyable>(of type: T.Type) {
    switch type {
    case is UInt8.Type: add(.rest(.integer(bits: 8, isSigned: false)))
    case is UInt16.Type: add(.rest(.integer(bits: 16, isSigned: false)))
    case is Float.Type: add(.rest(.float(bits: 32)))
    default: preconditionFailure("a page cannot read numbers of this type to the end of a record")
    }
  }

  /// Bytes as they are in memory are no fields.
  mutating func code(_ start: UnsafeMutableRawPointer, count: Int) {
    preconditionFailure("a page cannot read a field without a type")
  }
}
