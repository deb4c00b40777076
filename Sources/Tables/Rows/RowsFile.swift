import CZlib
import Glibc
import Synchronization
import System

/// A journal of rows on their way into a table. Each row is written to the file at once, as a line of JSON after its
/// checksum. If the process is killed, only the rows that were being made are lost, and the next process goes on from
/// the others. [any]
///
/// A line that is incomplete or changed counts as not written. Only one process at a time may open the file.
public final class RowsFile: Sendable {
  /// Why rows cannot be kept.
  public enum Fault: Error, Equatable {
    /// Another process has the file open.
    case taken
    /// The file has other content, which the text names.
    case other(String)
    /// The error of the system, or why the file is refused.
    case system(String)
  }

  /// A thing and its version: a row is valid only for the version that it was made of.
  public struct Key: Equatable, Sendable {
    /// The name of the thing, such as the path of a file.
    public var name: String
    /// The version, such as the size and the modification time of a file.
    public var version: String

    /// Makes a key.
    public init(name: String, version: String) { (self.name, self.version) = (name, version) }
  }

  /// The version of a thing's newest row, and where the row's line is in the file, in bytes.
  private struct Place {
    var version: String
    var begin: Int64
    var count: Int
  }

  private static let unreadable = "it cannot be read to its end"
  /// A file above this size, in bytes, is refused.
  private static let most = 16 << 30

  private let descriptor: Int32
  private let file: RegularFile
  private let lock: FileLock
  private let columns: [TableColumn]
  private let places = Locked(Places())

  /// An index of the file.
  private struct Places {
    var known: [String: Place] = [:]
    /// The attempts without a row, for the newest version of each thing.
    var begun: [String: (version: String, count: Int)] = [:]
    var end: Int64 = 0
    /// Whether the file ends with a partial line.
    var isTorn = false

    mutating func note(_ key: Key) {
      let before = begun[key.name].map { $0.version == key.version ? $0.count : 0 } ?? 0
      begun[key.name] = (key.version, before + 1)
    }
  }

