import CRealtime
public import Graphs
public import Realtime
import System

/// A graph being performed: the engine, its frame thread, and the plan that runs, from the first to the last. [control]
///
/// What has no tag of its own is for that thread alone. Order: `init`, a host, `open`, the host's `start`, any number
/// of `change`, `close`.
public final class Show: @unchecked Sendable {
  /// Runs the plans; the host's callback calls it.
  public var engine: UnsafeMutablePointer<AudioEngine> { memory.engine }
  /// What the callback counts.
  public var counters: UnsafeMutablePointer<EngineCounters> { memory.counters }
  /// Takes the records and runs the frame nodes.
  public let frames: FrameThread
  /// The master fader and the blackout, for all graphs of the show.
  public let dimmer = Dimmer()
  /// Lets what it sends out, or holds it.
  public let gate: OutputGate
  /// The transport of the sound server, if the host has one.
  public let transport = HostTransport()
  /// How commands act where they are recorded or played back; nil: as they come.
  public let timing: CommandTiming?
  private let memory: EngineMemory
  private let ports = PortNumbers()
  private let running = Locked<CompiledPlan?>(nil)
  private let others = Locked<[NodeReport]>([])
  /// Whether the host may still have ports that the newest plan does not use.
  private var hasOldPorts = false
  /// What the newest plan was made for.
  private var configuration: StreamConfiguration?

  /// A show that has not begun; `observers` see every frame.
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

  /// Who is sent to: the targets of nodes in file order, then the others. [any]
  public var reports: [NodeReport] { (plan?.frames.report ?? []) + others.withLock { $0 } }

  /// States how things stand with those who are sent to and are no targets of nodes.
  public func report(others reports: [NodeReport]) { others.withLock { $0 = reports } }

  /// Makes the first plan and offers it; files are ready when it returns. Throws what a node cannot run without.
  @discardableResult
  public func open(_ graph: CheckedGraph, _ configuration: StreamConfiguration, host: (any Host)?) throws
    -> CompiledPlan
  {
    try offer(graph, configuration, host: host)
  }

  /// Changes to another graph at the next frame's start, keeping the state of what stays the same. When a node cannot
  /// run the old graph stays and the reason is thrown. What is not the same in both fades: in so many seconds where they
  /// are said, the old heard as long as the new comes, else as fast as is possible without a click.
  ///
  /// Returns when the callback runs it, after half a second, or as soon as that is not wanted any more.
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

  /// Gives nodes the settings that they have in a graph which is otherwise the one that runs, at the next frame's start.
  /// Returns those that have them; the others ask for a change to the graph. With the number of a command they have them
  /// from the frame on in which that command acts.
  public func set(_ nodes: [Int], as graph: CheckedGraph, at command: Int64? = nil) -> Set<Int> {
    plan?.set(nodes, as: graph, at: command) ?? []
  }

  /// Takes back the ports of the old graph as soon as the callback has left it: at once, or when there is a callback
  /// again; and lets go of what has faded. To be called now and then.
  public func settle(_ host: (any Host)?) {
    if let plan, plan.isFading, frames.hasTaken(plan), plan.endFades(at: counters.pointee.samples.now()),
      let configuration
    {
      // Where it cannot be made again it goes on as it is: what has faded is silent.
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
      // The numbers that its ports had got are free again.
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

  /// The callback is about to begin anew after a pause: a new epoch, numbered on. Only while no callback runs. [any]
  public func resume() {
    frames.setStalled(false)
    engine.pointee.restart(frame: frames.doneFrame + 1)
  }

  /// Puts the lights out for good, whatever the host does: the last records are taken, and no frame comes after them.
  /// [any] After a crash no other thread is waited for.
  public func darken(isCrash: Bool = false) {
    if !isCrash { frames.withdraw() }
    frames.darken(isCrash: isCrash)
  }

  /// The end, after the host has stopped: the lights go out, and all is freed.
  public func close() {
    frames.withdraw()
    engine.pointee.stop()
    frames.stop()
    running.withLock { $0 = nil }
  }

  /// What has happened to what delivers samples, to what moves in pictures and to what is played by hand, one sentence
  /// each.
  public func takeMessages() -> [String] {
    guard let plan else { return [] }
    return plan.streams.flatMap { $0.takeMessages() } + plan.scene.flatMap { $0.takeMessages() }
      + plan.controls.flatMap { $0.control.takeMessages() }
  }
}

/// An engine, what it counts and where plans are offered to it, at places that stay: the callback has them by pointer.
///
/// Freed with this object, when no callback runs any more.
public final class EngineMemory: @unchecked Sendable {
  /// Where plans are offered.
  public let exchange: UnsafeMutablePointer<PlanExchange>
  /// What the engine counts.
  public let counters: UnsafeMutablePointer<EngineCounters>
  /// The engine.
  public let engine: UnsafeMutablePointer<AudioEngine>

  /// An engine without a plan; commands may pass through a gate, which must outlive it.
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
