import Engine
import Graphs
import Hosts
import Tables

/// A column of the table: a statistic of some levels over a file. [any]
struct MeasuredColumn: Sendable {
  enum Statistic: String, CaseIterable, Sendable {
    /// The maximum.
    case highest = "max"
    /// The mean. In decibels: the mean of the powers, in decibels.
    case mean
    /// The median of the values above 0.
    case median
    /// The value after the end of the file.
    case last
  }

  /// The column's name and type.
  var column: TableColumn
  /// Which levels are taken: every channel of an output (`ID.OUTPUT/`, with the slash), or the one level of this name.
  /// Names are those in the head of a file of levels.
  var levels: String
  /// The channel's label, or its part after a point; nil: all channels.
  var channel: String?
  var statistic: Statistic

  init(_ name: String, _ levels: String, channel: String? = nil, _ statistic: Statistic) {
    column = TableColumn(name, .number)
    (self.levels, self.channel, self.statistic) = (levels, channel, statistic)
  }

  /// Whether a level belongs to the column.
  func takes(_ level: FramePlan.Column) -> Bool {
    guard levels.hasSuffix("/") ? level.name.hasPrefix(levels) : level.name == levels else { return false }
    guard let channel else { return true }
    return level.label == channel || level.label?.hasSuffix(".\(channel)") == true
  }

  /// The columns of a user's graph: three statistics for each level.
  static func all(of plan: FramePlan) -> [MeasuredColumn] {
    var taken: Set<String> = []
    return plan.columns.flatMap { level in
      let unit = level.unit?.rawValue ?? ""
      var name = identifier("\(level.name) \(unit == "0…1" ? "" : unit)")
      // Names that differ in punctuation alone give the same identifier.
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

  /// The text in lower-case ASCII letters and digits, with `_` for everything between them.
  private static func identifier(_ text: String) -> String {
    let parts = text.lowercased().unicodeScalars.split { scalar in
      !("a"..."z").contains(scalar) && !("0"..."9").contains(scalar)
    }
    return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: "_")
  }
}
