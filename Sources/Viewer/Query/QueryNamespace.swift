import Controls
import Graphs
import OSC

/// The answer to an OSCQuery request for an existing address.
enum QueryAnswer: Equatable {
  /// A JSON object: the address, or one attribute of it.
  case json(String)
  /// The address has no value for the attribute.
  case noValue
  /// An attribute that OSCQuery does not define.
  case unknownAttribute(String)
}

/// The OSC addresses of a show as OSCQuery describes them: type, range, help and value.
///
/// By the OSCQuery proposal (Vidvox/OSCQueryProposal): each address is an object with FULL_PATH, and CONTENTS if there
/// are addresses below it.
struct QueryNamespace {
  /// The attributes of an address.
  struct Entry {
    /// 0 none, 1 read, 2 write, 3 both.
    var access = 0
    var arguments: [Argument] = []
    var type: String?
    var range: Json?
    var unit: String?
    var help: String?
  }

  private(set) var entries: [String: Entry] = [:]

  /// The addresses of the graph, of the control port and of the status that a right may see.
  init(_ graph: CheckedGraph?, _ state: FeedbackState, _ right: ViewRight = .steer) {
    for (address, arguments, help) in ControlReference.plainAddresses where right.sees(address) {
      entries[address] = Self.command(arguments, help)
    }
    for node in right == .steer ? graph?.nodes ?? [] : [] {
      for leaf in node.settingLeaves { add(leaf, of: node.id) }
    }
    for known in state.entries where right.sees(known.address) {
      var entry = entries[known.address] ?? Entry(access: 1)
      if entry.access == 2 { (entry.type, entry.range) = (nil, nil) }
      entry.arguments = known.arguments
      // Master and blackout are set and reported at the same address.
      if entry.access == 2 { entry.access = 3 }
      entries[known.address] = entry
    }
    entries["/visgraph/master"]?.type = "f"
    entries["/visgraph/master"]?.range = Self.range(0, 1)
    entries["/visgraph/blackout"]?.type = "i"
    entries["/visgraph/blackout"]?.range = Self.range(0, 1)
  }

  /// A command's entry, from its arguments in the docs: the first form, with example values.
  private static func command(_ arguments: String, _ help: String) -> Entry {
    var entry = Entry(access: 2, help: help)
    let words = arguments.split(separator: " ")
    if words.isEmpty || arguments.hasPrefix("[1]") {
      entry.arguments = [.impulse]
    } else if words.allSatisfy({ $0 == "|" || $0.allSatisfy { $0.isLowercase || $0 == "-" } }) {
      let choices = words.filter { $0 != "|" }.map { Json.string(String($0)) }
      entry.arguments = [.string(words.first.map(String.init) ?? "")]
      entry.range = .array([.object([("VALS", .array(choices))])])
    } else {
      // Up to the first argument that is optional, repeated, or begins another form.
      let first = words.prefix(1) + words.dropFirst().prefix { !$0.hasPrefix("[") && $0 != "|" && $0 != "…" }
      entry.arguments = first.map { word in
        let word = word.drop { $0 == "[" }
        if ["SECONDS", "FROM", "TO", "NUMBER"].contains(where: word.hasPrefix) || word.contains("…") {
          return .float(0)
        }
        return word.hasPrefix("SEED") || word == "N" ? .int(0) : .string("")
      }
    }
    entry.type = entry.arguments.map(\.tag).joined()
    return entry
  }

  private mutating func add(_ leaf: SettingLeaf, of id: String) {
    let channel = leaf.channel.map { "/\($0 + 1)" } ?? ""
    let path = leaf.path.replacing(".", with: "/")
    let kind = leaf.setting.kind
    var entry = Entry(access: 3, help: leaf.setting.help)
    (entry.type, entry.range, entry.unit) = Self.attributes(kind)
    entry.arguments = [Quantity(leaf.text).map { .double($0.number) } ?? .string(leaf.text)]
    entries["/visgraph/node/\(id)\(channel)/\(path)"] = entry
    guard let place = kind.faderPlace(of: .written(leaf.text)) else { return }
    entries["/visgraph/fader/\(id)\(channel)/\(path)"] = Entry(
      access: 3, arguments: [.float(place)], type: "f", range: Self.range(0, 1), help: leaf.setting.help)
  }

