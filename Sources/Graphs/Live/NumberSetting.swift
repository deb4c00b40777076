import Glibc

/// A setting of a checked graph that is a single number. [control]
public struct NumberSetting: Sendable {
  /// The unit of its numbers.
  public let unit: Unit
  /// The allowed numbers, in the unit.
  public let range: ClosedRange<Double>
  /// Whether only integers are allowed.
  public let isWhole: Bool
  /// Whether `none` is allowed.
  let takesNone: Bool
  /// The current number; nil where the value is no number, such as `none`.
  public let value: Double?
  /// The path in messages.
  private let subject: [String]
  private let fps: FrameRate
  private let stage: Stage
  private let folder: String

  init?(_ kind: ValueKind, _ now: SettingValue?, subject: [String], _ graph: CheckedGraph) {
    guard kind.isNumber, let number = kind.asNumber else { return nil }
    (unit, range, isWhole) = number
    takesNone = if case .oneOf(let kinds) = kind { kinds.contains(where: \.hasNone) } else { false }
    self.subject = subject
    (fps, stage, folder) = (graph.fps, graph.stage, graph.folder)
    if case .number(let number) = now {
      value = number
    } else {
      value = now.flatMap { Quantity($0.text) }.flatMap { [fps, stage, unit] quantity in
        unit.value(of: quantity, fps: fps, stage: stage)
      }
    }
  }

  /// Reads a value as a number, with the checks of a graph file.
  public func number(_ value: SettingValue) -> Result<Double, Diagnostic> {
    let content: Tree.Content =
      if case .number(let number) = value { .number(number) } else {
        .scalar(value.text, quoted: value.text.isEmpty)
      }
    return number(Tree(content, mark: SourceRange.start()))
  }

  /// Reads a tree, such as an element of a list, as a number.
  func number(_ tree: Tree) -> Result<Double, Diagnostic> {
    let context = ReadContext(fps: fps, stage: stage, folder: folder)
    let number = context.within(subject.joined(separator: ".")) {
      context.number(tree, unit, in: range, whole: isWhole)
    }
    if let number { return .success(number) }
    return .failure(
      context.diagnostics.first ?? Diagnostic("wrong-value", "\(subject.joined(separator: "."))", at: nil))
  }

  /// How fades interpolate numbers, as a sentence of the docs.
  public static let wayWords = """
    Gains and frequencies move as their faders do in an even move (see Faders), so that the ear hears it as even; the \
    volume of a player moves \(amplitudeWords); all other numbers, and gains above a fader's top, move in a straight line.
    """

  /// How fades of players and of settings interpolate an amplitude, as a phrase of the docs.
  public static let amplitudeWords = """
    so that the ear hears it as even (the cube root of the amplitude goes in a straight line, close to a console's fader)
    """

  /// Interpolates between two numbers at `part`, 0…1. Gains and frequencies move linearly in the position of their
  /// fader, amplitudes in their cube root. Other numbers move linearly, and all do with `isLinear`.
  public func number(from: Double, to: Double, at part: Double, isLinear: Bool) -> Double {
    let part = max(0, min(1, part))
    let line = from + (to - from) * part
    if !isLinear, unit == .amplitude, min(from, to) >= 0 {
      // The same curve as in the players' fades, `GainSmoother`.
      let root = cbrt(from) + (cbrt(to) - cbrt(from)) * part
      return root * root * root
    }
    guard !isLinear, unit == .gain || unit == .hertz,
      let law = ValueKind.number(unit, range, whole: isWhole).faderLaw
    else { return line }
    // A number that no fader reaches, such as a gain above its top, is interpolated linearly.
    let ends = [from, to].map { law.place(of: $0, in: range, unit) }
    let reached = zip(ends, [from, to]).allSatisfy {
      abs(law.value(at: $0, in: range, unit) - $1) <= 1e-6 * max(1, abs($1))
    }
    return reached ? law.value(at: ends[0] + (ends[1] - ends[0]) * part, in: range, unit) : line
  }

  /// The number clamped to the range, and rounded where only integers are allowed.
  public func taken(_ number: Double) -> Double {
    let inside = max(range.lowerBound, min(range.upperBound, number))
    return isWhole ? inside.rounded() : inside
  }
}

extension CheckedGraph {
  /// The number at a path such as `gain.gain`, `gain.each.2.gain` or `sparks.cells.spark.birthRate`; nil where the
  /// declarations have no single number.
  public func number(at path: String) -> NumberSetting? {
    guard let target = SettingTarget(path), let node = nodes.first(where: { $0.id == target.node }),
      let kind = node.type.setting(at: target.setting)?.kind
    else { return nil }
    let channel = target.channel.map { ["\($0 + 1)"] } ?? []
    return NumberSetting(
      kind, node.value(at: target.setting, channel: target.channel),
      subject: [target.node] + channel + [target.setting], self)
  }
}

/// The target of a path such as `gain.each.2.gain`: a setting of a node, for all channels or for one.
public struct SettingTarget {
  /// The id of the node.
  let node: String
  /// The channel, from 0; nil: all channels.
  let channel: Int?
  /// The name of the setting; a dot leads to a part of it.
  let setting: String

