import Controls
import Graphs
import OSC

/// The addresses of a show as OSCQuery tells them: what each takes, means and is at the moment.
///
/// After the proposal of Vidvox: every address is an object with FULL_PATH, and CONTENTS where others lie below it.
struct QueryNamespace {
  /// What is known of one address.
  struct Entry {
    /// 0 nothing, 1 read, 2 write, 3 both.
    var access = 0
    var arguments: [Argument] = []
    var type: String?
    var range: Json?
    var unit: String?
    var help: String?
  }

  /// By address.
  private(set) var entries: [String: Entry] = [:]

  /// What a graph declares, what the control port understands, and how all of it stands.
  init(_ graph: CheckedGraph?, _ state: FeedbackState) {
    for (address, arguments, help) in ControlReference.plainAddresses {
      // What takes arguments in several forms is given no type: it would be a lie for all but one.
      entries[address] = Entry(access: 2, type: arguments.hasPrefix("[") ? "" : nil, help: help)
    }
    for node in graph?.nodes ?? [] {
      for leaf in node.settingLeaves { add(leaf, of: node.id) }
    }
    for known in state.entries {
      var entry = entries[known.address] ?? Entry(access: 1)
      entry.arguments = known.arguments
      // The master and the blackout are set and told at one address.
      if entry.access == 2 { entry.access = 3 }
      entries[known.address] = entry
    }
    entries["/visgraph/master"]?.type = "f"
    entries["/visgraph/master"]?.range = Self.range(0, 1)
    entries["/visgraph/blackout"]?.type = "i"
    entries["/visgraph/blackout"]?.range = Self.range(0, 1)
  }

  private mutating func add(_ leaf: SettingLeaf, of id: String) {
    let channel = leaf.channel.map { "/\($0 + 1)" } ?? ""
    let path = leaf.path.replacing(".", with: "/")
    let kind = leaf.setting.kind
    var entry = Entry(access: 3, help: leaf.setting.help)
    (entry.type, entry.range, entry.unit) = Self.attributes(kind)
    entry.arguments = [Quantity(leaf.text).map { .double($0.number) } ?? .string(leaf.text)]
    entries["/visgraph/node/\(id)\(channel)/\(path)"] = entry
    guard let place = kind.faderPlace(of: leaf.text) else { return }
    entries["/visgraph/fader/\(id)\(channel)/\(path)"] = Entry(
      access: 3, arguments: [.float(place)], type: "f", range: Self.range(0, 1), help: leaf.setting.help)
  }

  /// The type tag, the range and the unit of a kind of value.
  private static func attributes(_ kind: ValueKind) -> (type: String, range: Json?, unit: String?) {
    switch kind {
    case .number(let unit, let range, let whole):
      return (whole ? "i" : "f", Self.range(range.lowerBound, range.upperBound), Self.unit(unit))
    case .flag: return ("T", nil, nil)
    case .choice(let choices):
      let words = Json.array(choices.map { .string($0.word) })
      return ("s", .array([.object([("VALS", words)])]), nil)
    case .oneOf(let kinds):
      let number = kinds.first { if case .number = $0 { true } else { false } }
      return number.map(attributes) ?? ("s", nil, nil)
    default: return ("s", nil, nil)
    }
  }

  private static func range(_ least: Double, _ most: Double) -> Json {
    var pairs: [(String, Json)] = []
    if least > -1e15 { pairs.append(("MIN", .number(least))) }
    if most < 1e15 { pairs.append(("MAX", .number(most))) }
    return .array([.object(pairs)])
  }

  private static func unit(_ unit: Unit) -> String? {
    switch unit {
    case .seconds: "time.second"
    case .hertz: "time.hz"
    case .decibels, .gain: "gain.db-raw"
    case .radians: "angle.radian"
    case .points, .pointsAcross, .pointsDown: "distance.pixels"
    case .none, .amplitude, .ratio, .perSecond: nil
    }
  }

  // MARK: - As JSON

  /// The tree from an address down; nil where there is nothing. `attribute`: that one alone.
  func json(at address: String, attribute: String? = nil) -> String? {
    let address = address == "/" ? "" : address
    if let attribute {
      guard let entry = entries[address],
        let value = Self.pairs(entry, address).first(where: { $0.0 == attribute })
      else { return nil }
      return "{\(Json.string(attribute).line):\(value.1)}"
    }
    let below = entries.keys.filter { $0 == address || $0.hasPrefix(address + "/") }.sorted()
    guard !below.isEmpty || address.isEmpty else { return nil }
    var tree = QueryTree()
    for key in below { tree.add(key.dropFirst(address.utf8.count).split(separator: "/")[...], key) }
    return text(tree, address)
  }

  private func text(_ tree: QueryTree, _ address: String) -> String {
    var pairs = Self.pairs(tree.address.flatMap { entries[$0] } ?? Entry(), address.isEmpty ? "/" : address)
    if !tree.below.isEmpty {
      let inner = tree.below.map { "\(Json.string($0.name).line):\(text($0.tree, "\(address)/\($0.name)"))" }
      pairs.append(("CONTENTS", "{\(inner.joined(separator: ","))}"))
    }
    return "{\(pairs.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
  }

  private static func pairs(_ entry: Entry, _ address: String) -> [(String, String)] {
    var pairs = [("FULL_PATH", Json.string(address).line), ("ACCESS", "\(entry.access)")]
    let type = entry.type ?? entry.arguments.map(\.tag).joined()
    if entry.access & 1 == 1 || entry.type != nil { pairs.append(("TYPE", Json.string(type).line)) }
    if entry.access & 1 == 1, !entry.arguments.isEmpty {
      let values = entry.arguments.map {
        type == "T" ? ([.string("true"), .int(1)].contains($0) ? "true" : "false") : $0.json
      }
      pairs.append(("VALUE", "[\(values.joined(separator: ","))]"))
    }
    if let range = entry.range { pairs.append(("RANGE", range.line)) }
    if let unit = entry.unit { pairs.append(("UNIT", Json.array([.string(unit)]).line)) }
    if let help = entry.help { pairs.append(("DESCRIPTION", Json.string(help).line)) }
    return pairs
  }

  /// What a server says of itself.
  static func hostInfo(name: String, control: UInt16?) -> String {
    let extensions: [(String, Json)] = [
      "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "LISTEN", "IGNORE",
    ].map { ($0, .bool(true)) }
    var pairs: [(String, Json)] = [("NAME", .string(name)), ("EXTENSIONS", .object(extensions))]
    if let control {
      pairs += [("OSC_PORT", .number(Double(control))), ("OSC_TRANSPORT", .string("UDP"))]
    }
    return Json.object(pairs).line
  }
}

/// Addresses as a tree, its parts in the order in which they came.
private struct QueryTree {
  var address: String?
  var below: [(name: String, tree: QueryTree)] = []

  mutating func add(_ parts: ArraySlice<Substring>, _ address: String) {
    guard let first = parts.first else { return self.address = address }
    if below.last?.name == String(first) {
      below[below.count - 1].tree.add(parts.dropFirst(), address)
    } else {
      var tree = QueryTree()
      tree.add(parts.dropFirst(), address)
      below.append((String(first), tree))
    }
  }
}

extension Argument {
  /// The type tag that OSC has for it.
  fileprivate var tag: String {
    switch self {
    case .int: "i"
    case .int64: "h"
    case .float: "f"
    case .double: "d"
    case .string: "s"
    case .bool: "T"
    case .null: "N"
    case .impulse: "I"
    case .blob: "b"
    case .timeTag: "t"
    }
  }
}
