import Graphs
import OSC

/// Writes the settings of a graph for subscribers: every setting that is one number, word or flag, at the address that
/// sets it, and numbers at their faders as well. Writes only what has changed. [port]
struct SettingFeedback {
  private struct Row {
    let field: String
    let channel: Int?
    let address: String
    /// Nil if it is not a number.
    let fader: String?
    /// The value that was written last; nil: none was.
    var value: SettingValue?
  }

  /// By node, in the order of the graph.
  private var rows: [[Row]] = []

  /// Writes the settings that have changed.
  mutating func write(_ graph: CheckedGraph, to state: inout FeedbackState) {
    if rows.count != graph.nodes.count { rows = Array(repeating: [], count: graph.nodes.count) }
    for (place, node) in graph.nodes.enumerated() {
      let readings = node.settingReadings
      let isSame = rows[place].elementsEqual(readings) { $0.field == $1.field && $0.channel == $1.channel }
      if !isSame { rows[place] = readings.map { Self.row(node.id, $0) } }
      for (index, reading) in readings.enumerated() where rows[place][index].value != reading.value {
        rows[place][index].value = reading.value
        Self.write(reading, rows[place][index], to: &state)
      }
    }
  }

  private static func row(_ node: String, _ reading: SettingReading) -> Row {
    let channel = reading.channel.map { "/\($0 + 1)" } ?? ""
    let place = "\(node)\(channel)/\(reading.field)"
    return Row(
      field: reading.field, channel: reading.channel, address: "/visgraph/node/\(place)",
      fader: reading.kind.isNumber ? "/visgraph/fader/\(place)" : nil)
  }

  private static func write(_ reading: SettingReading, _ row: Row, to state: inout FeedbackState) {
    write(argument(reading.value), at: row.address, to: &state)
    guard let fader = row.fader else { return }
    write(reading.kind.faderPlace(of: reading.value).map { .float($0) }, at: fader, to: &state)
  }

  /// Writes an argument. For a value without one, such as a list or, at a fader, the word `none`, clears an earlier
  /// argument.
  private static func write(_ argument: Argument?, at address: String, to state: inout FeedbackState) {
    if let argument {
      state.set(address, argument)
    } else if state.has(address) {
      state.set(address, [])
    }
  }

  private static func argument(_ value: SettingValue) -> Argument? {
    switch value {
    // Adding 0 makes -0 positive.
    case .number(let number) where number.isFinite: return .float(Float(number) + 0)
    case .flag(let isOn): return .int(isOn ? 1 : 0)
    default: return argument(written: value)
    }
  }

  private static func argument(written value: SettingValue) -> Argument? {
    let text = value.text
    if let quantity = Quantity(text) { return .float(Float(quantity.number)) }
    guard let first = text.first, !"[{".contains(first), text.utf8.count <= 256 else { return nil }
    return .string(value.plainText)
  }
}
