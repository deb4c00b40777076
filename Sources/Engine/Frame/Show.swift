import CRealtime
public import Graphs
public import Realtime
import System

/// A running graph: the engine, its frame thread, and its plans from the first to the last. [control]
///
/// Members without a tag are for that thread alone. Call in this order: `init`, a host, `open`, the host's `start`,
/// any number of `change`, `close`.
public final class Show: @unchecked Sendable {
  /// Runs the plans, called by the host's callback.
  public var engine: UnsafeMutablePointer<AudioEngine> { memory.engine }
  /// The counters that the callback advances.
  public var counters: UnsafeMutablePointer<EngineCounters> { memory.counters }
  /// Takes the records and runs the frame nodes.
  public let frames: FrameThread
  /// The master and the blackout, for all graphs of the show.
  public let dimmer = Dimmer()
  /// Lets packets out, or holds them.
  public let gate: OutputGate
  /// The transport of the sound server, where the host has one.
  public let transport = HostTransport()
  /// How commands are timed where they are recorded or played back; nil: they act as soon as they arrive.
  public let timing: CommandTiming?
  private let memory: EngineMemory
  private let ports = PortNumbers()
  private let running = Locked<CompiledPlan?>(nil)
  private let otherReports = Locked<[NodeReport]>([])
  /// Whether the host may have ports that the newest plan does not use.
  private var hasOldPorts = false
  /// The configuration of the newest plan.
  private var configuration: StreamConfiguration?

  /// Makes a show that has not begun; `observers` see every frame.
  public init(
    observers: [any FrameObserver] = [], timing: CommandTiming? = nil, gate: OutputGate = OutputGate()
  ) {
    self.timing = timing
    self.gate = gate
    memory = EngineMemory(gate: timing?.gate.shared)
    frames = FrameThread(exchange: memory.exchange, observers: observers, sendsEvery: timing != nil)
  }

  /// The plan offered last. [any]
  public var plan: CompiledPlan? { running.withLock { $0 } }

  /// The reports of all targets: those of nodes in file order, then the others. [any]
  public var reports: [NodeReport] { (plan?.frames.report ?? []) + otherReports.withLock { $0 } }

  /// Sets the reports of targets that belong to no node.
  public func report(others reports: [NodeReport]) { otherReports.withLock { $0 = reports } }

  /// Makes the first plan and offers it; its files are ready when it returns. Throws where a node cannot run.
  @discardableResult
  public func open(_ graph: CheckedGraph, _ configuration: StreamConfiguration, host: (any Host)?) throws
    -> CompiledPlan
  {
    try offer(graph, configuration, host: host)
  }

  /// Changes to another graph at the start of the next frame. Nodes that stay the same keep their state. Where a
  /// node cannot run, the old graph stays and the fault is thrown. Sounds that differ are crossfaded in `seconds`;
  /// where nil, as fast as is possible without a click.
  ///
  /// Returns when the callback runs the new plan, after 0.5 s, or as soon as `isWanted` returns false.
  public func change(
    to graph: CheckedGraph, _ configuration: StreamConfiguration, host: (any Host)?,
    fade seconds: Double? = nil,
    while isWanted: () -> Bool = { true }
  ) throws {
    let fade = PlanCompiler.Fade(
      seconds: seconds ?? PlanCompiler.Fade.shortest, isPower: seconds != nil,
      samples: counters.pointee.samples.now())
    let plan = try offer(graph, configuration, host: host, fade: fade)
    hasOldPorts = true
    _ = frames.waitUntilTaken(plan, seconds: 0.5, while: isWanted)
    settle(host)
  }

  /// Gives nodes the settings of a graph that is otherwise the running one, at the start of the next frame. Returns
  /// the nodes that were set; the others need a change of graph. With a command number they are set in the frame in
  /// which that command acts.
  public func set(_ nodes: [Int], as graph: CheckedGraph, at command: Int64? = nil) -> Set<Int> {
    plan?.set(nodes, as: graph, at: command) ?? []
  }

