import Engine
import Graphs
import Realtime
import Testing

@testable import Nodes

/// A node whose levels a test sets; each of its channels counts as a source that sounds.
enum Faders: RunnableNode {
  struct Settings: FieldRecord {
    var channels = 2
    static let recordName = "faders"
    static let fields: [Field<Settings>] = [
      Field("channels", \.channels, .number(.none, 1...64, whole: true), "How many.")
    ]
  }
  static let name = "faders"
  static let help = "Levels."
  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [OutputPort("out", .type(.level), "Levels.")] }
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [Channel.numbered(shaping.settings.all.channels, names: ["Left", "Right"])]
  }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    _ = context.claimSources(context.outputs[0].channels.count)
    return NodeParts()
  }
}

let emitterCatalog = Catalog(types: everyNode + [Faders.self])

/// Checks a graph in which `faders` is wired to `sparks`, an emitter with these settings, as YAML; other wires stand in
/// `further`.
func checkEmitter(_ settings: String, _ further: String = "") -> CheckResult {
  Checker(emitterCatalog).check(SourceText(path: "graph.yaml", text: emitterGraph(settings, further)))
}

/// The text of the graph that `checkEmitter` checks.
func emitterGraph(_ settings: String, _ further: String = "") -> String {
  """
  visgraph: 1
  stage: { size: 1000x500 }
  nodes:
    faders: { type: faders }
    sparks:
      type: emitter
  \(settings.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
  \(further.isEmpty ? "wires: [faders -> sparks]" : further)
  """
}

/// The diagnostics of the graph that `checkEmitter` checks, as text.
func emitterDiagnostics(_ settings: String, _ further: String = "") -> String {
  DiagnosticText.text(checkEmitter(settings, further))
}

/// A checked graph that runs frame by frame, with levels and idle sources that the test sets.
final class EmitterRig {
  let plan: CompiledPlan
  private let memory: UnsafeMutableRawPointer
  private let record: Record
  /// The numbers of values of a record, and of sources.
  private static let (valueCount, sourceCount) = (64, 64)

  init(_ checked: CheckResult, packets: StreamConfiguration.Packets = .nowhere, dimmer: Dimmer = Dimmer())
    throws
  {
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    plan = try PlanCompiler(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: packets, dimmer: dimmer),
      ports: PortNumbers()
    ).compile()
    let size = Record.size(values: Self.valueCount, sources: Self.sourceCount)
    memory = .allocate(byteCount: size, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    record = Record(memory, values: Self.valueCount)
    for source in 0..<Self.sourceCount { record.sources[source] = 1 }
    record.header.pointee.samples = 800
    record.header.pointee.frames = 1
  }

  deinit { memory.deallocate() }

  /// Runs a frame with the levels of the first node. `idle` are the numbers of sources that are idle.
  func frame(_ levels: [Float], idle: Set<Int> = []) {
    record.header.pointee.frame += 1
    record.header.pointee.endSample += 800
    for source in 0..<Self.sourceCount { record.sources[source] = idle.contains(source) ? 0 : 1 }
    for (index, level) in levels.enumerated() { plan.frames.levels[index] = level }
    plan.frames.run(record, waiting: 0, isFreewheeling: false)
  }

  /// Sets a setting live, as a step of a fade does; false if the change needs a new plan.
  func set(_ path: String, to value: String) throws -> Bool {
    guard let (graph, node) = plan.graph.setting(Override(target: path, value: value)) else { return false }
    return plan.set([node], as: graph) == [node]
  }

  /// The driven numbers that the emitter gives.
  var driven: [Float] { numbers("sparks/") }

  /// The numbers of the columns whose names begin with `start`.
  func numbers(_ start: String) -> [Float] {
    plan.frames.columns.filter { $0.name.hasPrefix(start) }.map { plan.frames.levels[$0.level] }
  }
}