  /// The path of the same setting for all channels; nil where the path already has no channel.
  public static func ofAllChannels(_ path: String) -> String? {
    guard let target = SettingTarget(path), target.channel != nil else { return nil }
    return "\(target.node).\(target.setting)"
  }

  /// Parses a path; nil where it names no setting, or names a channel by anything but its number.
  init?(_ path: String) {
    let (node, behind) = ValueKind.split(path[...])
    guard let behind else { return nil }
    self.node = node
    guard behind.utf8.starts(with: Self.each),
      case (let key, let setting?) = ValueKind.split(Substring(behind.utf8.dropFirst(Self.each.count)))
    else {
      (channel, setting) = (nil, String(behind))
      return
    }
    guard key.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(key), number > 0 else {
      return nil
    }
    (channel, self.setting) = (number - 1, String(setting))
  }

  private static let each = Array("each.".utf8)

  /// Whether a path is another, or leads into it.
  public static func lies(_ path: String, within other: String) -> Bool {
    path.utf8.starts(with: other.utf8)
      && (path.utf8.count == other.utf8.count
        || path.utf8.dropFirst(other.utf8.count).first == UInt8(ascii: "."))
  }

  /// Whether one of two paths is the other, or leads into it.
  public static func overlap(_ path: String, _ other: String) -> Bool {
    lies(path, within: other) || lies(other, within: path)
  }
}

extension CheckedNode {
  /// The setting at a path as text of a graph file; its default where the graph sets nothing. Nil where nothing is
  /// declared.
  func text(at path: String, channel: Int?) -> String? {
    typed.text(at: path, channel: channel)
  }

  /// The setting at a path as a value: a whole setting keeps numbers and flags, a part of one is text.
  fileprivate func value(at path: String, channel: Int?) -> SettingValue? {
    typed.value(at: path, channel: channel)
  }
}

extension TypedSettings {
  fileprivate func text(at path: String, channel: Int?) -> String? {
    let own = channel.map { values[$0] } ?? values.all
    var (head, rest) = ValueKind.split(path[...])
    // Changes by path (`set`) have the declarations of the settings that they change.
    if let inner = rest, let file = Node.settingsFile, head == file.changes {
      (head, rest) = ValueKind.split(inner)
    }
    guard let field = Node.Settings.field(head) else { return nil }
    let text = field.written(own)
    guard let rest else { return text }
    return Tree.written(text).flatMap { field.kind.text(at: rest, in: $0, depth: 0) }
  }

  fileprivate func value(at path: String, channel: Int?) -> SettingValue? {
    guard let field = Node.Settings.field(path) else {
      return text(at: path, channel: channel).map(SettingValue.written)
    }
    return field.value(channel.map { values[$0] } ?? values.all)
  }
}

extension ValueKind {
  /// Whether the kind is a number, or a number or a word, and excludes lists.
  public var isNumber: Bool { asNumber != nil && asList == nil }

  /// The text at a path inside a value of this kind.
  fileprivate func text(at path: Substring, in tree: Tree, depth: Int) -> String? {
    guard depth <= Limits.depth else { return nil }
    let (head, rest) = ValueKind.split(path)
    func found(_ value: Tree, _ kind: ValueKind, _ rest: Substring?) -> String? {
      guard let rest else { return value.text ?? value.flow }
      return kind.text(at: rest, in: value, depth: depth + 1)
    }
    switch self {
    case .record(let record):
      return record.value(of: head, in: tree).flatMap { found($0.value, $0.kind, rest) }
    case .list(let inner, _):
      guard let number = Int(head), let list = tree.list, list.indices.contains(number &- 1) else {
        return nil
      }
      return found(list[number - 1], inner, rest)
    case .map(let inner):
      let pairs = tree.map ?? []
      guard let best = ValueKind.longest(of: pairs.lazy.map(\.key.text), in: path) else { return nil }
      return found(pairs[best.index].value, inner, best.rest)
    case .oneOf(let kinds):
      return kinds.lazy.compactMap { $0.text(at: path, in: tree, depth: depth + 1) }.first
    default: return nil
    }
  }
}

extension FieldRecord {
  /// The value of a field in a record that was written as a map, or as a list in the order of the fields; else its
  /// default.
  fileprivate static func value(of name: String, in tree: Tree) -> (value: Tree, kind: ValueKind)? {
    guard let field = field(name) else { return nil }
    if let list = tree.list, let place = fields.firstIndex(where: { $0.name == field.name }) {
      return place < list.count ? (list[place], field.kind) : nil
    }
    let pair = tree.map?.first { $0.key.text.flatMap { Self.field($0) }?.name == field.name }
    return (pair?.value ?? Tree.written(field.written(Self()))).map { ($0, field.kind) }
  }
}

extension Tree {
  /// Parses a value that a declaration has written.
  public static func written(_ text: String) -> Tree? {
    Composer.compose(SourceText(path: "value", text: text)).0
  }
}
