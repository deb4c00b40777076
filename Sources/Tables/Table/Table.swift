/// A column of a table. [any]
public struct TableColumn: Equatable, Sendable {
  /// What the values of a column are; any of them may be missing.
  public enum Kind: String, Sendable {
    /// UTF-8.
    case text
    /// Of 64 bits, with a sign.
    case integer
    /// Of 64 bits, finite.
    case number
  }

  /// What queries call it: small letters, digits and `_`, with its unit behind it.
  public let name: String
  /// What its values are.
  public let kind: Kind

  /// Names a column.
  public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
}

/// A value of a row. [any]
public enum TableValue: Equatable, Sendable {
  /// There is none: `NULL`.
  case missing
  /// UTF-8.
  case text(String)
  /// Of 64 bits.
  case integer(Int64)
  /// One that is not finite is written as missing.
  case number(Double)

  /// The value as a file may hold it: one that is not finite is missing.
  var checked: TableValue {
    if case .number(let number) = self, !number.isFinite { return .missing }
    return self
  }
}

/// Takes the bytes of a table in the order of the file.
public typealias TableSink = (_ bytes: [UInt8]) throws -> Void

/// Writes the rows of a table one after the other, and then its end. [one]
///
/// The same rows give the same bytes.
public protocol TableWriter: AnyObject {
  /// Writes a row: a value for each column, each of its column's kind or missing.
  ///
  /// - Throws: what the sink throws, and `TableError`.
  func add(_ row: [TableValue]) throws

  /// Writes what comes behind the last row.
  ///
  /// - Throws: what the sink throws, and `TableError`.
  func finish() throws
}

/// Why a table could not be made.
public struct TableError: Error, Equatable, CustomStringConvertible {
  /// What the library said.
  public let reason: String

  /// The reason, in a sentence without a full stop.
  public var description: String { "the table could not be made: \(reason)" }
}
