import CRealtime
import Engine
import Graphs
import Hosts
import Nodes
import Realtime
import System
import TestSupport
import Testing

/// An engine with its frame thread, and plans compiled from graph texts.
final class HostRig: EngineRig, @unchecked Sendable {
  let seen = SeenFrames()
  private(set) var frames: FrameThread!
  let numbers = PortNumbers()
  private(set) var newest: CompiledPlan?

  private let catalog: Catalog

  init(types: [any NodeType.Type] = []) {
    catalog = Catalog(types: everyNode + types)
    super.init()
    frames = FrameThread(exchange: exchange, observers: [seen])
  }

  /// Compiles a plan that keeps the state of the newest one, but does not offer it.
  func plan(_ text: String, rate: Int = 48_000, isRealTime: Bool = false) throws -> CompiledPlan {
    let checked = Checker(catalog).check(
      SourceText(path: "/nowhere/graph.yaml", text: "visgraph: 1\n\(text)"))
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let plan = try PlanCompiler(
      graph, StreamConfiguration(sampleRate: rate, isRealTime: isRealTime, packets: .nowhere), ports: numbers,
      before: newest
    ).compile()
    newest = plan
    return plan
  }

  func offer(_ text: String, rate: Int = 48_000) throws { frames.offer(try plan(text, rate: rate)) }

  /// Releases the newest plan, so that only the threads that run it keep it.
  func forget() { newest = nil }

  static let tone = """
    nodes: { tone: { type: tone-source, level: -6 dB }, meter: { type: meter } }
    wires: [tone -> meter]
    """
}

/// Records the number, the counts and the first level of every frame.
final class SeenFrames: FrameObserver {
  struct Frame: Equatable {
    let frame: Int64
    let endSample: Int64
    let samples: UInt64
    let frames: UInt32
    let first: Float
  }
  private let all = Locked<[Frame]>([])
  private let ends = Locked<[Double]>([])

  /// The ends of the frames, in seconds.
  var seconds: [Double] { ends.withLock { $0 } }

  var frames: [Frame] { all.withLock { $0 } }
  var numbers: [Int64] { frames.map(\.frame) }

  func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    let frame = Frame(
      frame: header.frame, endSample: header.endSample, samples: header.samples, frames: header.frames,
      first: plan.frames.levels[0])
    all.withLock { $0.append(frame) }
    ends.withLock { $0.append(plan.frames.timeline.seconds(at: header.endSample)) }
  }
}
