import Engine
import Graphs
import Hosts
import Nodes
import OSC
import Realtime
import System
import TestSupport
import Testing

@testable import Controls

/// A graph with scenes, advanced by hand a frame of 800 samples at a time: 60 frames a second at 48 kHz. Settings are
/// carried out between frames, as the main thread does.
final class SceneRig: EngineRig, @unchecked Sendable {
  static let text = """
    visgraph: 1
    main: calm
    scenes:
      calm: { gain.gain: -6, sparks.palette: ["#FF0000", "#00FF00"], rig.rate: 20 }
      storm: { seconds: 1, gain.gain: -18 dB, sparks.palette: [blue, white], sparks.cells.spark.birthRate: 50,
               gain.mute: false }
      dark: { like: storm, off: [rig, tone], sparks.palette: ["#FFFFFF"] }
    nodes:
      tone: { type: tone-source, frequency: 440, level: -12 dB }
      gain: { type: gain }
      out: { type: jack-output }
      meter: { type: meter, release: 0 }
      level: { type: range, from: [-60, 0], to: [0, 1] }
      rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0 }
      sparks: { type: emitter, cells: { spark: { birthRate: 5 } } }
    wires: [tone -> gain -> out, gain -> meter -> level -> rig, level -> sparks]
    """
  static let frame = 800

  let fades = SettingFades()
  let plan: CompiledPlan
  private let effects: PlanEffects
  private let router: CommandRouter
  private let runner: ChangeRunner
  let refusals = Locked<[String]>([])
  /// The packets sent to the lights.
  let sent = Locked<[[UInt8]]>([])

  var graph: CheckedGraph { plan.graph }
  var overrides: SettingOverrides { runner.overrides }
  var progress: SceneProgress { router.scenes }
  /// How often a change needed another plan.
  var newPlans: Int { effects.newPlans }

  /// Passes settings to the plan, and refuses another plan.
  private final class PlanEffects: ChangeEffects {
    private let plan: CompiledPlan
    private(set) var newPlans = 0
    init(_ plan: CompiledPlan) { self.plan = plan }
    func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> {
      plan.set(nodes, as: graph)
    }
    func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
      newPlans += 1
      throw .graph(code: "cannot-run", "a plan of its own would be needed", notes: [])
    }
  }

  init(_ text: String = SceneRig.text, given: [Override] = []) throws {
    let source = SourceText(path: "/nowhere/graph.yaml", text: text)
    let checked = Checker(.full).check(source, overrides: given)
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let sent = sent
    let configuration = StreamConfiguration(
      sampleRate: 48_000, isRealTime: false,
      packets: .score { _, packet in sent.withLock { $0.append(Array(packet)) } })
    plan = try PlanCompiler(graph, configuration, ports: PortNumbers(), before: nil, fade: nil).compile()
    effects = PlanEffects(plan)
    router = CommandRouter(show: Show(), fades: fades) {}
    runner = ChangeRunner(
      graph, SettingOverrides(Checker(.full), source, given: given), router: router,
      folders: AllowedFolders([]), effects: effects)
    runner.events.fadeEnded = { [refusals] _, fault in refusals.withLock { $0.append("\(fault)") } }
    super.init()
    offer(plan.plan)
    runner.begin()
  }

  /// Carries out changes, and the steps of fades that are due.
  func carryOut(_ changes: [GraphChange] = []) { runner.carryOut(changes) }

  /// Goes to a scene.
  func enter(_ choice: SceneChoice, _ seconds: Double? = nil) throws {
    try #require(graph.scene(choice, from: overrides.scene) != nil)
    carryOut([
      GraphChange(command: .scene(choice, seconds: seconds)) { [refusals] fault in
        refusals.withLock { $0.append("\(fault)") }
      }
    ])
  }

  /// Makes a setting by hand.
  func set(_ path: String, _ value: String) {
    carryOut([GraphChange(command: .set(path: path, value: .written(value)), refused: { _ in })])
  }

  /// Runs one frame. Returns the samples of the output.
  @discardableResult
  func next() throws -> [Float] {
    let port = try #require(plan.ports.first { $0.name == "out_1" }).number
    let samples = withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.frame) { buffer in
      buffer.initialize(repeating: 0)
      ports[port] = buffer.baseAddress
      process(Self.frame)
      ports[port] = nil
      return Array(buffer)
    }
    while let record = plan.plan.pointee.queue.peek() {
      plan.frames.run(record, waiting: 0, isFreewheeling: false)
      plan.plan.pointee.queue.pop()
    }
    fades.advance(by: 1.0 / 60)
    carryOut()
    return samples
  }

  /// The values sent to the lights last, in order.
  func takeLights() throws -> [Float] {
    let packets = sent.withLock { sent in
      defer { sent = [] }
      return sent
    }
    return try packets.flatMap { try PacketReader().read($0).messages }.compactMap {
      if case .float(let value)? = $0.arguments.first { value } else { nil }
    }
  }
}
