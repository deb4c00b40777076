import Graphs
import OSC
import Playback

/// Reads the arguments of a message as a command takes them. [port]
struct ControlArguments {
  let all: [Argument]
  /// The command with its arguments, as the docs write it.
  let usage: String

  var count: Int { all.count }

  /// Throws `.usage` for any other number of arguments.
  func need(_ counts: ClosedRange<Int>) throws(ControlError) {
    guard counts.contains(all.count) else { throw .usage(usage) }
  }

  /// Whether a button is pressed: without an argument, or with one that is not 0.
  func isPressed() throws(ControlError) -> Bool {
    try need(0...1)
    return all.isEmpty ? true : try isOn(0)
  }

  /// A flag: T, I or a number other than 0 is on; F, N or 0 is off.
  func isOn(_ index: Int) throws(ControlError) -> Bool {
    switch all[index] {
    case .bool(let value): return value
    case .impulse: return true
    case .null: return false
    default:
      guard let number = all[index].number, !number.isNaN else {
        throw .argument("the argument", found: all[index].words, takes: "0 or 1")
      }
      return number != 0
    }
  }

  func number(
    _ index: Int, _ name: String, in range: ClosedRange<Double>, unit: String = ""
  ) throws(ControlError) -> Double {
    let takes = "a number \(shortest(range.lowerBound))…\(shortest(range.upperBound))\(unit)"
    guard let number = all[index].number, range.contains(number) else {
      throw .argument(name, found: all[index].words, takes: takes)
    }
    return number
  }

  /// A number in the range of a player parameter.
  func number(
    _ index: Int, _ parameter: PlayerNumber, called name: String? = nil
  ) throws(ControlError) -> Double {
    try number(
      index, name ?? "the \(parameter.name)", in: parameter.range,
      unit: parameter.unit == .seconds ? " s" : "")
  }

  func whole(_ index: Int, _ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int {
    guard let number = all[index].number, let whole = Int(exactly: number), range.contains(whole) else {
      let takes = "a whole number \(range.lowerBound)…\(range.upperBound)"
      throw .argument(name, found: all[index].words, takes: takes)
    }
    return whole
  }

  /// The fade time from the argument `index` on: none, SECONDS, or SECONDS `linear`.
  func fade(from index: Int) throws(ControlError) -> FadeTime {
    guard count > index else { return .none }
    guard count <= index + 2 else { throw .usage(usage) }
    let seconds = try number(index, "the fade", in: 0...FadeTime.longest, unit: " s")
    guard count == index + 2 else { return FadeTime(seconds: seconds) }
    guard isWord(index + 1, "linear") else { throw .usage(usage) }
    return FadeTime(seconds: seconds, isLinear: true)
  }

  func text(_ index: Int, _ name: String) throws(ControlError) -> String {
    guard case .string(let text) = all[index], !text.isEmpty else {
      throw .argument(name, found: all[index].words, takes: "text")
    }
    return text
  }

  func isWord(_ index: Int, _ word: String) -> Bool { all[index] == .string(word) }

  /// One of the words of `type`, by their raw values.
  func word<Word: RawRepresentable & CaseIterable>(
    _ index: Int, _ name: String, of type: Word.Type
  ) throws(ControlError) -> Word where Word.RawValue == String {
    if case .string(let text) = all[index], let word = Word(rawValue: text) { return word }
    let words = type.allCases.map(\.rawValue).joined(separator: ", ")
    throw .argument(name, found: all[index].words, takes: "one of \(words)")
  }
}

extension Argument {
  /// The value as a number; text counts if it is a number without a unit. Nil: not a number.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .int64(let value): Double(value)
    // By its shortest decimal form: the float 0.1 becomes the double 0.1.
    case .float(let value): value.isFinite ? value.asWritten : nil
    case .double(let value): value.isFinite ? value : nil
    case .string(let text): Quantity(text).flatMap { $0.unit.isEmpty ? $0.number : nil }
    case .bool, .null, .impulse, .blob, .timeTag: nil
    }
  }

  /// Its name in the sentence of a fault.
  var words: String {
    switch self {
    case .int(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .float(let value): value.isFinite ? "\(value)" : "not a number"
    case .double(let value): value.isFinite ? "\(value)" : "not a number"
    case .string(let text): text.isEmpty ? "empty text" : "\"\(text.prefix(100))\""
    case .bool(let value): value ? "true" : "false"
    case .null: "nothing"
    case .impulse: "an impulse"
    case .blob(let bytes): "a blob of \(bytes.count) bytes"
    case .timeTag: "a time tag"
    }
  }
}
