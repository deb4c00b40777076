/// The text with which a changed setting is written into a graph file. [control]
struct SettingText {
  private let tree: Tree
  private let unit: Unit?
  private let context = ReadContext(fps: FrameRate(60), stage: Stage(), folder: ".")

  /// Reads the value of an override. `kind`: the kind of the setting; nil if it is unknown. Nil if the value is
  /// invalid.
  init?(_ override: Override, _ kind: ValueKind?) {
    guard let tree = override.tree(context) else { return nil }
    self.tree = tree
    unit = kind?.asNumber?.unit
  }

  /// The possible texts of the value in place of `old`, the likeliest first; `old` is nil if there is no value yet.
  ///
  /// A number without a unit, as faders and messages give it, gets the unit of the old number, or else the usual unit
  /// of the setting. Not every text has to be right, because the caller reads the file again with it.
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
  /// The kind of a setting by its path, such as `gain.gain`; nil if none is declared.
  func kind(at path: String) -> ValueKind? {
    SettingTarget(path).flatMap { target in
      nodes.first { $0.id == target.node }?.type.setting(at: target.setting)?.kind
    }
  }
}

extension Tree {
  /// The value under a key of a map.
  subscript(key: String) -> Tree? { map?.first { $0.key.text == key }?.value }

  /// The value as an author would write it: a plain scalar where YAML allows one.
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
