public import Engine
import Glibc
public import Graphs
import Nodes
public import OSC
public import Realtime
import System

/// Does the commands of a show that is recorded or played back: each acts in one frame, with its audio half and its frame
/// half, and what acted is reported with the place on the timeline where that frame begins. [any]
public final class GatedCommands: FrameObserver {
  /// Is called with what acts from a place on, in seconds of the timeline. [frame]
  public typealias Record = @Sendable (_ message: Message, _ seconds: Double) -> Void

  /// What passes with a command's number.
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

    /// Whether nothing is left of it where a command acts in the same frame behind it.
    func isReplaced(by new: ShowCommand) -> Bool {
      if case .command(let old) = self { new.replaces(old) } else { false }
    }

    /// As a score has it; nil for what has no place there.
    var message: Message? {
      switch self {
      case .command(let command): command.message
      case .turn(let id, let turn): ScoreMark.turn(id, turn).message
      }
    }
  }

  /// What has been done and does not act yet, oldest first, and the show that it is done in.
  private struct State {
    var passing: [Passing] = []
    /// What is dark already and has not passed yet.
    var darkening: [ShowCommand] = []
    var plan: ObjectIdentifier?
    /// What a new plan begins with, and where it has begun.
    var isHeld = false
    var held: [(message: Message, seconds: Double)] = []
    var begin = 0.0
  }

  /// How they act.
  public let timing: CommandTiming
  private let record: Record?
  /// Called after every frame. [frame]
  private let wake: @Sendable () -> Void
  private let state: Locked<State>

  /// Commands that come live and are recorded, or, with `isReplay`, that come from a recording. The thread that plays that back
  /// while the show is live is woken after every frame.
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

  /// Whether what acts is recorded, and not played back alone.
  var isRecording: Bool { record != nil }

  /// The most commands that wait for a frame; of those that replace each other one waits.
  static let most = 10_000

  /// Whether another command may wait. [any]
  var hasRoom: Bool { state.withLock { $0.passing.count < Self.most } }

  /// Notes a command that darkens at once, before it does: what came before it and lights up does no more, from here until
  /// it acts in its frame. It passes later, as done. [any]
  func darken(_ command: ShowCommand) { state.withLock { $0.darkening.append(command) } }

  /// Notes a command that is being done with a number; `isDone`: it acts already. [any], within the gate.
  func pass(_ command: ShowCommand, _ number: Int64, isDone: Bool = false) {
    // What no frame has taken acts together, however long none comes.
    let taken = timing.gate.lastTaken
    state.withLock { state in
      // What is done keeps away the light before it until its frame comes, whatever is behind it.
      state.passing.removeAll {
        $0.number > taken && (isDone || !$0.isDone) && $0.act.isReplaced(by: command)
      }
      if isDone, let noted = state.darkening.firstIndex(of: command) { state.darkening.remove(at: noted) }
      state.passing.append(Passing(number: number, act: .command(command), isDone: isDone))
    }
  }

  /// Notes settings that were made with a number.
  public func pass(_ settings: [Override], _ number: Int64) {
    for setting in settings { pass(.set(path: setting.target, value: setting.value), number) }
  }

  // MARK: - [control]

  /// Runs what may put another plan of a show in the place of the one that runs, with settings that act from its first
  /// frame on: `body` gives them.
  public func change(of show: Show, _ body: () -> [Override]) {
    state.withLock { $0.isHeld = true }
    let settings = body()
    guard record != nil else { return state.withLock { $0.isHeld = false } }
    if !settings.isEmpty, let plan = show.plan {
      // Where that is, its first record says, unless no callback runs.
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
    // What is held is of a few frames; equal times keep their order.
    for (_, entry) in state.held.enumerated().sorted(by: {
      ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
    }) {
      record(entry.message, entry.seconds)
    }
    state.held = []
  }

  // MARK: - [frame]

  /// Lets act what acts in this frame and not in its sound, and reports what acts.
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
      // What is dark already does not light up again before its frame. Here, where nothing can be passed meanwhile.
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
