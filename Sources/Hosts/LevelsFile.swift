import Glibc
public import Graphs
public import Realtime

/// Writes the levels of every frame to a file: `.csv`, a row per frame, or `.jsonl`, an object per frame. [frame]
public final class LevelsFile: FrameWatcher, @unchecked Sendable {
  /// How a file is laid out.
  public enum Layout: Sendable {
    /// A header, then a row per frame.
    case csv
    /// An object per line, with names.
    case jsonLines
  }

  /// Why a file could not be written.
  public struct Fault: Error, CustomStringConvertible {
    let path: String
    let number: Int32
    /// The path and the system's reason.
    public var description: String { "\(path): \(String(cString: strerror(number)))" }
  }

  private let path: String
  private let layout: Layout
  private let file: UnsafeMutablePointer<FILE>
  /// Writes in the place of `file` while a show is live.
  private let writer: BackgroundWriter?
  /// Frames that end later are not written; nil: no limit.
  private let lastSample: ((_ rate: Int64) -> Int64)?
  private var headed: [String]?
  /// The columns of the last frame: held, so that the same place in memory means the same columns.
  private var columns: [FramePlan.Column] = []
  /// The numbers of their levels.
  private var levels: [Int] = []
  private var line: [UInt8] = []
  private var failure: Int32 = 0
  /// Frames written so far.
  public private(set) var frames = 0
  /// Levels of each.
  public var width: Int { levels.count }

  /// Opens a file for writing; one that exists is an error unless `replacing`. A `live` one is written on a thread of its
  /// own and can be followed while it grows. [control]
  public init(
    path: String, layout: Layout, replacing: Bool, live: Bool = false,
    lastSample: ((_ rate: Int64) -> Int64)? = nil
  ) throws(Fault) {
    guard let file = fopen(path, replacing ? "we" : "wxe") else {
      throw Fault(path: path, number: errno)
    }
    self.path = path
    self.layout = layout
    self.file = file
    self.lastSample = lastSample
    setvbuf(file, nil, _IOFBF, 1 << 16)
    writer = live ? BackgroundWriter(dup(fileno(file))) : nil
  }

  /// The layout that a path's ending asks for.
  public static func layout(of path: String) -> Layout? {
    if path.hasSuffix(".csv") { return .csv }
    if path.hasSuffix(".jsonl") { return .jsonLines }
    return nil
  }

  /// Writes the row of a frame.
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let rate = plan.plan.pointee.rate
    if let lastSample, header.endSample > lastSample(rate) { return }
    var line = self.line
    self.line = []
    line.removeAll(keepingCapacity: true)
    take(plan.frames.columns, &line)
    let values = plan.frames.levels
    let seconds = Double(header.endSample) / Double(rate)
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
        line.append("\(index == 0 ? "" : ",")\(quoted(column.name)):{")
        if let label = column.label { line.append("\"name\":\(quoted(label)),") }
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

  /// Takes over the columns of another plan. A new header only where they have changed: after a reload.
  private func take(_ columns: [FramePlan.Column], _ line: inout [UInt8]) {
    let isKnown = columns.withUnsafeBufferPointer { new in
      self.columns.withUnsafeBufferPointer { $0.baseAddress == new.baseAddress && $0.count == new.count }
    }
    guard !isKnown || headed == nil else { return }
    self.columns = columns
    levels = columns.map(\.level)
    let names = columns.map(\.name)
    guard names != headed else { return }
    headed = names
    guard layout == .csv else { return }
    line.append((["frame", "time"] + names).joined(separator: ","))
    line.append(UInt8(ascii: "\n"))
  }

  /// Writes out what is buffered and closes. [control]
  public func close() throws(Fault) {
    if let writer { failure = writer.close() }
    if fclose(file) != 0 && failure == 0 { failure = errno }
    if failure != 0 { throw Fault(path: path, number: failure) }
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

/// A JSON string.
func quoted(_ text: String) -> String {
  var out = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": out += "\\\""
    case "\\": out += "\\\\"
    case _ where scalar.value < 0x20:
      let hex = String(scalar.value, radix: 16)
      out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: out.unicodeScalars.append(scalar)
    }
  }
  return out + "\""
}
