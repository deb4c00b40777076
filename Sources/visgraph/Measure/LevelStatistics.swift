import Engine
import Glibc
import Graphs
import Metering
import Realtime
import Tables

/// Computes the statistics of levels over a file. [frame]
final class LevelStatistics: FrameObserver, @unchecked Sendable {
  private let program: ProgramEnd
  private var accumulators: [Accumulator]
  /// Whether the levels of the columns were found.
  private var isBegun = false

  /// The running statistic of a column.
  fileprivate struct Accumulator {
    let column: MeasuredColumn
    /// The level numbers of the channels.
    var levels: [Int] = []
    /// Whether the levels are in decibels.
    var isDecibels = false
    var highest = -Float.infinity
    var sum = 0.0
    var count = 0
    /// The values above 0, for the median.
    var above0: [Float] = []
    /// The level of the last frame; of several channels, the highest.
    var last: Float?
  }

  /// - Parameter program: has the end of the file. Frames that begin at or after it count for `last` alone.
  init(_ columns: [MeasuredColumn], _ program: ProgramEnd) {
    self.program = program
    accumulators = columns.map { Accumulator(column: $0) }
  }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    if !isBegun { begin(plan.frames) }
    let isProgram = header.endSample - Int64(header.samples) < program.end
    for place in accumulators.indices { accumulators[place].take(plan.frames.levels, isProgram) }
  }

  private func begin(_ plan: FramePlan) {
    isBegun = true
    for place in accumulators.indices {
      let levels = plan.columns.filter(accumulators[place].column.takes)
      accumulators[place].levels = levels.map(\.level)
      accumulators[place].isDecibels = levels.first?.type == .decibels
    }
  }

  var values: [TableValue] { accumulators.map(\.value) }
}

extension LevelStatistics.Accumulator {
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

  /// A level as a decimal, with the digits that files of levels have; missing where it is not finite, or at the floor
  /// of decibels.
  private static func value(_ level: Float?, _ isDecibels: Bool) -> TableValue {
    guard let level, level.isFinite, !isDecibels || level > Decibels.floor else { return .missing }
    return Double(level.description).map { .number($0) } ?? .missing
  }
}
