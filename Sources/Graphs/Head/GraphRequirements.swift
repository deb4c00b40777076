/// The requirements of a graph. An unmet one is a fault when the graph is checked, long before the show. [control]
public struct GraphRequirements: FieldRecord, FieldValue, Equatable {
  /// Node types that this program must know.
  public var nodes: [String] = []
  /// The allowed sample rates, in Hz; empty: all.
  public var rates: [Int] = []
  /// The least number of audio channels that all sources together must have.
  public var channels: Int?

  /// The name of the record in the docs.
  public static let recordName = "graph's requirement"
  /// The fields, in the order of the docs.
  public static let fields: [Field<GraphRequirements>] = [
    Field(
      "nodes", \.nodes, .list(.text(), count: 0...64),
      "Node types that it needs, so that an older version of visgraph says what it lacks: [emitter, osc-output]."
    ),
    Field(
      "rates", \.rates,
      .oneOf([Self.rate, .list(Self.rate, count: 0...16)]),
      "The sample rates it runs at, one or a list: at another it does not start. If the server changes to another "
        + "while it runs, it goes on as it was made for the one before: pitch and times are wrong, and the log says "
        + "so."),
    Field(
      "channels", \.channels, .number(.none, 1...4096, whole: true),
      "How many channels of sound its sources need to have together, such as 2 for a file that has to be stereo."
    ),
  ]

  private static let rate = ValueKind.number(.hertz, 1000...768_000, whole: true)

  /// Makes requirements that any program meets.
  public init() {}

  /// The fault of a sample rate in Hz; nil where the graph allows it.
  public func fault(atRate rate: Int) -> Diagnostic? {
    guard !rates.isEmpty, !rates.contains(rate) else { return nil }
    return Diagnostic(
      "unsupported-rate",
      "the graph requires a sample rate of \(rates.map(String.init).joined(separator: " or ")) Hz, not \(rate) Hz",
      at: nil,
      notes: ["change the sample rate, or requires.rates of the graph"])
  }

  /// A sample rate in Hz that the graph allows: `rate`, else the first of its list.
  public func rate(preferring rate: Int) -> Int { fault(atRate: rate) == nil ? rate : rates[0] }

  /// Reports unmet requirements. `tree`: the value of `requires`; `checked`: the nodes of the graph, nil where one has
  /// a fault.
  func check(_ tree: Tree?, _ catalog: Catalog, _ checked: [CheckedNode?], _ context: ReadContext) {
    func value(of key: String) -> Tree? { tree?.map?.first { $0.key.text == key }?.value }
    let listed = value(of: "nodes")?.list ?? []
    for (index, name) in nodes.enumerated() where catalog[name] == nil {
      var notes = [
        "install a version of visgraph that has it; this one has \(catalog.names.joined(separator: ", "))"
      ]
      if !context.hasPlenty, let meant = nearest(to: name, among: catalog.names) {
        notes.insert("did you mean \(meant)?", at: 0)
      }
      context.report(
        Diagnostic(
          "missing-node-type",
          "the graph requires the node type \(quote(name)), which this version of visgraph lacks",
          at: index < listed.count ? listed[index].mark : tree?.mark, notes: notes))
    }
    // The channels of a node with a fault are unknown.
    guard let channels, !checked.contains(where: { $0 == nil }) else { return }
    let count = checked.compactMap(\.self).filter(\.isSoundSource).reduce(0) {
      $0 + $1.outputs[0].channels.count
    }
    guard count < channels else { return }
    context.report(
      Diagnostic(
        "too-few-channels",
        "the graph requires \(channels) channels of sound, but its sources have \(count)",
        at: value(of: "channels")?.mark ?? tree?.mark,
        notes: ["use files with more channels, or more inputs; see requires.channels"]))
  }
}
