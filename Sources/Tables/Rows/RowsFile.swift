import CZlib
import Glibc
import Synchronization
import System

/// Rows on their way into a table, on a disk as soon as each is made: a line of JSON with its checksum before it. A program that is
/// killed meanwhile loses the rows that were being made, and goes on from the others. [any]
///
/// A line that is torn or has been changed counts as not written. One process alone may have the file.
public final class RowsFile: Sendable {
  /// Why rows cannot be kept.
  public enum Fault: Error, Equatable {
    /// Another process is at work on it.
    case taken
    /// What lies there belongs to something else: what it says it is.
    case other(String)
    /// The system refuses.
    case system(String)
  }

  /// Which version of a thing a row is of: what the thing is called, and what is different once it has changed.
  public struct Key: Equatable, Sendable {
    /// What it is called, such as the path of a file.
    public var name: String
    /// Its size and age, such as these are.
    public var state: String

    /// Names a version.
    public init(name: String, state: String) { (self.name, self.state) = (name, state) }
  }

  /// Where the newest row of a thing lies.
  private struct Place {
    var state: String
    var begin: Int64
    var count: Int
  }

  /// The most bytes that are read.
  private static let most = 16 << 30

  private let descriptor: Int32
  private let file: RegularFile
  private let lock: FileLock
  private let columns: [TableColumn]
  private let places = Locked(Places())

  /// What the file holds.
  private struct Places {
    var known: [String: Place] = [:]
    /// How often rows were begun that are not there, each of the newest state.
    var begun: [String: (state: String, count: Int)] = [:]
    var end: Int64 = 0

    mutating func note(_ key: Key) {
      let before = begun[key.name].map { $0.state == key.state ? $0.count : 0 } ?? 0
      begun[key.name] = (key.state, before + 1)
    }
  }

  /// Opens a file of rows, or makes one. [control]
  ///
  /// - Parameters:
  ///   - path: where it lies.
  ///   - columns: of the rows.
  ///   - identity: what the rows are made by; those of something else are refused.
  ///   - restarts: whether rows that are there are thrown away.
  public init(
    _ path: String, columns: [TableColumn], identity: String, restarts: Bool = false
  ) throws(Fault) {
    self.columns = columns
    descriptor = open(path.systemPath, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw .system(Errno().text) }
    do throws(FileLock.Refusal) { lock = try FileLock(path) } catch {
      close(descriptor)
      if case .system(let reason) = error { throw .system(reason.text) }
      throw .taken
    }
    do throws(RegularFile.Refusal) { file = try RegularFile(path, most: Self.most) } catch {
      close(descriptor)
      throw .system("it is no file of rows")
    }
    try begin(identity, restarts: restarts)
  }

  deinit { close(descriptor) }

  /// Reads what is there, cuts off what is torn, and writes the head of a new file.
  private func begin(_ identity: String, restarts: Bool) throws(Fault) {
    let head = Self.line([.text("rows of visgraph"), .text(identity)] + columns.map { .text($0.name) })
    var bytes: [UInt8] = []
    if !restarts {
      bytes = file.bytes(at: 0, count: Int(file.size))
      guard bytes.count == file.size else { throw .system("it cannot be read to its end") }
    }
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let first = bytes.firstIndex(of: 0x0A).map { Array(bytes[...$0]) } ?? []
    // A head that is torn is one as well; anything else is a user's file, and is left alone.
    let isOurs = end > 0 ? first == head : head.starts(with: bytes)
    if !isOurs {
      guard let cells = Self.cells(first), cells.count >= 2, cells[0] == .text("rows of visgraph") else {
        throw .other("something else than rows")
      }
      throw .other(cells[1] == .text(identity) ? "rows of other columns" : "rows of another graph")
    }
    if end < file.size, ftruncate(descriptor, off_t(end)) != 0 { throw .system(Errno().text) }
    guard end > 0 else {
      if let failure = write(head) { throw .system(failure.text) }
      return places.withLock { $0.end = Int64(head.count) }
    }
    places.withLock { places in
      places.end = Int64(end)
      var begin = first.count
      while begin < end, let stop = bytes[begin...].firstIndex(of: 0x0A) {
        let line = Array(bytes[begin...stop])
        if let cells = Self.cells(line), cells.count >= 2, case .text(let name) = cells[0],
          case .text(let state) = cells[1]
        {
          if cells.count == 2 {
            places.note(Key(name: name, state: state))
          } else if cells.count == columns.count + 2 {
            places.known[name] = Place(state: state, begin: Int64(begin), count: line.count)
            places.begun[name] = nil
          }
        }
        begin = stop + 1
      }
    }
  }

