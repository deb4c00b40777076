import Graphs
import OSC

/// A setting to which an address refers: `/visgraph/node/meter/release`, `/visgraph/node/meter/2/hold`. [port]
struct SettingAddress {
  /// The path, as `--set` takes it: `meter.release`, `meter.each.2.hold`.
  let path: String
  /// The declared kind of its value; nil: none is declared, which the checker reports.
  let kind: ValueKind?

  /// The settings of all nodes and channels to which a message refers.
  static func all(_ call: ControlCall) throws(ControlError) -> [SettingAddress] {
    if let known = call.meaning.settings { return known }
    var found: [SettingAddress] = []
    var fault: ControlError?
    for node in try call.nodes() {
      do throws(ControlError) { found += try settings(of: node, call.rest) } catch { fault = fault ?? error }
    }
    // With a pattern, nodes that have no such setting are skipped.
    if let fault, found.isEmpty || !call.isPattern { throw fault }
    guard found.count <= GraphChange.most else {
      throw .tooMuch("these are \(found.count) settings at a time; at most \(GraphChange.most) are allowed")
    }
    call.meaning.keep(found)
    return found
  }

  private static func settings(
    of node: CheckedNode, _ rest: [Substring]
  ) throws(ControlError) -> [SettingAddress] {
    let whole = rest.joined(separator: ".")
    let head = whole.prefix { $0 != "." }
    if node.type.hasSetting(String(head)) {
      return [SettingAddress(path: "\(node.id).\(whole)", kind: node.type.setting(at: whole)?.kind)]
    }
    let unknown = ControlError.setting(String(head), node: node.id, known: node.type.settingNames)
    guard rest.count > 1, let pattern = AddressPattern(rest[0]) else { throw unknown }
    let channels = (node.inputs.first?.channels ?? node.outputs.first?.channels ?? []).filter { channel in
      pattern.matches(String(channel.number)) || channel.name.map { pattern.matches($0) } ?? false
    }
    guard !channels.isEmpty else { throw unknown }
    let setting = rest.dropFirst().joined(separator: ".")
    let name = String(setting.prefix { $0 != "." })
    guard node.type.hasSetting(name) else {
      throw .setting(name, node: node.id, known: node.type.settingNames)
    }
    let kind = node.type.setting(at: setting)?.kind
    return channels.map { SettingAddress(path: "\(node.id).each.\($0.number).\(setting)", kind: kind) }
  }

  /// The command of a message with a value; a fade time may follow a number.
  func command(_ call: ControlCall) throws(ControlError) -> ShowCommand {
    let arguments = call.arguments
    guard kind?.isNumber == true, arguments.count > 1 else {
      return .set(path: path, value: try value(call))
    }
    return .set(path: path, value: try value(arguments.all[0]), fade: try arguments.fade(from: 1))
  }

  /// The value in the arguments; several make a list.
  func value(_ call: ControlCall) throws(ControlError) -> SettingValue {
    let arguments = call.arguments.all
    guard !arguments.isEmpty, arguments.count <= 1000 else { throw .usage(call.arguments.usage) }
    if kind?.namesFiles == true { try checkFiles(arguments, call) }
    guard arguments.count > 1 else { return try value(arguments[0]) }
    var values: [SettingValue] = []
    for argument in arguments {
      if case .string(let text) = argument {
        // In a list, spaces around a number are removed.
        values.append(argument.number == nil ? try whole(text) : .written(trimmed(text)))
      } else {
        values.append(try value(argument))
      }
    }
    return .list(values)
  }

  private func value(_ argument: Argument) throws(ControlError) -> SettingValue {
    if let number = argument.number {
      if kind?.isFlag == true { return .flag(number != 0) }
      // Keeps the number as the sender wrote it.
      if case .string(let text) = argument { return .written(text) }
      return .number(number)
    }
    switch argument {
    case .float(-.infinity), .double(-.infinity): return .written("-inf")
    case .bool(let value): return .flag(value)
    case .null: return .written("none")
    case .string(let text):
      guard text.utf8.count <= 4096 else { throw .value("\(path) has a text of more than 4096 bytes") }
      guard text.first != "{" else {
        throw .value("\(path) is a map; set the values inside it one by one, by their own addresses")
      }
      return .written(text)
    case .float, .double: throw .value("\(path) is not a number (NaN), or beyond all numbers")
    default: throw .value("\(path) is \(argument.words); it takes a number, text, true or false")
    }
  }

  private func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.utf8.first == 0x20 { text.removeFirst() }
    while text.utf8.last == 0x20 { text.removeLast() }
    return String(text)
  }

  /// A text in a list, taken literally.
  private func whole(_ text: String) throws(ControlError) -> SettingValue {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), text.utf8.count <= 4096 else {
      throw .value("\(path) has a text with control characters, or of more than 4096 bytes")
    }
    return .text(text)
  }

  private func checkFiles(_ arguments: [Argument], _ call: ControlCall) throws(ControlError) {
    for argument in arguments {
      guard case .string(let text) = argument, text != "none" else { continue }
      // A color is allowed where a file is, and names no file.
      if ValueKind.isColor(text) { continue }
      guard let first = text.first, "[{\"'".contains(first) else {
        _ = try call.file(text)
        continue
      }
      // A score writes several files as a list in one text.
      guard first != "{", let tree = Tree.written(text) else { throw .file(text, .noPath) }
      for entry in tree.list ?? [tree] {
        guard let file = entry.text else { throw .file(text, .noPath) }
        if file != "none", !ValueKind.isColor(file) { _ = try call.file(file) }
      }
    }
  }
}
