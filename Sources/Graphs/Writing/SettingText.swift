/// How a value that was set is written into a graph file. [control]
struct SettingText {
  private let tree: Tree
  private let unit: Unit?
  private let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")

  /// The value of an override, with what its setting takes where that is known; nil where it is no value.
  init?(_ override: Override, _ kind: ValueKind?) {
    guard let tree = override.tree(context) else { return nil }
    self.tree = tree
    unit = kind?.asNumber?.unit
  }

  /// The ways of writing it in place of what stands there, the likeliest first; nil: nothing stands there. A bare number,
  /// as faders and messages give it, takes the unit of the number that stands there, and where there was none the unit
  /// that goes without saying. Not every way need be right: who takes one reads it again.
  func ways(inPlaceOf old: Tree?) -> [String] {
    let plain = tree.asWritten
    guard let unit, let text = tree.text, let new = Quantity(text), new.unit.isEmpty else { return [plain] }
    let before = old?.text.flatMap(Quantity.init)
    if let before, before.unit.isEmpty { return [plain] }
    let words = (before.map { [$0.unit] } ?? []) + (unit.symbol.isEmpty ? [] : [unit.symbol])
    return words.compactMap { unit.text(new.number, in: $0, fps: context.fps, stage: context.stage) } + [
      plain
    ]
  }
}

extension CheckedGraph {
  /// What a setting takes, by its path, such as `gain.gain`; nil where none is declared.
  func kind(at path: String) -> ValueKind? {
    SettingTarget(path).flatMap { target in
      nodes.first { $0.id == target.node }?.type.setting(at: target.setting)?.kind
    }
  }
}

extension Tree {
  /// The value under a key of a map.
  subscript(key: String) -> Tree? { map?.first { $0.key.text == key }?.value }

  /// A value of the control port as a person would write it: bare where YAML takes it so.
  fileprivate var asWritten: String {
    guard case .scalar(let text, quoted: false) = content else { return flow }
    let characters = "._%+-/ ".utf8
    let isPlain = text.utf8.allSatisfy {
      ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || characters.contains($0)
    }
    return isPlain && text.utf8.first != 0x20 && text.utf8.last != 0x20 && !text.hasPrefix("- ")
      && !text.isEmpty
      ? text : flow
  }
}
