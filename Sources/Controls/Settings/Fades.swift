public import Engine
public import Graphs
import Realtime
import Synchronization
import System

/// The fades of settings that run: each a number on its way to another, stepped by the frames of the show.
///
/// Steps are changes of settings like any other, made on the control thread, at most one a frame and 60 a second.
public final class Fades: FrameObserver {
  /// The most that run at a time.
  public static let most = GraphChange.most
  /// The least time between steps, in seconds; a little less than a frame at 60 a second.
  private static let leastStep = 0.015

  /// How a fade stands, as `/visgraph/status` reports it.
  public struct Fact: Equatable, Sendable {
    /// The path of the setting.
    public var path: String
    /// Where it goes, as a graph file would write it.
    public var goal: String
    /// In seconds.
    public var left: Double
  }

  private struct Fade {
    let path: String
    let way: ValueWay
    /// The goal as it was asked for, so that the end is exact.
    let goal: SettingValue
    let time: FadeTime
    /// When it has begun, on the clock of frames.
    let begin: Double
    /// What the last step has set.
    var last: SettingValue
    /// Whether a scene asks for it.
    let isOfScene: Bool

    /// A hair before its end too: frames are no exact parts of a second.
    func isOver(at clock: Double) -> Bool { clock >= begin + time.seconds - 1e-6 }
  }

  private struct State {
    var fades: [Fade] = []
    /// Seconds of all frames so far.
    var clock = 0.0
    /// When the last step was asked for.
    var rung = -Double.infinity
    /// Whether a step is due.
    var isDue = false
    /// When another waiter is to be woken.
    var bell: Double?
  }

  private let state = Locked(State())
  /// Whether any runs: asked first, so that a frame without one does next to nothing.
  private let isRunning = Atomic<Bool>(false)
  private let wake = Callback<Void>()

  /// None.
  public init() {}

  /// Who is woken when a step is due; called on the frame thread. [control]
  public func onStep(_ wake: @escaping @Sendable () -> Void) { self.wake.set(wake) }

  /// A frame is over: the clock goes on, and a step may be due. [frame]
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) {
    advance(by: Double(header.samples) / Double(plan.plan.pointee.rate))
  }

  /// The same, by so many seconds. [frame]
  func advance(by seconds: Double) {
    let rings = state.withLock { state in
      state.clock += seconds
      let isTime = state.bell.map { state.clock >= $0 - 1e-6 } ?? false
      if isTime { state.bell = nil }
      guard isRunning.load(ordering: .relaxed), state.clock >= state.rung + Self.leastStep else {
        return isTime
      }
      state.rung = state.clock
      state.isDue = true
      return true
    }
    if rings { wake() }
  }

  /// Seconds of all frames so far. [any]
  var clock: Double { state.withLock(\.clock) }

  /// Whether a setting is on its way. [any]
  public func isMoving(_ path: String) -> Bool { state.withLock { $0.fades.contains { $0.path == path } } }

  /// All that run, in the order in which they began. [any]
  public var snapshot: [Fact] {
    state.withLock { state in
      state.fades.map {
        Fact(path: $0.path, goal: $0.goal.text, left: max(0, $0.begin + $0.time.seconds - state.clock))
      }
    }
  }

  // MARK: - [control]

  /// Wakes as for a step, once, at a time of its clock, for what else goes by frames; nil: not at all.
  func ring(at clock: Double?) { state.withLock { $0.bell = clock } }

  /// Begins the fades among changes of settings; gives those that are to be made at once. A fade begins at what the
  /// setting is in `graph`, so it takes over from one that runs; one that is refused gives way to the newest value before
  /// it that can be, and changes nothing where there is none.
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

  /// Begins a fade; false where nothing can go step by step, and the setting is to be set at once.
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
      // How many a scene has is limited where it is checked.
      guard change.isOfScene || others.count(where: { !$0.isOfScene }) < Self.most else {
        throw .tooMuch("more than \(Self.most) fades run; this one is left out")
      }
      let fade = Fade(
        path: override.target, way: way, goal: override.value, time: time, begin: state.clock,
        last: way.value(at: 0, isStraight: time.isStraight), isOfScene: change.isOfScene)
      state.fades = others + [fade]
      isRunning.store(true, ordering: .relaxed)
      return true
    }
  }

  /// The settings that are due, but for those of some paths, which are set otherwise; a fade at its end is over.
  /// `refused` is called when one of them cannot be set, and the fade ends.
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
        let value = part >= 1 ? fade.goal : fade.way.value(at: part, isStraight: fade.time.isStraight)
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

  /// Ends fades where they are, those of a list too of which one entry is named.
  public func end(_ paths: Set<String>) {
    state.withLock { state in
      state.fades.removeAll { fade in
        paths.contains { SettingTarget.overlap($0, fade.path) }
      }
      if state.fades.isEmpty { isRunning.store(false, ordering: .relaxed) }
    }
  }

  /// Ends those of scenes where they are whose settings no scene has any more; `paths` are those that one has.
  public func endOfScenes(besides paths: [String]) {
    state.withLock { state in
      state.fades.removeAll { fade in
        fade.isOfScene && !paths.contains { SettingTarget.overlap($0, fade.path) }
      }
      if state.fades.isEmpty { isRunning.store(false, ordering: .relaxed) }
    }
  }

  /// Ends them all where they are.
  public func endAll() {
    state.withLock { $0.fades = [] }
    isRunning.store(false, ordering: .relaxed)
  }
}
