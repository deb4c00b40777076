import Glibc
import Synchronization
import System

/// Where commands pass into the callback of a show whose commands are recorded or played back: what is asked for acts at the
/// start of a frame, all that was asked for together in the same one, and the record of that frame says so.
///
/// Commands are numbered from 1 in the order in which they were done. While one is being done the callback takes none.
public final class CommandGate: @unchecked Sendable {
  /// What the callback looks at; it must outlive that.
  public let shared: UnsafeMutablePointer<CommandGateShared>
  private let performing = Lock()

  /// No command yet.
  public init() {
    shared = .allocate(capacity: 1)
    shared.initialize(to: CommandGateShared())
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// Does what a command asks for, which acts from the start of the next frame, or of the first that begins at
  /// `sample` of the timeline or later. `body` is given the command's number; it must not wait for a disk. [any]
  public func perform<Result, Fault: Error>(
    notBefore sample: Int64 = .min, _ body: (Int64) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try performing.withLock { () throws(Fault) -> Result in
      shared.pointee.isPerforming.store(true, ordering: .sequentiallyConsistent)
      defer {
        shared.pointee.performed.add(1, ordering: .releasing)
        shared.pointee.isPerforming.store(false, ordering: .sequentiallyConsistent)
      }
      // A callback that takes what was there has the first samples of a frame to make, not more.
      let deadline = Deadline.after(seconds: 0.1)
      while shared.pointee.isTaking.load(ordering: .sequentiallyConsistent), !deadline.isOver { usleep(20) }
      // What still waits for its time is not done before it, and what comes meanwhile waits with it.
      let waits = isTaken ? .min : shared.pointee.earliest.load(ordering: .relaxed)
      shared.pointee.earliest.store(max(sample, waits), ordering: .relaxed)
      return try body(shared.pointee.performed.load(ordering: .relaxed) + 1)
    }
  }

  /// The number of the last command that acts. Within `perform` the callback takes none meanwhile. [any]
  public var lastTaken: Int64 { shared.pointee.taken.load(ordering: .acquiring) }

  /// Whether all that was done acts. [any]
  public var isTaken: Bool {
    shared.pointee.taken.load(ordering: .acquiring) == shared.pointee.performed.load(ordering: .acquiring)
  }
}

/// The callback's end of a `CommandGate`: atomics only.
public struct CommandGateShared: ~Copyable {
  let isPerforming = Atomic<Bool>(false)
  let isTaking = Atomic<Bool>(false)
  let performed = Atomic<Int64>(0)
  /// Where on the timeline what was done last may act, in samples.
  let earliest = Atomic<Int64>(.min)
  let opened = Atomic<Bool>(false)
  let taken = Atomic<Int64>(0)

  init() {}

  /// A frame begins at `sample`: what was done until now acts in it, unless more is just being done. [audio]
  @_noLocks
  public borrowing func begin(at sample: Int64) {
    isTaking.store(true, ordering: .sequentiallyConsistent)
    let isFree =
      !isPerforming.load(ordering: .sequentiallyConsistent) && earliest.load(ordering: .relaxed) <= sample
    opened.store(isFree, ordering: .relaxed)
    if isFree { taken.store(performed.load(ordering: .acquiring), ordering: .releasing) }
  }

  /// The first samples of the frame are made; nothing is taken until the next. [audio]
  @_noLocks
  public borrowing func end() {
    opened.store(false, ordering: .relaxed)
    isTaking.store(false, ordering: .sequentiallyConsistent)
  }

  /// Whether what was asked for is to be taken now. [audio]
  public var isOpen: Bool { @_noLocks get { opened.load(ordering: .relaxed) } }

  /// The number of the last command that acts. [audio]
  public var lastTaken: Int64 { @_noLocks get { taken.load(ordering: .relaxed) } }
}

/// How the commands of a show act that is recorded or played back, so that both give the same bytes. [any]
public struct CommandTiming: Sendable {
  /// Where they pass into the callback.
  public let gate: CommandGate
  /// Whether they come from a recording: players then go on when that says so, and not when their disks are ready.
  public let isReplay: Bool
  /// Called when a player's disk has ready what was asked for: the id of the player's node, and what it is. It acts from
  /// the start of the next frame, as a command does.
  public let ready: @Sendable (_ number: Int64, _ player: String, PlayerTurn) -> Void

  /// Commands that pass through a gate.
  public init(
    gate: CommandGate, isReplay: Bool,
    ready: @escaping @Sendable (_ number: Int64, _ player: String, PlayerTurn) -> Void = { _, _, _ in }
  ) {
    self.gate = gate
    self.isReplay = isReplay
    self.ready = ready
  }
}

/// The same for one player. [any]
public struct PlayerTiming: Sendable {
  /// Where commands pass into the callback.
  public let gate: CommandGate
  /// Whether it goes on when a recording says so.
  public let isReplay: Bool
  /// Called for a turn with the number by which it acts.
  public let ready: @Sendable (_ number: Int64, PlayerTurn) -> Void

  /// That of the player of a node.
  public init(_ timing: CommandTiming, id: String) {
    gate = timing.gate
    isReplay = timing.isReplay
    ready = { timing.ready($0, id, $1) }
  }
}

/// From where on a player is heard as it was asked to be: when its disk had that ready, which no two runs agree on.
public struct PlayerTurn: Equatable, Sendable {
  /// In what is heard, the sample it follows; nil: it begins at once.
  public let splice: Int64?
  /// How many newer changes at the same place there were by then, which are not in it yet.
  public let behind: Int64

  /// A turn.
  public init(splice: Int64?, behind: Int64) {
    self.splice = splice
    self.behind = behind
  }
}
