import Engine
import Glibc
import Graphs
import Metering
import Realtime
import Tables

/// Watches the levels of a graph over a file, and keeps what columns want of them. [frame]
final class LevelStatistics: FrameObserver, @unchecked Sendable {
  private let program: ProgramEnd
  private var courses: [Course]
  private var isBegun = false

  /// What is kept of the levels of a column.
  fileprivate struct Course {
    let column: MeasuredColumn
    /// By number; those of channels that there are.
    var levels: [Int] = []
    /// Whether they are decibels.
    var isDecibels = false
    var highest = -Float.infinity
    var sum = 0.0
    var count = 0
    var above0: [Float] = []
    /// Of the last frame; of several channels the highest.
    var last: Float?
  }

  /// - Parameter program: where the file ends: frames that begin behind that count for nothing but the last levels.
  init(_ columns: [MeasuredColumn], _ program: ProgramEnd) {
    self.program = program
    courses = columns.map { Course(column: $0) }
  }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    if !isBegun { begin(plan.frames) }
    let isProgram = header.endSample - Int64(header.samples) < program.end
    for place in courses.indices { courses[place].take(plan.frames.levels, isProgram) }
  }

  private func begin(_ plan: FramePlan) {
    isBegun = true
    for place in courses.indices {
      let levels = plan.columns.filter(courses[place].column.takes)
      courses[place].levels = levels.map(\.level)
      courses[place].isDecibels = levels.first?.type == .decibels
    }
  }

  /// A value for each column.
  var values: [TableValue] { courses.map(\.value) }
}

extension LevelStatistics.Course {
  fileprivate mutating func take(_ all: UnsafeMutablePointer<Float>, _ isProgram: Bool) {
    last = nil
    for level in levels {
      let value = all[level]
      switch column.statistic {
      case .last: last = max(last ?? value, value)
      case .highest: if isProgram { highest = max(highest, value) }
      case .median: if isProgram, value > 0 { above0.append(value) }
      case .mean:
        guard isProgram else { continue }
        sum += isDecibels ? pow(10, Double(value) / 10) : Double(value)
        count += 1
      }
    }
  }

  fileprivate var value: TableValue {
    switch column.statistic {
    case .last: Self.value(last, isDecibels)
    case .highest: Self.value(highest, isDecibels)
    case .median:
      above0.isEmpty ? .missing : Self.value(above0.sorted()[above0.count / 2], isDecibels)
    case .mean:
      count == 0
        ? .missing
        : Self.value(Float(isDecibels ? 10 * log10(sum / Double(count)) : sum / Double(count)), isDecibels)
    }
  }

  /// A level as the decimal that files of levels have; none where there is nothing, and at the floor of decibels.
  private static func value(_ level: Float?, _ isDecibels: Bool) -> TableValue {
    guard let level, level.isFinite, !isDecibels || level > Decibels.floor else { return .missing }
    return Double(level.description).map { .number($0) } ?? .missing
  }
}
