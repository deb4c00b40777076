import Graphs

/// The edges of bands: from `count`, `from`, `to` and `scale`; as a list; or as named bands.
enum BandEdges: FieldValue {
  /// From `count`, `from`, `to` and `scale`.
  case even
  /// Edges in Hz, ascending.
  case list([Double])
  /// Bands with their edges in Hz.
  case named([(name: String, low: Double, high: Double)])

  private static let edge = ValueKind.number(.hertz, 1...192_000)
  private static let mostBands = 512
  private static let edges = ValueKind.list(edge, count: 2...mostBands + 1)
  private static let bands = ValueKind.map(.pair(edge))
  static let kind = ValueKind.oneOf([
    edges, bands, .choice([ValueKind.Choice("even", "as count, from, to and scale say")]),
  ])

  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> BandEdges? {
    if case .scalar("even", _) = tree.content { return .even }
    if tree.map != nil {
      guard let named = Named<[Double]>.read(tree, as: bands, context) else { return nil }
      return .named(named.entries.map { ($0.name, $0.value[0], $0.value[1]) })
    }
    guard tree.list != nil else {
      context.expected(kind.words, tree)
      return nil
    }
    return [Double].read(tree, as: edges, context).map { .list($0) }
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .even: return "even"
    case .list(let list): return list.written(as: Self.edges)
    case .named(let entries):
      return Named(entries.map { .init(name: $0.name, value: [$0.low, $0.high]) }).written(as: Self.bands)
    }
  }

  /// The fault of the edges, as a sentence; nil: none.
  var fault: String? {
    switch self {
    case .even: return nil
    case .list(let list):
      return zip(list, list.dropFirst()).allSatisfy { $0 < $1 }
        ? nil : "the edges must rise from each to the next, as in [20, 120, 2000]"
    case .named(let entries):
      if entries.isEmpty { return "no band is named; write such as { bass: [20, 120] }" }
      if entries.count > Self.mostBands {
        return "\(entries.count) bands are named; there can be \(Self.mostBands)"
      }
      return entries.first { $0.low >= $0.high }.map { entry in
        "the band \(entry.name) ends where it begins or below; write its lower edge first"
      }
    }
  }

  /// A frequency as the name of a band, with at most three significant digits, such as `63.2` or `1.41k`. The unit is
  /// chosen before rounding, so 999.7 Hz is `1000`; names are parts of addresses and stay as they are.
  static func name(_ frequency: Double) -> String {
    let (value, unit) = frequency < 1000 ? (frequency, "") : (frequency / 1000, "k")
    let steps = value < 10 ? 100.0 : value < 100 ? 10.0 : 1.0
    let rounded = (value * steps).rounded() / steps
    let whole = rounded == rounded.rounded()
    return (whole ? "\(Int(rounded))" : "\(rounded)") + unit
  }
}
