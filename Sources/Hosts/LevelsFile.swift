public import Engine
import Glibc
import Graphs
import Realtime
import System

/// Writes the levels of every frame to a file: `.csv`, a row per frame, or `.jsonl`, an object per frame. [frame]
public final class LevelsFile: FrameObserver, @unchecked Sendable {
  /// The format of a file.
  public enum Layout: Sendable {
    /// A header, then a row per frame.
    case csv
    /// An object per line, with names.
    case jsonLines
  }

  /// Why a file could not be written.
  public struct WriteError: Error, CustomStringConvertible {
    let path: String
    let number: Int32
    /// Rows that are missing.
    var leftOut = 0
    /// The path and the system's reason.
    public var description: String {
      let reason = number == 0 ? "it was not read fast enough" : String(cString: strerror(number))
      return "\(path): \(reason)" + (leftOut > 0 ? "; \(leftOut) rows are missing" : "")
    }
  }

  private let path: String
  private let layout: Layout
  private let file: UnsafeMutablePointer<FILE>
  /// Writes instead of `file` while a show is live.
  private let writer: BackgroundWriter?
  /// Frames that end later on the timeline are not written; in seconds, nil: no limit.
  private let length: Double?
  /// The names in the last header; nil before the first frame.
  private var headed: [String]?
  /// The columns of the last frame. They are retained, so the same base address means the same columns.
  private var columns: [FramePlan.Column] = []
  /// The indices of their levels in a frame.
  private var levels: [Int] = []
  /// A buffer for the row of a frame.
  private var line: [UInt8] = []
  /// The `errno` of a failed write; 0: none.
  private var failure: Int32 = 0
  /// Frames written so far.
  public private(set) var frames = 0
  /// The number of levels in a row.
  public var width: Int { levels.count }
  /// Which changes of the writing were reported. [control]
  private var news = BackgroundWriter.News()
  private let closed = Locked(false)

  /// Opens a file for writing. An existing file is an error unless `replacing`. A `live` file is written on a thread
  /// of its own, and readers may follow it while it grows. [control]
  public init(
    path: String, layout: Layout, replacing: Bool, live: Bool = false,
    length: Double? = nil
  ) throws(WriteError) {
    guard let file = Self.open(path, replacing: replacing, live: live) else {
      throw WriteError(path: path, number: errno)
    }
    self.path = path
    self.layout = layout
    self.file = file
    self.length = length
    setvbuf(file, nil, _IOFBF, 1 << 16)
    do throws(Errno) {
      writer = live ? try BackgroundWriter(dup(fileno(file))) : nil
    } catch {
      fclose(file)
      throw WriteError(path: path, number: error.number)
    }
  }

  private static func open(_ path: String, replacing: Bool, live: Bool) -> UnsafeMutablePointer<FILE>? {
    var status = stat()
    // Opening a named pipe for writing blocks until a reader opens it. Opened for reading as well, it does not block,
    // and readers may come and go.
    let isPipe = live && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    return fopen(path, isPipe ? "r+e" : replacing ? "we" : "wxe")
  }

  /// The layout for the extension of a path; nil: neither .csv nor .jsonl.
  public static func layout(of path: String) -> Layout? {
    if path.hasSuffix(".csv") { return .csv }
    if path.hasSuffix(".jsonl") { return .jsonLines }
    return nil
  }

  /// Writes the row of a frame.
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let timeline = plan.frames.timeline
    if let length, header.endSample > timeline.sample(at: length) { return }
    var line = self.line
    self.line = []
    line.removeAll(keepingCapacity: true)
    take(plan.frames.columns, &line)
    let values = plan.frames.levels
    let seconds = timeline.seconds(at: header.endSample)
    switch layout {
    case .csv:
      line.append(header.frame.description)
      line.append(UInt8(ascii: ","))
      line.append(shortest: seconds)
      for level in levels {
        line.append(UInt8(ascii: ","))
        line.append(shortest: values[level])
      }
    case .jsonLines:
      line.append("{\"frame\":\(header.frame),\"time\":")
      line.append(shortest: seconds)
      line.append(",\"levels\":{")
      for (index, column) in columns.enumerated() {
        line.append("\(index == 0 ? "" : ",")\(JsonText.quoted(column.name)):{")
        if let label = column.label { line.append("\"name\":\(JsonText.quoted(label)),") }
        if let unit = column.statedUnit { line.append("\"unit\":\(JsonText.quoted(unit.rawValue)),") }
        line.append("\"value\":")
        line.append(shortest: values[column.level])
        line.append(UInt8(ascii: "}"))
      }
      line.append("}}")
    }
    line.append(UInt8(ascii: "\n"))
    frames += 1
    if let writer {
      writer.add(line)
    } else if fwrite(line, 1, line.count, file) < line.count && failure == 0 {
      failure = errno
    }
    self.line = line
  }

  /// Takes over the columns of a plan. Writes a header where their names have changed, as after a reload.
  private func take(_ columns: [FramePlan.Column], _ line: inout [UInt8]) {
    let isKnown = columns.withUnsafeBufferPointer { new in
      self.columns.withUnsafeBufferPointer { $0.baseAddress == new.baseAddress && $0.count == new.count }
    }
    guard !isKnown || headed == nil else { return }
    self.columns = columns
    levels = columns.map(\.level)
    let names = columns.map { column in
      column.name + (column.statedUnit.map { " [\($0.rawValue)]" } ?? "")
    }
    guard names != headed else { return }
    headed = names
    guard layout == .csv else { return }
    line.append((["frame", "time"] + names).joined(separator: ","))
    line.append(UInt8(ascii: "\n"))
  }

  /// Whether a write has failed. [control]
  public var hasFailed: Bool { failure != 0 }

  /// A report on the writing of a live file at `time` in seconds; at most one in 10 s, else nil. [control]
  public func takeMessage(at time: Double) -> String? {
    guard let now = writer?.now else { return nil }
    return news.take(now, of: path, "levels", at: time) { "\($0) rows are missing" }
  }

  /// The current fault of a live file, in a sentence; nil: none. [any]
  public var fault: String? { writer?.now.fault(of: path, "levels") { "\($0) rows are missing" } }

  /// Whether rows of a live file are lost, or would be if the process ended now. [any]
  public var losesData: Bool { writer?.now.losesData ?? false }

  /// Writes the buffered rows and closes the file. Rows that are not written after `seconds` are lost. [any], several
  /// at a time.
  public func close(within seconds: Double? = nil) throws(WriteError) {
    let status = writer?.close(within: seconds)
    if let status, status.error != 0 { failure = status.error }
    let isFirst = closed.withLock { closed in
      defer { closed = true }
      return !closed
    }
    if isFirst, fclose(file) != 0 && failure == 0 { failure = errno }
    let leftOut = status?.leftOut ?? 0
    if failure != 0 || leftOut > 0 { throw WriteError(path: path, number: failure, leftOut: leftOut) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends the shortest decimal that reads back the same.
  fileprivate mutating func append<Number: BinaryFloatingPoint & CustomStringConvertible>(
    shortest number: Number
  ) {
    var text = number.description
    text.withUTF8 { digits in
      let isWhole = digits.suffix(2).elementsEqual(".0".utf8)
      append(contentsOf: UnsafeBufferPointer(rebasing: digits.dropLast(isWhole ? 2 : 0)))
    }
  }
}