  /// Removes the ports of the old graph once the callback has left it, and sounds that have faded out. Call it
  /// regularly.
  public func settle(_ host: (any Host)?) {
    if let plan, plan.hasFades, frames.hasTaken(plan),
      plan.fadesAreOver(at: counters.pointee.samples.now()), let configuration
    {
      // If the plan cannot be made again, the old one goes on: the nodes that have faded out are silent.
      let fade = PlanCompiler.Fade(seconds: 0, isPower: false, samples: counters.pointee.samples.now())
      if (try? offer(plan.graph, configuration, host: host, fade: fade)) != nil { hasOldPorts = true }
    }
    guard hasOldPorts, let plan, frames.hasTaken(plan) else { return }
    hasOldPorts = false
    host?.retire(except: plan.ports)
    ports.keep(only: plan.ports)
  }

  private func offer(
    _ graph: CheckedGraph, _ configuration: StreamConfiguration, host: (any Host)?,
    fade: PlanCompiler.Fade? = nil
  ) throws -> CompiledPlan {
    if let fault = graph.requires.fault(atRate: configuration.sampleRate) { throw fault }
    self.configuration = configuration
    let before = plan
    let compiled: CompiledPlan
    do {
      compiled = try PlanCompiler(graph, configuration, ports: ports, before: before, fade: fade).compile()
    } catch {
      // The numbers assigned to its ports are free again.
      if let before, !hasOldPorts { ports.keep(only: before.ports) }
      throw error
    }
    host?.provide(compiled.ports)
    let playing = Set(before?.streams.map { ObjectIdentifier($0) } ?? [])
    for stream in compiled.streams where !playing.contains(ObjectIdentifier(stream)) { stream.prime() }
    running.withLock { $0 = compiled }
    frames.offer(compiled)
    return compiled
  }

  /// Begins a new epoch after a pause of the callback; frame numbers go on. Only while no callback runs. [any]
  public func resume() {
    frames.setStalled(false)
    engine.pointee.restart(frame: frames.doneFrame + 1)
  }

  /// Puts the lights out for good, in any state of the host. Takes the last records first; no frame follows. After a
  /// crash it waits for no other thread. [any]
  public func darken(isCrash: Bool = false) {
    if !isCrash { frames.withdraw() }
    frames.darken(isCrash: isCrash)
  }

  /// Ends the show after the host has stopped: puts the lights out and frees all plans.
  public func close() {
    frames.withdraw()
    engine.pointee.stop()
    frames.stop()
    running.withLock { $0 = nil }
  }

  /// Messages of streams, of nodes that move in pictures, and of controls since the last call, one sentence each.
  public func takeMessages() -> [String] {
    guard let plan else { return [] }
    return plan.streams.flatMap { $0.takeMessages() } + plan.scene.flatMap { $0.takeMessages() }
      + plan.controls.flatMap { $0.control.takeMessages() }
  }
}

/// An engine, its counters and its plan exchange at fixed addresses, because the callback has pointers to them.
///
/// Freed with this object, once no callback runs any more.
public final class EngineMemory: @unchecked Sendable {
  /// Passes plans to the callback and back.
  public let exchange: UnsafeMutablePointer<PlanExchange>
  /// The counters that the engine advances.
  public let counters: UnsafeMutablePointer<EngineCounters>
  /// The engine.
  public let engine: UnsafeMutablePointer<AudioEngine>

  /// Makes an engine without a plan. Commands may pass through `gate`, which must outlive this object.
  public init(gate: UnsafeMutablePointer<CommandGateShared>? = nil) {
    exchange = .allocate(capacity: 1)
    exchange.initialize(to: PlanExchange())
    counters = .allocate(capacity: 1)
    counters.initialize(to: EngineCounters())
    engine = .allocate(capacity: 1)
    engine.initialize(to: AudioEngine(exchange: exchange, counters: counters, gate: gate))
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
    exchange.deinitialize(count: 1)
    exchange.deallocate()
  }
}
