import CRealtime
import Engine
import Glibc
import Graphs
import Nodes
import Playback
import Realtime
import TestSounds
import TestSupport
import Testing

/// A graph compiled from its text, with an engine that is advanced by hand; frame nodes run right after their frame.
final class GraphRig: EngineRig, @unchecked Sendable {
  let numbers = PortNumbers()
  /// The newest plan, after older ones that may still have records.
  private(set) var plans: [CompiledPlan] = []
  let rate: Int
  /// Whether frame nodes run only between cycles, as they do live.
  var isLive = false
  /// Whether particles move and pictures are drawn after every frame.
  var showsPictures = false
  /// The number of records that wait behind each one, and whether the host freewheels.
  var (waiting, isFreewheeling) = (0, false)
  private let types: [any NodeType.Type]
  private let folder: String
  private let packets: StreamConfiguration.Packets
  /// Whether levels that no wire takes are computed.
  private let demand: LevelDemand
  /// The values of every frame.
  private(set) var frames: [SeenFrame] = []
  /// Every record, byte by byte, without the time.
  private(set) var records: [UInt8] = []
  /// The number of finished frames when records were last taken.
  private var drained: Int64 = 0

  struct SeenFrame {
    let header: RecordHeader
    let levels: [Float]
    let events: [Event]
  }

  init(
    _ text: String, rate: Int = 48_000, folder: String = "/nowhere", demand: LevelDemand = LevelDemand(),
    packets: StreamConfiguration.Packets = .nowhere, types: [any NodeType.Type] = everyNode
  ) throws {
    self.types = types
    self.demand = demand
    self.packets = packets
    self.rate = rate
    self.folder = folder
    super.init()
    try load(text)
  }

  var plan: CompiledPlan { plans[plans.count - 1] }

  /// Checks a text; `nodes` and `wires` in YAML's flow style are enough.
  static func graph(
    _ text: String, folder: String = "/nowhere", types: [any NodeType.Type] = everyNode
  ) throws -> CheckedGraph {
    let source = SourceText(path: "\(folder)/graph.yaml", text: "visgraph: 1\n\(text)")
    let checked = Checker(Catalog(types: types)).check(source)
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }

  /// Offers a plan of a new text that keeps the state of nodes that are in both. All others crossfade for `seconds`, if
  /// given.
  func load(_ text: String, fade seconds: Double? = nil, isPower: Bool = false) throws {
    try load(
      try Self.graph(text, folder: folder, types: types),
      fade: seconds.map { PlanCompiler.Fade(seconds: $0, isPower: isPower, samples: samples) })
  }

  /// Changes one setting of the running plan, as `--set` does. False if the change needs a new plan.
  func set(_ path: String, to value: String) throws -> Bool {
    guard let (graph, node) = plan.graph.setting(Override(target: path, value: value)) else { return false }
    return plan.set([node], as: graph) == [node]
  }

  /// Offers a plan of the same graph without nodes that have faded out. False while any still fades.
  func endFades() throws -> Bool {
    guard plan.fadesAreOver(at: samples) else { return false }
    try load(plan.graph, fade: PlanCompiler.Fade(seconds: 0, isPower: false, samples: samples))
    return true
  }

  private func load(_ graph: CheckedGraph, fade: PlanCompiler.Fade? = nil) throws {
    let configuration = StreamConfiguration(
      sampleRate: rate, isRealTime: false, packets: packets, demand: demand)
    let plan = try PlanCompiler(graph, configuration, ports: numbers, before: plans.last, fade: fade)
      .compile()
    for stream in plan.streams { stream.prime() }
    plans.append(plan)
    #expect(offer(plan.plan) == nil)
  }

  /// Runs one cycle, as a host that is not in real time does.
  override func process(_ count: Int, time: UInt64 = 0) {
    process(count) { $0.pointee.advance(ports: $1, offset: $2, count: $3, time: time) }
  }

  /// Runs one cycle by another way of advancing the engine.
  func process(_ count: Int, by advance: Advance) {
    for stream in plan.streams { stream.fill(count) }
    var done: UInt32 = 0
    while done < UInt32(count) {
      done += advance(engine, ports, done, UInt32(count) - done)
      if !isLive { drain() }
    }
    drain()
  }

  /// A way of advancing the engine.
  typealias Advance = (
    UnsafeMutablePointer<AudioEngine>, UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, UInt32, UInt32
  ) -> UInt32

  private func drain() {
    // Most cycles finish no frame, and there may be a thousand plans.
    guard finished != drained else { return }
    drained = finished
    for plan in plans {
      let queue = plan.plan.pointee.queue.values
      while let record = plan.plan.pointee.queue.peek() {
        let size = MemoryLayout<RecordHeader>.stride + queue * 12 + plan.plan.pointee.queue.sources
        records += UnsafeRawBufferPointer(start: record.header, count: size)
        plan.frames.run(record, waiting: waiting, isFreewheeling: isFreewheeling)
        if showsPictures { plan.advanceScene() }
        frames.append(
          SeenFrame(
            header: record.header.pointee,
            levels: Array(UnsafeBufferPointer(start: plan.frames.levels, count: plan.frames.levelCount)),
            events: plan.frames.lastEvents))
        plan.plan.pointee.queue.pop()
      }
    }
  }

  /// The number of a host's port in the newest plan.
  func port(_ name: String) throws -> Int {
    try #require(plan.ports.first { $0.name == name }, "no port \(name)").number
  }

  /// A level over all frames, by its name in files of levels.
  func levels(_ name: String) throws -> [Float] {
    let column = try #require(plan.frames.columns.first { $0.name == name }, "no level \(name)")
    return frames.map { $0.levels[column.level] }
  }

  /// Runs `count` samples in cycles of `cycle`. Returns the samples of outputs, by name.
  func play(_ count: Int, cycle: Int = 256, outputs: [String], inputs: [String: [Float]] = [:]) throws
    -> [[Float]]
  {
    let recorded = UnsafeMutablePointer<Float>.allocate(capacity: count * max(1, outputs.count))
    recorded.initialize(repeating: 0, count: count * max(1, outputs.count))
    defer { recorded.deallocate() }
    let given = try inputs.map { name, samples in
      let place = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
      place.initialize(from: samples, count: samples.count)
      return (number: try port(name), place: place)
    }
    defer { for input in given { input.place.deallocate() } }
    let numbers = try outputs.map { try port($0) }
    var position = 0
    while position < count {
      let length = min(cycle, count - position)
      for (i, number) in numbers.enumerated() { ports[number] = recorded + i * count + position }
      for input in given { ports[input.number] = input.place + position }
      process(length)
      position += length
    }
    for number in numbers { ports[number] = nil }
    for input in given { ports[input.number] = nil }
    return (0..<outputs.count).map { Array(UnsafeBufferPointer(start: recorded + $0 * count, count: count)) }
  }
}

/// Writes a WAV file of 32-bit floats.
func writeSound(_ path: String, rate: Int, channels: [[Float]]) {
  let bytes = Wave.bytes(channels, rate: rate)
  let file = fopen(path, "w")
  #expect(file != nil && fwrite(bytes, 1, bytes.count, file!) == bytes.count && fclose(file!) == 0)
}
