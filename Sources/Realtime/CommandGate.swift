import Glibc
import Synchronization
import System

/// Passes commands into the callback of a show that is recorded or played back. Commands act at the start of a frame,
/// all that were given since the last one together, and the record of that frame has the number of the last.
///
/// Commands are numbered from 1 in the order in which they were carried out. While one is being carried out, the
/// callback takes none.
public final class CommandGate: @unchecked Sendable {
  /// The callback's end; it must outlive the callback's use.
  public let shared: UnsafeMutablePointer<CommandGateShared>
  private let performing = Lock()

  /// Makes a gate without commands.
  public init() {
    shared = .allocate(capacity: 1)
    shared.initialize(to: CommandGateShared())
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// Carries out a command, which acts from the start of the next frame, or of the first one that begins at `sample`
  /// of the timeline or later. `body` is given the command's number; it must not wait for a disk. [any]
  public func perform<Result, Fault: Error>(
    notBefore sample: Int64 = .min, _ body: (Int64) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try performing.withLock { () throws(Fault) -> Result in
      shared.pointee.isPerforming.store(true, ordering: .sequentiallyConsistent)
      defer {
        shared.pointee.performed.add(1, ordering: .releasing)
        shared.pointee.isPerforming.store(false, ordering: .sequentiallyConsistent)
      }
      // Waits while the callback takes commands, which lasts for the first samples of a frame.
      let deadline = Deadline.after(seconds: 0.1)
      while shared.pointee.isTaking.load(ordering: .sequentiallyConsistent), !deadline.isOver { usleep(20) }
      // A command whose time has not come acts no earlier, and later commands wait with it.
      let waits = isTaken ? .min : shared.pointee.earliest.load(ordering: .relaxed)
      shared.pointee.earliest.store(max(sample, waits), ordering: .relaxed)
      return try body(shared.pointee.performed.load(ordering: .relaxed) + 1)
    }
  }

  /// The number of the last command that acts. Within `perform` it does not change. [any]
  public var lastTaken: Int64 { shared.pointee.taken.load(ordering: .acquiring) }

  /// Whether all commands act. [any]
  public var isTaken: Bool {
    shared.pointee.taken.load(ordering: .acquiring) == shared.pointee.performed.load(ordering: .acquiring)
  }
}

/// The callback's end of a `CommandGate`: atomics only.
public struct CommandGateShared: ~Copyable {
  let isPerforming = Atomic<Bool>(false)
  let isTaking = Atomic<Bool>(false)
  let performed = Atomic<Int64>(0)
  /// The earliest sample of the timeline at which the last commands may act.
  let earliest = Atomic<Int64>(.min)
  let opened = Atomic<Bool>(false)
  let taken = Atomic<Int64>(0)

  init() {}

  /// Begins a frame at `sample`: all commands so far act in it, unless one is being carried out or their time has not
  /// come. [audio]
  @_noLocks
  public borrowing func begin(at sample: Int64) {
    isTaking.store(true, ordering: .sequentiallyConsistent)
    let isFree =
      !isPerforming.load(ordering: .sequentiallyConsistent) && earliest.load(ordering: .relaxed) <= sample
    opened.store(isFree, ordering: .relaxed)
    if isFree { taken.store(performed.load(ordering: .acquiring), ordering: .releasing) }
  }

  /// Closes the gate until the next frame, after the frame's first samples have been made. [audio]
  @_noLocks
  public borrowing func end() {
    opened.store(false, ordering: .relaxed)
    isTaking.store(false, ordering: .sequentiallyConsistent)
  }

  /// Whether commands are to be taken now. [audio]
  public var isOpen: Bool { @_noLocks get { opened.load(ordering: .relaxed) } }

  /// The number of the last command that acts. [audio]
  public var lastTaken: Int64 { @_noLocks get { taken.load(ordering: .relaxed) } }
}

/// The timing of commands in a show that is recorded or played back, so that both give the same bytes. [any]
public struct CommandTiming: Sendable {
  /// The gate by which commands pass into the callback.
  public let gate: CommandGate
  /// Whether commands come from a recording: players then go on when it says so, not when their disks are ready.
  public let isReplay: Bool
  /// Called when a player's disk is ready with what was asked for, with the id of the player's node and the turn. The
  /// turn acts from the start of the next frame, as a command does.
  public let ready: @Sendable (_ number: Int64, _ player: String, PlayerTurn) -> Void

  /// Makes the timing of a gate.
  public init(
    gate: CommandGate, isReplay: Bool,
    ready: @escaping @Sendable (_ number: Int64, _ player: String, PlayerTurn) -> Void = { _, _, _ in }
  ) {
    self.gate = gate
    self.isReplay = isReplay
    self.ready = ready
  }
}

/// The timing of one player. [any]
public struct PlayerTiming: Sendable {
  /// The gate by which commands pass into the callback.
  public let gate: CommandGate
  /// Whether the player goes on when a recording says so.
  public let isReplay: Bool
  /// Called with the number and the turn when the disk is ready.
  public let ready: @Sendable (_ number: Int64, PlayerTurn) -> Void

  /// Makes the timing of a node's player.
  public init(_ timing: CommandTiming, id: String) {
    gate = timing.gate
    isReplay = timing.isReplay
    ready = { timing.ready($0, id, $1) }
  }
}

/// The place from which a player's change is heard. It depends on when the disk was ready, which differs from run to
/// run.
public struct PlayerTurn: Equatable, Sendable {
  /// The sample of the current generation at which the new one follows; nil: it begins at once.
  public let splice: Int64?
  /// Number of newer changes at the same place that it does not include yet.
  public let behind: Int64

  /// Makes a turn.
  public init(splice: Int64?, behind: Int64) {
    self.splice = splice
    self.behind = behind
  }
}
