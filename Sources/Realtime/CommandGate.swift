import Glibc
import Synchronization
import System

/// Passes commands into the callback of a show that is recorded or played back. At the start of a frame, the callback
/// takes all commands that were carried out since the last frame. The record of the frame has the number of the last
/// one.
///
/// Commands are numbered from 1 in the order in which they are carried out. The callback takes none while one is being
/// carried out.
public final class CommandGate: @unchecked Sendable {
  /// The part that the callback accesses. The gate must live as long as the callback uses it.
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

  /// Carries out a command by `body`, which gets the command's number and must not wait for a disk. The command acts
  /// from the start of the next frame that begins at `sample` of the timeline or later. [any]
  public func perform<Result, Fault: Error>(
    notBefore sample: Int64 = .min, _ body: (Int64) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try performing.withLock { () throws(Fault) -> Result in
      shared.pointee.isPerforming.store(true, ordering: .sequentiallyConsistent)
      defer {
        shared.pointee.performed.add(1, ordering: .releasing)
        shared.pointee.isPerforming.store(false, ordering: .sequentiallyConsistent)
      }
      // Waits while the callback takes commands. That lasts for the first samples of a frame.
      let deadline = Deadline.after(seconds: 0.1)
      while shared.pointee.isTaking.load(ordering: .sequentiallyConsistent), !deadline.isOver { usleep(20) }
      // While an earlier command waits for its time, this one waits at least as long.
      let waits = isTaken ? .min : shared.pointee.earliest.load(ordering: .relaxed)
      shared.pointee.earliest.store(max(sample, waits), ordering: .relaxed)
      return try body(shared.pointee.performed.load(ordering: .relaxed) + 1)
    }
  }

  /// The number of the last command that the callback has taken. It does not change within `perform`. [any]
  public var lastTaken: Int64 { shared.pointee.taken.load(ordering: .acquiring) }

  /// Whether the callback has taken all commands; also before the first one. [any]
  public var isTaken: Bool {
    shared.pointee.taken.load(ordering: .acquiring) == shared.pointee.performed.load(ordering: .acquiring)
  }
}

/// The part of a `CommandGate` that the callback accesses: only atomics.
public struct CommandGateShared: ~Copyable {
  /// Whether a command is being carried out.
  let isPerforming = Atomic<Bool>(false)
  /// Whether the callback is between `begin` and `end`.
  let isTaking = Atomic<Bool>(false)
  /// Number of commands carried out.
  let performed = Atomic<Int64>(0)
  /// The earliest sample of the timeline at which the callback may take the commands that wait.
  let earliest = Atomic<Int64>(.min)
  /// The value of `isOpen`.
  let opened = Atomic<Bool>(false)
  /// The value of `lastTaken`.
  let taken = Atomic<Int64>(0)

  init() {}

  /// Begins a frame at `sample`. It takes all commands so far, unless one is being carried out or their time has not
  /// come. [audio]
  @_noLocks
  public borrowing func begin(at sample: Int64) {
    isTaking.store(true, ordering: .sequentiallyConsistent)
    let isFree =
      !isPerforming.load(ordering: .sequentiallyConsistent) && earliest.load(ordering: .relaxed) <= sample
    opened.store(isFree, ordering: .relaxed)
    if isFree { taken.store(performed.load(ordering: .acquiring), ordering: .releasing) }
  }

  /// Closes the gate until the next frame. To be called when the frame's first samples have been made. [audio]
  @_noLocks
  public borrowing func end() {
    opened.store(false, ordering: .relaxed)
    isTaking.store(false, ordering: .sequentiallyConsistent)
  }

  /// Whether blocks may take commands now. [audio]
  public var isOpen: Bool { @_noLocks get { opened.load(ordering: .relaxed) } }

  /// The number of the last command that has been taken. [audio]
  public var lastTaken: Int64 { @_noLocks get { taken.load(ordering: .relaxed) } }
}

/// The timing of commands in a show that is recorded or played back, so that both give the same bytes. [any]
public struct CommandTiming: Sendable {
  /// The gate by which commands pass into the callback.
  public let gate: CommandGate
  /// Whether commands come from a recording. A player then follows the turns of the recording, and does not decide when
  /// its disk is ready.
  public let isReplay: Bool
  /// Called when a player's disk thread has the samples that a command asked for: with the number of the turn, the id
  /// of the player's node, and the turn, which acts from the start of the next frame, as a command does.
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
  /// Whether the player follows the turns of a recording.
  public let isReplay: Bool
  /// Called with the number and the turn when the disk thread has the samples.
  public let ready: @Sendable (_ number: Int64, PlayerTurn) -> Void

  /// Makes the timing of a node's player.
  public init(_ timing: CommandTiming, id: String) {
    gate = timing.gate
    isReplay = timing.isReplay
    ready = { timing.ready($0, id, $1) }
  }
}

/// The point from which a change of a player is heard. It depends on the moment at which the disk thread has the
/// samples, which differs from run to run.
public struct PlayerTurn: Equatable, Sendable {
  /// The sample of the current generation at which the new generation follows; nil: at once.
  public let splice: Int64?
  /// Number of newer changes of the player that the turn does not include.
  public let behind: Int64

  /// Makes a turn.
  public init(splice: Int64?, behind: Int64) {
    self.splice = splice
    self.behind = behind
  }
}