  /// The type tag, RANGE and UNIT of a kind of value.
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
    case .none, .amplitude, .amperes, .ratio, .perSecond, .kelvin: nil
    }
  }

  // MARK: - As JSON

  /// The attributes that OSCQuery defines.
  private static let attributes: Set<String> = [
    "FULL_PATH", "CONTENTS", "TYPE", "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "TAGS",
    "EXTENDED_TYPE",
    "CRITICAL", "CLIPMODE", "OVERLOADS", "HTML",
  ]

  /// The tree below an address; with `attribute` that one alone. Nil: no such address.
  func answer(at address: String, attribute: String? = nil) -> QueryAnswer? {
    let address = address == "/" ? "" : address
    let below = entries.keys.filter { $0 == address || $0.hasPrefix(address + "/") }.sorted()
    guard !below.isEmpty || address.isEmpty else { return nil }
    var tree = QueryTree()
    for key in below { tree.add(key.dropFirst(address.utf8.count).split(separator: "/")[...], key) }
    guard let attribute else { return .json(text(tree, address)) }
    guard Self.attributes.contains(attribute) else { return .unknownAttribute(attribute) }
    var pairs = Self.pairs(entries[address] ?? Entry(), address.isEmpty ? "/" : address)
    if let contents = contents(tree, address) { pairs.append(("CONTENTS", contents)) }
    return pairs.first { $0.0 == attribute }.map { .json("{\"\($0.0)\":\($0.1)}") } ?? .noValue
  }

  private func text(_ tree: QueryTree, _ address: String) -> String {
    // An address with others below it is described as a container only, because clients expect one or the other.
    let contents = contents(tree, address)
    let entry = contents == nil ? tree.address.flatMap { entries[$0] } : nil
    let pairs =
      Self.pairs(entry ?? Entry(), address.isEmpty ? "/" : address)
      + (contents.map { [("CONTENTS", $0)] } ?? [])
    return "{\(pairs.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
  }

  /// The value of CONTENTS; nil: nothing is below the address.
  private func contents(_ tree: QueryTree, _ address: String) -> String? {
    guard !tree.below.isEmpty else { return nil }
    let inner = tree.below.map { "\(Json.string($0.name).line):\(text($0.tree, "\(address)/\($0.name)"))" }
    return "{\(inner.joined(separator: ","))}"
  }

  private static func pairs(_ entry: Entry, _ address: String) -> [(String, String)] {
    var pairs = [("FULL_PATH", Json.string(address).line), ("ACCESS", "\(entry.access)")]
    let values = entry.values
    if entry.access > 0 { pairs.append(("TYPE", Json.string(values.map(\.tag).joined()).line)) }
    if entry.access > 0, !values.isEmpty {
      pairs.append(("VALUE", "[\(values.map(\.json).joined(separator: ","))]"))
    }
    // RANGE has an item for each value. It is left out where a word stands for a number.
    if let range = entry.range, entry.isOfItsType { pairs.append(("RANGE", range.line)) }
    if let unit = entry.unit { pairs.append(("UNIT", Json.array([.string(unit)]).line)) }
    if let help = entry.help { pairs.append(("DESCRIPTION", Json.string(help).line)) }
    return pairs
  }

  /// The value of HOST_INFO.
  static func hostInfo(name: String, control: UInt16?) -> String {
    let extensions: [(String, Json)] = [
      "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "LISTEN", "IGNORE", "PATH_CHANGED",
    ].map { ($0, .bool(true)) }
    var pairs: [(String, Json)] = [("NAME", .string(name)), ("EXTENSIONS", .object(extensions))]
    if let control {
      pairs += [("OSC_PORT", .number(Double(control))), ("OSC_TRANSPORT", .string("UDP"))]
    }
    return Json.object(pairs).line
  }
}

extension QueryNamespace.Entry {
  /// The values, converted to the declared type where possible.
  var values: [Argument] {
    guard let type, type.utf8.count == arguments.count else { return arguments }
    return zip(type, arguments).map { tag, argument in argument.as(tag) ?? argument }
  }

  /// Whether the values have the declared type.
  var isOfItsType: Bool {
    guard let type else { return true }
    return type == values.map(\.tag).joined() || type == "T"
  }
}

/// Addresses as a tree, in order of insertion.
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
  /// The value with another type tag; nil: not possible.
  fileprivate func `as`(_ tag: Character) -> Argument? {
    switch (tag, self) {
    case ("T", .string(let text)): return ["true", "false"].contains(text) ? .bool(text == "true") : nil
    case ("T", .int(let number)): return .bool(number != 0)
    case ("T", .float), ("T", .double): return figure.map { .bool($0 != 0) }
    case ("i", .float), ("i", .double), ("i", .int64):
      return figure.flatMap(Int32.init(exactly:)).map { .int($0) }
    case ("f", .int), ("f", .double), ("f", .int64): return figure.map { .float(Float($0)) }
    default: return nil
    }
  }

  private var figure: Double? {
    switch self {
    case .int(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// Its OSC type tag.
  fileprivate var tag: String {
    switch self {
    case .int: "i"
    case .int64: "h"
    case .float: "f"
    case .double: "d"
    case .string: "s"
    case .bool(let isOn): isOn ? "T" : "F"
    case .null: "N"
    case .impulse: "I"
    case .blob: "b"
    case .timeTag: "t"
    }
  }
}
