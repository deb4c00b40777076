/// The settings at paths, by the declarations alone.
extension NodeType {
  /// The declaration of the setting at a path (`cells.spark.birthRate`), which may lead through records, maps and
  /// lists. `each`: whether channels may have a value of their own. `path`: the path with the current names in place of
  /// aliases. Nil where nothing is declared.
  public static func setting(
    at path: String
  ) -> (kind: ValueKind, each: Bool, change: Change, path: String)? {
    guard path.utf8.count <= 512 else { return nil }
    let (head, rest) = ValueKind.split(path[...])
    // Changes by path (`set`) have the declarations of the settings that they change.
    if let rest, let file = settingsFile, head == file.changes { return setting(at: String(rest)) }
    guard let field = Settings.field(head) else { return nil }
    guard let rest else { return (field.kind, field.each, field.change, field.name) }
    return field.kind.inside(rest, depth: 0).map {
      ($0.kind, field.each, $0.change ?? field.change, "\(field.name).\($0.path)")
    }
  }

  /// Whether there is a setting of that name or alias.
  public static func hasSetting(_ name: String) -> Bool { Settings.field(name) != nil }

  /// The names of the settings, in the order of the docs.
  public static var settingNames: [String] { Settings.fields.map(\.name) }
}

extension ValueKind {
  /// The value at a path from here: its kind, its own change where a record declares one, and the path with current
  /// names.
  fileprivate typealias Inside = (kind: ValueKind, change: Change?, path: String)

  fileprivate func inside(_ path: Substring, depth: Int) -> Inside? {
    guard depth <= Limits.depth else { return nil }
    let (head, rest) = ValueKind.split(path)
    func further(_ kind: ValueKind, _ change: Change?, _ name: String, _ rest: Substring?) -> Inside? {
      guard let rest else { return (kind, change, name) }
      return kind.inside(rest, depth: depth + 1).map { ($0.kind, $0.change ?? change, "\(name).\($0.path)") }
    }
    switch self {
    case .record(let record):
      return record.declared(head).flatMap { further($0.kind, $0.change, $0.name, rest) }
    case .list(let inner, _): return Int(head) == nil ? nil : further(inner, nil, head, rest)
    case .map(.anything): return (.anything, nil, String(path))
    case .map(let inner):
      // A name in a map may contain dots. Without the map at hand, the shortest name that leads to a setting is taken.
      var rest = rest
      while let behind = rest {
        if let found = inner.inside(behind, depth: depth + 1) {
          return (found.kind, found.change, "\(path.dropLast(behind.count))\(found.path)")
        }
        rest = ValueKind.split(behind).rest
      }
      return (inner, nil, String(path))
    case .oneOf(let kinds): return kinds.lazy.compactMap { $0.inside(path, depth: depth + 1) }.first
    default: return nil
    }
  }

  static func split(_ path: Substring) -> (head: String, rest: Substring?) {
    guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (String(path), nil) }
    return (String(path[..<dot]), path[path.utf8.index(after: dot)...])
  }

  /// The longest of `names` that the path begins with, and the rest of the path. Names may contain dots; they are
  /// compared by bytes.
  static func longest(
    of names: some Sequence<String?>, in path: Substring
  ) -> (index: Int, rest: Substring?)? {
    var best: (index: Int, length: Int)?
    for (index, name) in names.enumerated() {
      guard let name, path.utf8.starts(with: name.utf8), name.utf8.count >= best?.length ?? 0 else {
        continue
      }
      let after = path.utf8.dropFirst(name.utf8.count).first
      if after == nil || after == UInt8(ascii: ".") { best = (index, name.utf8.count) }
    }
    return best.map { best in
      let bytes = path.utf8.dropFirst(best.length)
      return (best.index, bytes.isEmpty ? nil : Substring(bytes.dropFirst()))
    }
  }

  /// Whether a value names one or more files.
  public var namesFiles: Bool {
    switch self {
    case .file: true
    case .oneOf(let kinds): kinds.contains(where: \.namesFiles)
    case .list(let inner, _): inner.namesFiles
    default: false
    }
  }

  /// Whether a value has no parts and is valid or invalid by itself.
  var standsAlone: Bool {
    switch self {
    case .number, .flag, .choice, .color: true
    case .oneOf(let kinds): kinds.allSatisfy(\.standsAlone)
    default: false
    }
  }

  /// Whether the kind is true or false alone.
  public var isFlag: Bool { if case .flag = self { true } else { false } }
}

extension FieldRecord {
  fileprivate static func declared(_ key: String) -> (name: String, kind: ValueKind, change: Change)? {
    field(key).map { ($0.name, $0.kind, $0.change) }
  }
}

/// The known word nearest to an unknown one; nil where none is near enough for a suggestion.
public func nearestWord(to word: String, among known: [String]) -> String? { nearest(to: word, among: known) }
