import Engine
import Graphs
import Hosts
import Tables

/// A column that is made of the course of some levels. [any]
struct MeasuredColumn: Sendable {
  /// What is kept of the course of levels over a file.
  enum Statistic: String, CaseIterable, Sendable {
    /// The highest of all.
    case highest = "max"
    /// The mean of all; of decibels the mean of the powers, as decibels.
    case mean
    /// The middle one of those above 0.
    case median
    /// The last, when the file has ended.
    case last
  }

  /// What it is called and holds.
  var column: TableColumn
  /// The levels that it is made of, all together: those of an output, `ID.OUTPUT/`, or the one of this name, as
  /// files of levels name them.
  var levels: String
  /// What their channels are called, alone or behind a point; nil: whatever they are.
  var channel: String?
  var statistic: Statistic

  init(_ name: String, _ levels: String, channel: String? = nil, _ statistic: Statistic) {
    column = TableColumn(name, .number)
    (self.levels, self.channel, self.statistic) = (levels, channel, statistic)
  }

  /// Whether a level of a plan is one of them.
  func takes(_ level: FramePlan.Column) -> Bool {
    guard levels.hasSuffix("/") ? level.name.hasPrefix(levels) : level.name == levels else { return false }
    guard let channel else { return true }
    return level.label == channel || level.label?.hasSuffix(".\(channel)") == true
  }

  /// The columns of a user's graph: each level by three statistics.
  static func all(of plan: FramePlan) -> [MeasuredColumn] {
    var taken: Set<String> = []
    return plan.columns.flatMap { level in
      let unit = level.unit?.rawValue ?? ""
      var name = identifier("\(level.name) \(unit == "0…1" ? "" : unit)")
      // Names that differ by signs alone would be one.
      var number = 1
      while !taken.insert(name).inserted {
        number += 1
        name = identifier("\(level.name) \(number) \(unit)")
      }
      return [Statistic.mean, .highest, .last].map { statistic in
        MeasuredColumn("\(name)_\(statistic.rawValue)", level.name, statistic)
      }
    }
  }

  /// A text in small letters and digits, with `_` for all that lies between.
  private static func identifier(_ text: String) -> String {
    let parts = text.lowercased().unicodeScalars.split { scalar in
      !("a"..."z").contains(scalar) && !("0"..."9").contains(scalar)
    }
    return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: "_")
  }
}
