import CRealtime
import Engine
import Graphs
import Hosts
import Nodes
import Realtime
import System
import Testing

/// An engine with its frame thread, and plans from text.
final class HostRig: @unchecked Sendable {
  let exchange: UnsafeMutablePointer<PlanExchange>
  let counters: UnsafeMutablePointer<EngineCounters>
  let engine: UnsafeMutablePointer<AudioEngine>
  let frames: FrameThread
  let seen: SeenFrames
  let ports = PortNumbers()
  private(set) var newest: CompiledPlan?

  private let catalog: Catalog

  init(types: [any NodeType.Type] = []) {
    catalog = Catalog(types: everyNode + types)
    exchange = .allocate(capacity: 1)
    exchange.initialize(to: PlanExchange())
    counters = .allocate(capacity: 1)
    counters.initialize(to: EngineCounters())
    engine = .allocate(capacity: 1)
    engine.initialize(to: AudioEngine(exchange: exchange, counters: counters))
    seen = SeenFrames()
    frames = FrameThread(exchange: exchange, observers: [seen])
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
    exchange.deinitialize(count: 1)
    exchange.deallocate()
  }

  /// A plan of a text, that keeps what the newest has; not offered yet.
  func plan(_ text: String, rate: Int = 48_000, isRealTime: Bool = false) throws -> CompiledPlan {
    let checked = Checker(catalog).check(
      SourceText(path: "/nowhere/graph.yaml", text: "visgraph: 1\n\(text)"))
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let plan = try PlanCompiler(
      graph, StreamConfiguration(sampleRate: rate, isRealTime: isRealTime, packets: .nowhere), ports: ports,
      before: newest
    ).compile()
    newest = plan
    return plan
  }

  func offer(_ text: String, rate: Int = 48_000) throws { frames.offer(try plan(text, rate: rate)) }

  /// Forgets the newest plan, so that only those who run it keep it.
  func forget() { newest = nil }

  /// Turns the engine as a callback does, frames finished on the way left to the frame thread.
  func process(_ count: Int, time: UInt64 = 0) {
    var done: UInt32 = 0
    while done < UInt32(count) {
      done += engine.pointee.advance(ports: noPorts, offset: done, count: UInt32(count) - done, time: time)
    }
  }
  private let noPorts: UnsafeMutablePointer<UnsafeMutablePointer<Float>?> = {
    let ports = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: PortNumbers.capacity)
    ports.initialize(repeating: nil, count: PortNumbers.capacity)
    return ports
  }()

  static let tone = """
    nodes: { tone: { type: tone-source, level: -6 dB }, meter: { type: meter } }
    wires: [tone -> meter]
    """
}

/// Notes the number, the counts and the first level of every frame.
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

  /// Where the frames end, in seconds.
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
