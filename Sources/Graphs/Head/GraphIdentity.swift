/// What a graph says of itself besides its name: who made what, in which version, under which terms. [any]
public struct GraphIdentity: Equatable, Sendable {
  /// What programs know it by, such as `org.example.museum`; it stays when the name changes.
  public var id: String?
  /// The version of the graph, in whatever form its author counts.
  public var version: String?
  /// Who made it.
  public var author: String?
  /// What it is, in a few sentences.
  public var description: String?
  /// Under which terms it may be used.
  public var licence: String?

  /// Nothing said.
  public init() {}

  /// What is said, by the names that graph files use, in the order of the docs.
  public var pairs: [(name: String, text: String)] {
    [
      ("id", id), ("version", version), ("author", author), ("description", description),
      ("licence", licence),
    ].compactMap { name, text in text.map { (name, $0) } }
  }
}

/// What a graph needs to be what it is meant to be; what is missing is a fault, and not a surprise at the show. [control]
public struct GraphRequirements: FieldRecord, FieldValue, Equatable {
  /// Node types that the program must have.
  public var nodes: [String] = []
  /// Sample rates at which it may run, in Hz; none: at any.
  public var rates: [Int] = []
  /// How many channels of sound its sources must have together.
  public var channels: Int?

  /// What the docs call it.
  public static let recordName = "graph's requirement"
  /// Its settings, in the order of the docs.
  public static let fields: [Field<GraphRequirements>] = [
    Field(
      "nodes", \.nodes, .list(.text(), count: 0...64),
      "Node types that it needs, so that an older visgraph says what it lacks: [emitter, osc-output]."),
    Field(
      "rates", \.rates,
      .oneOf([Self.rate, .list(Self.rate, count: 0...16)]),
      "The sample rates it runs at, one or a list: at another it does not start, and a server that changes to another "
        + "leaves the graph as it is."),
    Field(
      "channels", \.channels, .number(.none, 1...4096, whole: true),
      "How many channels of sound its sources need to have together, such as 2 for a file that has to be stereo."
    ),
  ]

  private static let rate = ValueKind.number(.hertz, 1000...768_000, whole: true)

  /// Nothing is required.
  public init() {}

  /// Why a graph cannot run at a sample rate, in Hz; nil where it can.
  public func fault(atRate rate: Int) -> Diagnostic? {
    guard !rates.isEmpty, !rates.contains(rate) else { return nil }
    return Diagnostic(
      "unsupported-rate",
      "the graph requires \(rates.map(String.init).joined(separator: " or ")) Hz, and this would be \(rate) Hz",
      at: nil,
      notes: ["see requires.rates"])
  }

  /// The rate to run at where any will do that the graph takes: this one, else the first that it names. In Hz.
  public func rate(preferring rate: Int) -> Int { fault(atRate: rate) == nil ? rate : rates[0] }

  /// Reports what the file `requires` and does not get; `tree` is where it says so, `nodes` those that are without fault.
  func check(_ tree: Tree?, _ catalog: Catalog, _ nodes: [CheckedNode?], _ context: ReadContext) {
    func mark(_ key: String) -> Tree? { tree?.map?.first { $0.key.text == key }?.value }
    let listed = mark("nodes")?.list ?? []
    for (index, name) in self.nodes.enumerated() where catalog[name] == nil {
      var notes = ["install a visgraph that has it; this one has \(catalog.names.joined(separator: ", "))"]
      if !context.hasPlenty, let meant = nearest(to: name, among: catalog.names) {
        notes.insert("did you mean \(meant)?", at: 0)
      }
      context.report(
        Diagnostic(
          "missing-node-type", "the graph requires the node type \(quote(name)), which this visgraph has not",
          at: index < listed.count ? listed[index].mark : tree?.mark, notes: notes))
    }
    // Where a node is at fault nobody knows how many channels it would have had.
    guard let channels, !nodes.contains(where: { $0 == nil }) else { return }
    let count = nodes.compactMap(\.self).filter(\.isSoundSource).reduce(0) {
      $0 + $1.outputs[0].channels.count
    }
    guard count < channels else { return }
    context.report(
      Diagnostic(
        "too-few-channels",
        "the graph requires \(channels) channels of sound, and its sources have \(count)",
        at: mark("channels")?.mark ?? tree?.mark,
        notes: ["take files with more channels, or more inputs; see requires.channels"]))
  }
}

extension CheckedNode {
  /// Whether sound begins here: it leaves, and none arrives.
  package var isSoundSource: Bool {
    outputs.first?.type == .audio && !inputs.contains { $0.type == .audio }
      && (inputs.isEmpty || type.role == .sampler)
  }
}