  /// Opens a file of rows, or creates one. [control]
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - columns: the columns of the rows.
  ///   - identity: what the rows are made by; rows of another identity are refused.
  ///   - restarts: whether the content of a regular file is discarded unread, whatever it is.
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
      switch error {
      case .system(let reason): throw .system(reason.text)
      case .folder, .notRegular: throw .system("it is no regular file")
      case .tooLarge: throw .system("it has more than \(Self.most >> 30) GiB")
      }
    }
    try readPresentLines(identity, restarts: restarts)
  }

  deinit { close(descriptor) }

  /// Reads the present lines, cuts an incomplete one off, and writes the header of a new file.
  private func readPresentLines(_ identity: String, restarts: Bool) throws(Fault) {
    let head = Self.line([.text("rows of visgraph"), .text(identity)] + columns.map { .text($0.name) })
    let begin = restarts ? [] : file.bytes(at: 0, count: head.count)
    guard restarts || begin.count == min(Int64(head.count), file.size) else {
      throw .system(Self.unreadable)
    }
    // An incomplete header is valid as well. Any other content is a user's file and stays untouched, except with
    // `restarts`, where nothing was read.
    guard begin == head || head.starts(with: begin) && (restarts || file.size < head.count) else {
      throw .other(otherContent(identity))
    }
    var found = Places()
    if begin == head {
      do throws(LineReader.Unreadable) { try read(from: Int64(head.count), into: &found) } catch {
        throw .system(Self.unreadable)
      }
    }
    if found.end < file.size, ftruncate(descriptor, off_t(found.end)) != 0 { throw .system(Errno().text) }
    if begin != head {
      if let failure = write(head) { throw .system(failure.text) }
      found.end = Int64(head.count)
    }
    places.withLock { $0 = found }
  }

  /// Reads the lines from an offset on into an index of the file.
  private func read(from offset: Int64, into places: inout Places) throws(LineReader.Unreadable) {
    var reader = LineReader(file, from: offset)
    places.end = offset
    while let line = try reader.line() {
      if let cells = Self.cells(line) { index(cells, at: places.end, count: line.count, in: &places) }
      places.end = reader.offset
    }
  }

  /// Adds a line to an index of the file.
  private func index(_ cells: [TableValue], at begin: Int64, count: Int, in places: inout Places) {
    guard cells.count >= 2, case .text(let name) = cells[0], case .text(let version) = cells[1] else {
      return
    }
    if cells.count == 2 {
      places.note(Key(name: name, version: version))
    } else if cells.count == columns.count + 2 {
      places.known[name] = Place(version: version, begin: begin, count: count)
      places.begun[name] = nil
    }
  }

  /// What a file holds whose header is not that of these rows.
  private func otherContent(_ identity: String) -> String {
    // Enough for the header of any graph; the file of a user may be of any size, and without a line feed.
    let begin = file.bytes(at: 0, count: 1 << 20)
    guard let stop = begin.firstIndex(of: 0x0A), let cells = Self.cells(Array(begin[...stop])),
      cells.count >= 2,
      cells[0] == .text("rows of visgraph")
    else { return "something else than rows" }
    return cells[1] == .text(identity) ? "rows of other columns" : "rows of another graph"
  }

  /// The number of things that have a row.
  public var count: Int { places.withLock { $0.known.count } }

  /// Whether there is a row of this version of the thing.
  public func has(_ key: Key) -> Bool { places.withLock { $0.known[key.name]?.version == key.version } }

  /// Notes an attempt to make a row.
  ///
  /// - Returns: the attempts before that made no row, perhaps because the thing ended the process.
  /// - Throws: the system's error.
  public func noteAttempt(_ key: Key) throws(Fault) -> Int {
    let before = places.withLock { $0.begun[key.name].map { $0.version == key.version ? $0.count : 0 } ?? 0 }
    try append(Self.line([.text(key.name), .text(key.version)])) { places, _ in places.note(key) }
    return before
  }

  /// Takes back an attempt, which then does not count as one without a row.
  ///
  /// - Throws: the system's error.
  public func withdrawAttempt(_ key: Key) throws(Fault) {
    // Writes an empty version, which no thing has: the count of attempts starts from 0 again.
    try append(Self.line([.text(key.name), .text("")])) { places, _ in places.begun[key.name] = nil }
  }

  /// Adds the row of a thing, in place of an earlier one. When this returns, the end of the process cannot lose it.
  ///
  /// - Throws: the system's error.
  public func add(_ row: [TableValue], of key: Key) throws(Fault) {
    try append(Self.line([.text(key.name), .text(key.version)] + row)) { places, count in
      places.known[key.name] = Place(version: key.version, begin: places.end, count: count)
      places.begun[key.name] = nil
    }
  }

  /// Writes a line, and updates the index by `note`.
  private func append(_ line: [UInt8], _ note: (inout Places, _ count: Int) -> Void) throws(Fault) {
    let failure = places.withLock { places -> Errno? in
      if places.isTorn { return Errno(EIO) }
      if let failure = write(line) {
        // A partial line would join with the next one. Where it cannot be cut off, no line is added any more.
        if ftruncate(descriptor, off_t(places.end)) != 0 { places.isTorn = true }
        return failure
      }
      note(&places, line.count)
      places.end += Int64(line.count)
      return nil
    }
    if let failure { throw .system(failure.text) }
  }

  /// The newest row of a thing; nil: there is none.
  ///
  /// - Throws: a fault if the row was written and cannot be read any more.
  public func row(of name: String) throws(Fault) -> [TableValue]? {
    guard let place = places.withLock({ $0.known[name] }) else { return nil }
    var line = [UInt8](repeating: 0, count: place.count)
    let count = line.withUnsafeMutableBytes {
      file.read($0.baseAddress!, count: place.count, at: place.begin)
    }
    guard count == place.count, let cells = Self.cells(line) else {
      throw .system("the row of \(name) cannot be read any more")
    }
    return zip(columns, cells.dropFirst(2)).map { column, cell in
      // JSON has one type of number.
      if column.kind == .integer, case .number(let number) = cell {
        return Int64(exactly: number).map { .integer($0) } ?? .missing
      }
      return cell
    }
  }

  /// Flushes all rows to the disk, so that a power failure cannot lose them.
  public func sync() throws(Fault) { if fdatasync(descriptor) != 0 { throw .system(Errno().text) } }

  private func write(_ line: [UInt8]) -> Errno? {
    line.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
  }

  // MARK: - Lines

  /// A value of a line in JSON.
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

  /// The cells of a line with its line feed; nil where the checksum does not match.
  private static func cells(_ line: [UInt8]) -> [TableValue]? {
    guard line.count > 10, line[8] == 0x20, line.last == 0x0A else { return nil }
    let text = line[9..<(line.count - 1)]
    guard checksum(text).elementsEqual(line[..<8]),
      case .list(let cells)? = JsonReader.value(in: Array(text), as: Cell.self)
    else { return nil }
    return cells.map { if case .value(let value) = $0 { value } else { .missing } }
  }

  /// The CRC-32 of some bytes as 8 hexadecimal digits.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let sum = bytes.withUnsafeBufferPointer {
      crc32_z(0, $0.baseAddress, $0.count)
    }
    return Array(String(hexadecimal: sum, digits: 8).utf8)
  }
}
