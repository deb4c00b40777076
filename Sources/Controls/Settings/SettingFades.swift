public import Engine
public import Graphs
import Realtime
import Synchronization
import System

/// The running fades of settings: each moves a value to another, in steps at frames of the show.
///
/// A step is a change of the setting like any other, made on the control thread, at most one a frame and 60 a second.
public final class SettingFades: FrameObserver {
  /// The most fades that run at a time.
  public static let most = GraphChange.most
  /// The least time between steps, in seconds; a little less than a frame at 60 a second.
  private static let leastStep = 0.015

  /// The state of a fade, as `/visgraph/status` reports it.
  public struct Fact: Equatable, Sendable {
    /// The path of the setting.
    public var path: String
    /// Its goal, as a graph file writes it.
    public var goal: String
    /// The seconds that are left.
    public var left: Double
  }

  private struct Fade {
    let path: String
    let way: ValueWay
    /// The goal in its own spelling, so that the end is exact.
    let goal: SettingValue
    let time: FadeTime
    /// When it began, in seconds of `clock`.
    let begin: Double
    /// The value of the last step.
    var last: SettingValue
    /// Whether it belongs to a scene.
    let isOfScene: Bool

    /// 1 µs early counts as over, because the times of frames are rounded.
    func isOver(at clock: Double) -> Bool { clock >= begin + time.seconds - 1e-6 }
  }

  private struct State {
    var fades: [Fade] = []
    /// The duration of all frames so far, in seconds.
    var clock = 0.0
    /// When the last step was due.
    var lastDue = -Double.infinity
    /// Whether a step is due.
    var isDue = false
    /// When the control thread is to be woken besides; nil: not at all.
    var wakeTime: Double?
  }

  private let state = Locked(State())
  /// Whether any fade runs; an atomic, so that a frame without fades does next to nothing.
  private let isRunning = Atomic<Bool>(false)
  private let wake = Callback<Void>()

  /// No fade runs.
  public init() {}

  /// Sets what wakes the control thread when a step is due; called on the frame thread. [control]
  public func onStep(_ wake: @escaping @Sendable () -> Void) { self.wake.set(wake) }

  /// After a frame: advances the clock; a step may be due. [frame]
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    advance(by: Double(header.samples) / Double(plan.plan.pointee.rate))
  }

  /// Advances the clock by `seconds`. [frame]
  func advance(by seconds: Double) {
    let wakes = state.withLock { state in
      state.clock += seconds
      let isTime = state.wakeTime.map { state.clock >= $0 - 1e-6 } ?? false
      if isTime { state.wakeTime = nil }
      guard isRunning.load(ordering: .relaxed), state.clock >= state.lastDue + Self.leastStep else {
        return isTime
      }
      state.lastDue = state.clock
      state.isDue = true
      return true
    }
    if wakes { wake() }
  }

  /// The duration of all frames so far, in seconds. [any]
  var clock: Double { state.withLock(\.clock) }

  /// Whether a setting fades. [any]
  public func isMoving(_ path: String) -> Bool { state.withLock { $0.fades.contains { $0.path == path } } }

  /// The running fades, in the order in which they began. [any]
  public var snapshot: [Fact] {
    state.withLock { state in
      state.fades.map {
        Fact(path: $0.path, goal: $0.goal.text, left: max(0, $0.begin + $0.time.seconds - state.clock))
      }
    }
  }

  // MARK: - [control]

  /// Wakes the control thread once, at a time of `clock`, for other things that go by frames; nil: cancels that.
  func scheduleWakeUp(at clock: Double?) { state.withLock { $0.wakeTime = clock } }

  /// Begins the fades among changes of settings; returns the changes that are to be made at once. A fade begins at the
  /// setting's value in `graph`, so it takes over from a running one. In place of a refused fade, the newest value
  /// before it that is accepted counts; without one nothing changes.
  public func begin(_ changes: [GraphChange], in graph: CheckedGraph) -> [GraphChange] {
    changes.compactMap { change in
      var change = change
      while let time = change.command.fade, time.seconds > 0 {
        do throws(ControlError) {
          guard try begin(change, time, in: graph) else { return change }
          return nil
        } catch {
          change.refused(error)
          guard let before = change.earlier.popLast() else { return nil }
          change.command = before
          change.refused = { _ in }
        }
      }
      return change
    }
  }

  /// Begins a fade; false: the value cannot move in steps, and is to be set at once.
  private func begin(
    _ change: GraphChange, _ time: FadeTime, in graph: CheckedGraph
  ) throws(ControlError) -> Bool {
    guard let override = try SettingOverrides.override(change.command, graph) else { return false }
    let found: ValueWay?
    switch graph.way(at: override.target, to: override.value) {
    case .success(let way): found = way
    case .failure(let fault): throw ControlError(fault)
    }
    guard let way = found else { return false }
    return try state.withLock { state throws(ControlError) in
      let others = state.fades.filter { $0.path != override.target }
      // The checker limits how many settings a scene has.
      guard change.isOfScene || others.count(where: { !$0.isOfScene }) < Self.most else {
        throw .tooMuch("more than \(Self.most) fades run; this one is left out")
      }
      let fade = Fade(
        path: override.target, way: way, goal: override.value, time: time, begin: state.clock,
        last: way.value(at: 0, isLinear: time.isLinear), isOfScene: change.isOfScene)
      state.fades = others + [fade]
      isRunning.store(true, ordering: .relaxed)
      return true
    }
  }

  /// The steps that are due, except for settings at `paths`, which change otherwise; ends fades that have reached their
  /// goal. `refused` is called if a step is refused, which ends its fade.
  public func steps(
    besides paths: Set<String>, refused: @escaping @Sendable (_ path: String, ControlError) -> Void
  ) -> [GraphChange] {
    state.withLock { state in
      guard state.isDue else { return [] }
      state.isDue = false
      var steps: [GraphChange] = []
      for index in state.fades.indices where !paths.contains(state.fades[index].path) {
        let fade = state.fades[index]
        let part = fade.isOver(at: state.clock) ? 1 : (state.clock - fade.begin) / fade.time.seconds
        let value = part >= 1 ? fade.goal : fade.way.value(at: part, isLinear: fade.time.isLinear)
        if value == fade.last { continue }
        state.fades[index].last = value
        var step = GraphChange(command: .set(path: fade.path, value: value)) { [weak self] fault in
          self?.end([fade.path])
          refused(fade.path, fault)
        }
        step.isOfScene = fade.isOfScene
        steps.append(step)
      }
      state.fades.removeAll { !paths.contains($0.path) && $0.isOver(at: state.clock) }
      if state.fades.isEmpty { isRunning.store(false, ordering: .relaxed) }
      return steps
    }
  }

  /// Ends, where they are, the fades of these settings and of settings that contain them or lie within them.
  public func end(_ paths: Set<String>) {
    state.withLock { state in
      state.fades.removeAll { fade in
        paths.contains { SettingTarget.overlap($0, fade.path) }
      }
      if state.fades.isEmpty { isRunning.store(false, ordering: .relaxed) }
    }
  }

  /// Ends the fades of scenes where they are, except for those of `paths`, the settings of a scene.
  public func endOfScenes(besides paths: [String]) {
    state.withLock { state in
      state.fades.removeAll { fade in
        fade.isOfScene && !paths.contains { SettingTarget.overlap($0, fade.path) }
      }
      if state.fades.isEmpty { isRunning.store(false, ordering: .relaxed) }
    }
  }

  /// Ends all fades where they are.
  public func endAll() {
    state.withLock { $0.fades = [] }
    isRunning.store(false, ordering: .relaxed)
  }
}
