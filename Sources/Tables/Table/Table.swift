/// A column of a table. [any]
public struct TableColumn: Equatable, Sendable {
  /// The type of a column's values; any of them may be missing.
  public enum Kind: String, Sendable {
    /// Text in UTF-8.
    case text
    /// Signed integers of 64 bits.
    case integer
    /// Finite floating-point numbers of 64 bits.
    case number
  }

  /// The name in queries: lower-case letters, digits and `_`, ending with the unit.
  public let name: String
  /// The type of its values.
  public let kind: Kind

  /// Makes a column.
  public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
}

/// A value of a row. [any]
public enum TableValue: Equatable, Sendable {
  /// No value: `NULL`.
  case missing
  /// Text in UTF-8.
  case text(String)
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits; written as missing if it is not finite.
  case number(Double)

  /// The value to write: missing for a number that is not finite.
  var checked: TableValue {
    if case .number(let number) = self, !number.isFinite { return .missing }
    return self
  }
}

/// Receives the bytes of a table in the order of the file.
public typealias TableSink = (_ bytes: [UInt8]) throws -> Void

/// Writes the rows of a table in order, then its end. [one]
///
/// The same rows give the same bytes.
public protocol TableWriter: AnyObject {
  /// Writes a row: a value for each column, each of its column's kind or missing.
  ///
  /// - Throws: what the sink throws, and `TableError`.
  func add(_ row: [TableValue]) throws

  /// Writes what follows the last row.
  ///
  /// - Throws: what the sink throws, and `TableError`.
  func finish() throws
}

/// Why a table could not be made.
public struct TableError: Error, Equatable, CustomStringConvertible {
  /// The library's error.
  public let reason: String

  /// The reason, in a sentence without a full stop.
  public var description: String { "the table could not be made: \(reason)" }
}
