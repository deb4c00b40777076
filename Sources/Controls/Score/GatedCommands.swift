public import Engine
import Glibc
public import Graphs
import Nodes
public import OSC
public import Realtime
import System

/// Passes the commands of a show that is recorded or played back. Each acts in one frame, with its audio half and its
/// frame half, and is recorded with the time at which that frame begins. [any]
public final class GatedCommands: FrameObserver {
  /// Takes a message that acts, and the time from which it does, in seconds of the timeline. [frame]
  public typealias Record = @Sendable (_ message: Message, _ seconds: Double) -> Void

  /// An act with the number of its command.
  private struct Passing {
    let number: Int64
    let act: Act
    /// Whether it acts already.
    var isDone = false

    var command: ShowCommand? { if case .command(let command) = act { command } else { nil } }
  }

  private enum Act {
    case command(ShowCommand)
    case turn(String, PlayerTurn)

    /// Whether a command in the same frame leaves no effect of it.
    func isReplaced(by new: ShowCommand) -> Bool {
      if case .command(let old) = self { new.replaces(old) } else { false }
    }

    /// Its form in a score; nil: a score may not hold it.
    var message: Message? {
      switch self {
      case .command(let command): command.message
      case .turn(let id, let turn): ScoreMark.turn(id, turn).message
      }
    }
  }

  /// Acts that have been given to the callback and whose frame has not come, oldest first, and what is needed to record
  /// them.
  private struct State {
    var passing: [Passing] = []
    /// Commands that have darkened already and have not passed yet.
    var darkening: [ShowCommand] = []
    var plan: ObjectIdentifier?
    /// Whether records are held until a new plan runs, those records, and where that plan begins, in seconds.
    var isHeld = false
    var held: [(message: Message, seconds: Double)] = []
    var begin = 0.0
  }

  /// How commands act in frames.
  public let timing: CommandTiming
  private let record: Record?
  /// Called after every frame, to wake the thread that plays back. [frame]
  private let wake: @Sendable () -> Void
  private let state: Locked<State>

  /// Records live commands with `record`, or, with `isReplay`, passes those of a recording. `wake` wakes the thread
  /// that plays it back live; it is called after every frame.
  public init(
    isReplay: Bool = false, wake: @escaping @Sendable () -> Void = {}, record: Record? = nil
  ) {
    self.wake = wake
    let state = Locked(State())
    self.state = state
    self.record = record
    timing = CommandTiming(gate: CommandGate(), isReplay: isReplay) { number, id, turn in
      guard record != nil else { return }
      state.withLock { $0.passing.append(Passing(number: number, act: .turn(id, turn))) }
    }
  }

  /// Whether commands are recorded.
  var isRecording: Bool { record != nil }

  /// The most commands that wait for a frame; of commands that replace each other only the last waits.
  static let most = 10_000

  /// Whether another command may wait. [any]
  var hasRoom: Bool { state.withLock { $0.passing.count < Self.most } }

  /// Notes a command that darkens, before it acts at once: earlier commands that wait can no longer brighten until its
  /// frame has come. It passes later, with `isDone`. [any]
  func darken(_ command: ShowCommand) { state.withLock { $0.darkening.append(command) } }

  /// Notes a command that is carried out with a number; `isDone`: it acts already. [any], within the gate.
  func pass(_ command: ShowCommand, _ number: Int64, isDone: Bool = false) {
    // Commands that no frame has taken act together, however late the frame comes.
    let taken = timing.gate.lastTaken
    state.withLock { state in
      // A command that is done keeps earlier ones from brightening until its frame comes, so later ones do not replace
      // it.
      if command.setsState {
        state.passing.removeAll {
          $0.number > taken && (isDone || !$0.isDone) && $0.act.isReplaced(by: command)
        }
      }
      if isDone, let noted = state.darkening.firstIndex(of: command) { state.darkening.remove(at: noted) }
      state.passing.append(Passing(number: number, act: .command(command), isDone: isDone))
    }
  }

  /// Notes settings that were changed with a number.
  public func pass(_ settings: [Override], _ number: Int64) {
    for setting in settings { pass(.set(path: setting.target, value: setting.value), number) }
  }

  // MARK: - [control]

  /// Runs `body`, which may change the plan of the show, and records the settings that it returns at the start of the
  /// new plan.
  public func change(of show: Show, _ body: () -> [Override]) {
    state.withLock { $0.isHeld = true }
    let settings = body()
    guard record != nil else { return state.withLock { $0.isHeld = false } }
    if !settings.isEmpty, let plan = show.plan {
      // The first record of the new plan says where it begins, if a callback runs.
      let deadline = Deadline.after(seconds: 0.5)
      while state.withLock({ $0.plan != ObjectIdentifier(plan) }), !deadline.isOver, show.frames.hasCallback {
        usleep(1000)
      }
    }
    state.withLock { state in
      for setting in settings {
        let command = ShowCommand.set(path: setting.target, value: setting.value)
        guard let message = command.message else { continue }
        state.held.append((message, state.begin))
      }
      state.isHeld = false
      release(&state)
    }
  }

  private func release(_ state: inout State) {
    guard !state.isHeld, !state.held.isEmpty, let record else { return }
    // These are of few frames; the sort keeps the order of equal times.
    for (_, entry) in state.held.enumerated().sorted(by: {
      ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
    }) {
      record(entry.message, entry.seconds)
    }
    state.held = []
  }

  // MARK: - [frame]

  /// Applies what acts in this frame on the frame thread, and records all that acts in it.
  public func begins(_ plan: CompiledPlan, _ header: RecordHeader) {
    let seconds = plan.frames.timeline.seconds(at: header.endSample - Int64(header.samples))
    let acts = state.withLock { state -> [Act] in
      if state.plan != ObjectIdentifier(plan) {
        (state.plan, state.begin) = (ObjectIdentifier(plan), seconds)
      }
      let count = state.passing.prefix { $0.number <= header.commands }.count
      defer { state.passing.removeFirst(count) }
      let acts = state.passing.prefix(count).map(\.act)
      let done = state.passing.dropFirst(count).filter(\.isDone).compactMap(\.command) + state.darkening
      if record != nil {
        for act in acts {
          if let message = act.message { state.held.append((message, seconds)) }
        }
        release(&state)
      }
      // A light that is dark already must not brighten before its frame. Under the lock, so that no command passes
      // meanwhile.
      for act in acts where !done.contains(where: { act.isReplaced(by: $0) }) { dim(act, plan) }
      return acts
    }
    for case .command(let command) in acts { act(command, plan) }
  }

  /// Wakes the thread that plays back.
  public func saw(_ plan: CompiledPlan, _ header: RecordHeader) { wake() }

  private func dim(_ act: Act, _ plan: CompiledPlan) {
    if case .command(let command) = act { command.move(plan.frames.dimmer) }
  }

  private func act(_ command: ShowCommand, _ plan: CompiledPlan) {
    switch command {
    case .tap(let node): plan.beats.first { $0.id == node }?.beat.tap()
    case .sound(let node, .alert(let name)):
      plan.soundBanks.first { $0.id == node }?.bank.tell(name)
    case .sound(let node, .play(let name)):
      guard let bank = plan.soundBanks.first(where: { $0.id == node })?.bank, bank.tells(name) else { return }
      bank.tell(name)
    default: break
    }
  }
}