  /// How many things have a row.
  public var count: Int { places.withLock { $0.known.count } }

  /// Whether the row of a thing is there, as the thing is now.
  public func has(_ key: Key) -> Bool { places.withLock { $0.known[key.name]?.state == key.state } }

  /// Notes that the row of a thing is about to be made.
  ///
  /// - Returns: how often that was begun before without an end: whatever made it had been ended meanwhile, by the thing maybe.
  /// - Throws: what the system says.
  public func begin(_ key: Key) throws(Fault) -> Int {
    let before = places.withLock { $0.begun[key.name].map { $0.state == key.state ? $0.count : 0 } ?? 0 }
    try append(Self.line([.text(key.name), .text(key.state)])) { places, _ in places.note(key) }
    return before
  }

  /// Notes that the row of a thing will not be made now: that it was begun says nothing against it.
  ///
  /// - Throws: what the system says.
  public func leave(_ key: Key) throws(Fault) {
    // A state that no thing has: none was begun in its own.
    try append(Self.line([.text(key.name), .text("")])) { places, _ in places.begun[key.name] = nil }
  }

  /// Adds the row of a thing; it takes the place of the one that was there. When this returns, no end of the process can
  /// lose it.
  ///
  /// - Throws: what the system says.
  public func add(_ row: [TableValue], of key: Key) throws(Fault) {
    try append(Self.line([.text(key.name), .text(key.state)] + row)) { places, count in
      places.known[key.name] = Place(state: key.state, begin: places.end, count: count)
      places.begun[key.name] = nil
    }
  }

  /// Writes a line, and notes what it says.
  private func append(_ line: [UInt8], _ note: (inout Places, _ count: Int) -> Void) throws(Fault) {
    let failure = places.withLock { places -> Errno? in
      if let failure = write(line) {
        // Half a line would join with the next.
        _ = ftruncate(descriptor, off_t(places.end))
        return failure
      }
      note(&places, line.count)
      places.end += Int64(line.count)
      return nil
    }
    if let failure { throw .system(failure.text) }
  }

  /// The newest row of a thing; nil: there is none.
  public func row(of name: String) -> [TableValue]? {
    guard let place = places.withLock({ $0.known[name] }) else { return nil }
    var line = [UInt8](repeating: 0, count: place.count)
    let count = line.withUnsafeMutableBytes {
      file.read($0.baseAddress!, count: place.count, at: place.begin)
    }
    guard count == place.count, let cells = Self.cells(line) else { return nil }
    return zip(columns, cells.dropFirst(2)).map { column, cell in
      // JSON knows one kind of numbers.
      if column.kind == .integer, case .number(let number) = cell {
        return Int64(exactly: number).map { .integer($0) } ?? .missing
      }
      return cell
    }
  }

  /// Has all rows lie on the disk, so that not even a power cut loses them.
  public func sync() throws(Fault) { if fdatasync(descriptor) != 0 { throw .system(Errno().text) } }

  private func write(_ line: [UInt8]) -> Errno? {
    line.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
  }

  // MARK: - Lines

  /// What a line holds, as JSON has it.
  private enum Cell: ReadFromJson {
    case list([Cell])
    case value(TableValue)
    static func object(_ pairs: [(String, Cell)]) -> Cell { .value(.missing) }
    static func array(_ values: [Cell]) -> Cell { .list(values) }
    static func string(_ text: String) -> Cell { .value(.text(text)) }
    static func number(_ number: Double) -> Cell { .value(.number(number)) }
    static func bool(_ flag: Bool) -> Cell { .value(.missing) }
    static var null: Cell { .value(.missing) }
  }

  private static func line(_ cells: [TableValue]) -> [UInt8] {
    let text = Array("[\(cells.map(JsonText.value).joined(separator: ","))]".utf8)
    return checksum(text[...]) + [0x20] + text + [0x0A]
  }

  /// What a line with its end says; nil where it is not as it was written.
  private static func cells(_ line: [UInt8]) -> [TableValue]? {
    guard line.count > 10, line[8] == 0x20, line.last == 0x0A else { return nil }
    let text = line[9..<(line.count - 1)]
    guard checksum(text).elementsEqual(line[..<8]),
      case .list(let cells)? = JsonReader.value(in: Array(text), as: Cell.self)
    else { return nil }
    return cells.map { if case .value(let value) = $0 { value } else { .missing } }
  }

  /// The CRC-32 of some bytes, in 8 digits.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = bytes.withUnsafeBufferPointer {
      crc32_z(0, $0.baseAddress, $0.count)
    }
    return Array(String(hexadecimal: sum, digits: 8).utf8)
  }
}
