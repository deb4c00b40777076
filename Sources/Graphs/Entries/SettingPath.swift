/// A path of keys into settings (`cells.spark.birthRate`), and the new value at its end.
///
/// Keys of records may be aliases. Names in maps may have dots; the longest name that fits counts.
struct SettingPath {
  /// Why a path is invalid.
  enum PathError: Error {
    /// The value at `place` has no such name, but those in `known`. `before`: the path up to the name.
    case unknown(String, place: String, known: [String], before: String, isSetting: Bool)
    /// The value at `place` has no values inside.
    case nothingInside(place: String)
  }

  /// The whole path, as written.
  let text: String
  let value: Tree
  /// Whether the change may create names that are missing. Their faults are found when they are read.
  let creates: Bool
  /// The number of pairs and values that were searched.
  private(set) var cost = 0

  init(_ text: String, value: Tree, creates: Bool) {
    self.text = text
    self.value = value
    self.creates = creates
  }

  /// The first key.
  var head: String { Self.split(text[...]).head }

  /// Returns the value `old` of the setting that the first key names, changed at the end of the path.
  mutating func change(_ old: Tree?, _ kind: ValueKind) throws(PathError) -> Tree {
    let (head, rest) = Self.split(text[...])
    guard let rest else { return value }
    return try change(old, kind, rest, place: head)
  }

  private mutating func change(
    _ old: Tree?, _ kind: ValueKind, _ path: Substring, place: String
  ) throws(PathError) -> Tree {
    let isNumber = Int(Self.split(path).head) != nil
    switch kind.inside(isNumber: isNumber) {
    case .record(let record):
      let old = old.map { record.unfolded($0, as: kind) }
      guard let pairs = pairs(of: old, names: record.names) else { throw .nothingInside(place: place) }
      return try change(pairs, in: record, path, place: place)
    case .map(let inner):
      guard let pairs = pairs(of: old, names: []) else { throw .nothingInside(place: place) }
      return try change(pairs, of: inner, path, place: place)
    case .list(let inner, _):
      guard var values = old?.list else { throw .nothingInside(place: place) }
      let (head, rest) = Self.split(path)
      cost += values.count
      guard let number = Int(head), (0..<values.count).contains(number &- 1) else {
        throw unknown(head, path, place, known: values.isEmpty ? [] : ["1…\(values.count)"], isSetting: false)
      }
      values[number - 1] = try next(values[number - 1], inner, rest, place: "\(place).\(head)")
      return Tree(.list(values), mark: old?.mark ?? value.mark)
    default: throw .nothingInside(place: place)
    }
  }

  private mutating func change(
    _ old: [Tree.Pair], in record: any FieldRecord.Type, _ path: Substring, place: String
  ) throws(PathError) -> Tree {
    let (head, rest) = Self.split(path)
    let found = record.declared(head)
    if found == nil, !creates {
      throw unknown(head, path, place, known: record.names, isSetting: true)
    }
    var pairs = old
    cost += pairs.count
    let index = pairs.firstIndex { pair in
      let key = pair.key.text ?? ""
      return key == head || found != nil && record.declared(key)?.name == found?.name
    }
    let kind = found?.kind ?? .map(.anything)
    let new = try next(index.map { pairs[$0].value }, kind, rest, place: "\(place).\(head)")
    put(new, under: head, at: index, in: &pairs)
    return Tree(.map(pairs), mark: value.mark)
  }

  private mutating func change(
    _ old: [Tree.Pair], of inner: ValueKind, _ path: Substring, place: String
  ) throws(PathError) -> Tree {
    var pairs = old
    cost += pairs.count
    let names = pairs.lazy.map { pair in pair.key.text.flatMap { $0.hasPrefix("x-") ? nil : $0 } }
    let best = ValueKind.longest(of: names, in: path)
    let head = best.flatMap { pairs[$0.index].key.text } ?? Self.split(path).head
    // Creates an entry only as a whole: a path into an entry that is missing is probably mistyped.
    if best == nil, !creates || Self.split(path).rest != nil && !pairs.isEmpty {
      throw unknown(head, path, place, known: names.prefix(64).compactMap(\.self), isSetting: false)
    }
    let rest = best.map(\.rest) ?? Self.split(path).rest
    let new = try next(best.map { pairs[$0.index].value }, inner, rest, place: "\(place).\(head)")
    put(new, under: head, at: best?.index, in: &pairs)
    return Tree(.map(pairs), mark: value.mark)
  }

  private mutating func next(
    _ old: Tree?, _ kind: ValueKind, _ rest: Substring?, place: String
  ) throws(PathError) -> Tree {
    guard let rest else { return value }
    return try change(old, kind, rest, place: place)
  }

  private func put(_ new: Tree, under name: String, at index: Int?, in pairs: inout [Tree.Pair]) {
    if let index {
      pairs[index].value = new
    } else {
      pairs.append(Tree.Pair(key: Tree(.scalar(name, quoted: true), mark: value.mark), value: new))
    }
  }

  /// The pairs of a map. A list in place of a record becomes pairs, in the order of the record's fields.
  private func pairs(of tree: Tree?, names: [String]) -> [Tree.Pair]? {
    guard let tree, !tree.isNothing else { return [] }
    if let list = tree.list, !names.isEmpty, list.count == names.count {
      return zip(names, list).map { name, value in
        Tree.Pair(key: Tree(.scalar(name, quoted: true), mark: value.mark), value: value)
      }
    }
    return tree.map
  }

  private func unknown(
    _ name: String, _ rest: Substring, _ place: String, known: [String], isSetting: Bool
  ) -> PathError {
    let before = String(Substring(text.utf8.dropLast(rest.utf8.count)))
    return .unknown(name, place: place, known: known, before: before, isSetting: isSetting)
  }

  private static func split(_ path: Substring) -> (head: String, rest: Substring?) {
    guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (String(path), nil) }
    return (String(path[..<dot]), path[path.utf8.index(after: dot)...])
  }
}

extension ValueKind {
  fileprivate var isFile: Bool { if case .file = self { true } else { false } }

  /// This kind if it has values inside, or the one among several that has: a list if `isNumber`, otherwise a record
  /// or map.
  fileprivate func inside(isNumber: Bool) -> ValueKind? {
    switch self {
    case .record, .map, .list: return self
    case .oneOf(let kinds):
      let inside = kinds.compactMap { $0.inside(isNumber: isNumber) }
      let wanted = inside.first { if case .list = $0 { isNumber } else { !isNumber } }
      return wanted ?? inside.first
    default: return nil
    }
  }
}

extension FieldRecord {
  /// Turns the name of a file in place of a record into a map with the record's field for it.
  fileprivate static func unfolded(_ tree: Tree, as kind: ValueKind) -> Tree {
    guard case .oneOf(let kinds) = kind, kinds.contains(where: \.isFile), tree.text != nil, !tree.isNothing,
      let field = fields.first(where: \.kind.isFile)
    else { return tree }
    let key = Tree(.scalar(field.name, quoted: true), mark: tree.mark)
    return Tree(.map([Tree.Pair(key: key, value: tree)]), mark: tree.mark)
  }

  fileprivate static var names: [String] { fields.map(\.name) }

  fileprivate static func declared(_ key: String) -> (name: String, kind: ValueKind)? {
    field(key).map { ($0.name, $0.kind) }
  }
}
