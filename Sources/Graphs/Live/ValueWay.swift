internal import Particles

/// The interpolation of a setting between two values. Numbers and colors are interpolated, also in lists of equal
/// length; anything else has its new value from the first step on. [control]
public struct ValueWay: Sendable {
  private indirect enum Part {
    /// A value that is not interpolated.
    case there(SettingValue)
    case number(NumberSetting, from: Double, to: Double)
    /// In OKLab, premultiplied by alpha.
    case color(from: SIMD4<Double>, to: SIMD4<Double>)
    case list([Part])

    /// Whether a number or a color in it changes.
    var moves: Bool {
      switch self {
      case .there: false
      case .number(_, let from, let to): from != to
      case .color(let from, let to): from != to
      case .list(let parts): parts.contains(where: \.moves)
      }
    }
  }

  private let whole: Part

  private init(_ whole: Part) { self.whole = whole }

  /// How fades interpolate colors, as a sentence of the docs.
  public static let colorWords = "Colors go in a straight line of OKLab, in which equal steps look equal."

  /// The value at `part`, 0…1. `isLinear`: gains, frequencies and amplitudes are interpolated linearly, too.
  public func value(at part: Double, isLinear: Bool) -> SettingValue {
    Self.value(whole, at: max(0, min(1, part)), isLinear)
  }

  private static func value(_ way: Part, at part: Double, _ isLinear: Bool) -> SettingValue {
    switch way {
    case .there(let value): value
    case .number(let setting, let from, let to):
      .number(setting.taken(setting.number(from: from, to: to, at: part, isLinear: isLinear)))
    case .color(let from, let to): .color(OKLab.color(from + (to - from) * part))
    case .list(let parts): .list(parts.map { value($0, at: part, isLinear) })
    }
  }

  /// The interpolation of a single number; nil where the old or the new value is none, such as `none`.
  fileprivate static func number(
    _ setting: NumberSetting, _ value: SettingValue
  ) -> Result<ValueWay?, Diagnostic> {
    let isNone = setting.takesNone && [.written("none"), .written("null"), .written("~")].contains(value)
    guard let from = setting.value, !isNone else { return .success(nil) }
    return setting.number(value).map { ValueWay(.number(setting, from: from, to: $0)) }
  }

  /// The interpolation of any other value; nil where nothing in it can be interpolated.
  fileprivate static func way(
    _ kind: ValueKind, from: Tree, to: Tree, subject: [String], _ graph: CheckedGraph
  ) -> ValueWay? {
    let way = part(kind, from: from, to: to, subject, graph)
    return way.moves ? ValueWay(way) : nil
  }

  private static func part(
    _ kind: ValueKind, from: Tree, to: Tree, _ subject: [String], _ graph: CheckedGraph
  ) -> Part {
    let kinds: [ValueKind] = if case .oneOf(let kinds) = kind { kinds } else { [kind] }
    for kind in kinds {
      switch kind {
      case .number:
        guard let setting = NumberSetting(kind, from.text.map(SettingValue.written), subject: subject, graph),
          let start = setting.value, to.text != nil, case .success(let end) = setting.number(to)
        else { continue }
        return .number(setting, from: start, to: end)
      case .color:
        let quiet = ReadContext(fps: graph.fps, stage: graph.stage, folder: graph.folder)
        guard let start = Color.read(from, as: .color, quiet), let end = Color.read(to, as: .color, quiet)
        else { continue }
        return .color(from: OKLab.premultiplied(start), to: OKLab.premultiplied(end))
      case .list(let inner, _):
        guard let starts = from.list, let ends = to.list, starts.count == ends.count else { continue }
        return .list(zip(starts, ends).map { part(inner, from: $0, to: $1, subject, graph) })
      default: continue
      }
    }
    return .there(.written(to.flow))
  }
}

extension CheckedGraph {
  /// The interpolation of a setting from its current value to another; nil where nothing in it can be interpolated.
  /// Only faults of single numbers are found here; the rest is checked when the setting is set.
  public func way(at path: String, to value: SettingValue) -> Result<ValueWay?, Diagnostic> {
    if let setting = number(at: path) { return ValueWay.number(setting, value) }
    guard let target = SettingTarget(path), let node = nodes.first(where: { $0.id == target.node }),
      let kind = node.type.setting(at: target.setting)?.kind,
      let from = node.text(at: target.setting, channel: target.channel).flatMap(Tree.written)
    else { return .success(nil) }
    let quiet = ReadContext(fps: self.fps, stage: self.stage, folder: self.folder)
    guard let to = Override(target: path, value: value).tree(quiet) else { return .success(nil) }
    return .success(ValueWay.way(kind, from: from, to: to, subject: [target.node, target.setting], self))
  }

  /// The setting at a path as text of a graph file; nil where there is none.
  public func text(at path: String) -> String? {
    guard let target = SettingTarget(path), let node = nodes.first(where: { $0.id == target.node }) else {
      return nil
    }
    return node.text(at: target.setting, channel: target.channel)
  }
}

extension OKLab {
  /// Converts premultiplied OKLab with alpha to sRGB, clamped to its gamut.
  fileprivate static func color(_ color: SIMD4<Double>) -> Color {
    let alpha = max(0, min(1, color.w))
    guard alpha > 0 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
    var light = light(SIMD3(color.x, color.y, color.z) / alpha)
    light.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    let parts = [light.x, light.y, light.z].map { max(0, min(1, encoded($0))) }
    return Color(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
  }
}
