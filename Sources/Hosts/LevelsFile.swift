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
  /// Frames that end later are not written; nil: no limit.
  private let lastSample: ((_ rate: Int64) -> Int64)?
  private var headed: [String]?
  private var line: [UInt8] = []
  private var failure: Int32 = 0

  /// Opens a file for writing; one that exists is an error unless `replacing`. [control]
  public init(
    path: String, layout: Layout, replacing: Bool, lastSample: ((_ rate: Int64) -> Int64)? = nil
  ) throws(Fault) {
    guard let file = path == "-" ? fdopen(dup(1), "w") : fopen(path, replacing ? "we" : "wxe") else {
      throw Fault(path: path, number: errno)
    }
    self.path = path
    self.layout = layout
    self.file = file
    self.lastSample = lastSample
    setvbuf(file, nil, _IOFBF, 1 << 16)
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
    let columns = plan.frames.columns
    let seconds = Double(header.endSample) / Double(rate)
    line.removeAll(keepingCapacity: true)
    switch layout {
    case .csv:
      head(columns)
      add("\(header.frame),")
      add(shortest(seconds))
      for column in columns {
        line.append(UInt8(ascii: ","))
        add(shortest(plan.frames.levels[column.level]))
      }
    case .jsonLines:
      add("{\"frame\":\(header.frame),\"time\":\(shortest(seconds)),\"levels\":{")
      for (index, column) in columns.enumerated() {
        add("\(index == 0 ? "" : ",")\(quoted(column.name)):{")
        if let label = column.label { add("\"name\":\(quoted(label)),") }
        add("\"value\":\(shortest(plan.frames.levels[column.level]))}")
      }
      add("}}")
    }
    line.append(UInt8(ascii: "\n"))
    if fwrite(line, 1, line.count, file) < line.count && failure == 0 { failure = errno }
  }

  /// A new header only where the columns have changed: after a reload.
  private func head(_ columns: [FramePlan.Column]) {
    let names = columns.map(\.name)
    guard names != headed else { return }
    headed = names
    add((["frame", "time"] + names).joined(separator: ","))
    line.append(UInt8(ascii: "\n"))
  }

  private func add(_ text: String) { line.append(contentsOf: text.utf8) }

  /// Writes out what is buffered and closes. [control]
  public func close() throws(Fault) {
    if fclose(file) != 0 && failure == 0 { failure = errno }
    if failure != 0 { throw Fault(path: path, number: failure) }
  }
}

/// The shortest decimal that reads back the same.
func shortest<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
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
