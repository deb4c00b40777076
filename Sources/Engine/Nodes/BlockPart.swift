import CRealtime
import Realtime

/// The block of a node, ready to be put into a plan. [control]
public struct BlockPart {
  let processing: vg_process
  let finishing: vg_finish?
  let state: BlockState
  /// Writes the settings into memory.
  let settings: (PlanMemory) -> UnsafeRawPointer
  /// The number of the block's first value in records.
  let firstValue: Int
  /// The number of the block's first source in records.
  let firstSource: Int
  /// The host's ports that the block has in place of inputs or outputs.
  let ports: [PortRequest]

  /// Describes a block: its state, its settings, which are placed in the plan's memory, and the numbers that it has
  /// claimed.
  public init<B: Block & ~Copyable>(
    _: B.Type, _ state: BlockState, firstValue: Int = 0, firstSource: Int = 0, ports: [PortRequest] = [],
    settings: @escaping (PlanMemory) -> B.Settings
  ) {
    processing = B.processing
    finishing = B.finishing
    self.state = state
    self.firstValue = firstValue
    self.firstSource = firstSource
    self.ports = ports
    self.settings = { memory in
      let stored = memory.room(for: 1, of: B.Settings.self)
      stored.initialize(to: settings(memory))
      return UnsafeRawPointer(stored)
    }
  }
}

/// A port that a block requests from its host.
public struct PortRequest: Equatable {
  /// The direction of the sound.
  public var direction: HostPort.Direction
  /// The channel's name, for users.
  public var label: String?
  /// The ports to which it is to be connected.
  public var connect: ConnectRule

  /// Makes a request.
  public init(_ direction: HostPort.Direction, label: String?, connect: ConnectRule) {
    self.direction = direction
    self.label = label
    self.connect = connect
  }
}

extension PlanMemory {
  /// Copies an array into the plan's memory.
  public func array<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
    let copy = room(for: values.count, of: T.self)
    values.withUnsafeBufferPointer { values in
      if let first = values.baseAddress { copy.initialize(from: first, count: values.count) }
    }
    return UnsafePointer(copy)
  }
}

/// A block at a fixed address, kept alive by every plan that runs it. [control] makes it, [audio] uses it, [any]
/// frees it.
public final class BlockState: @unchecked Sendable {
  /// The block's address.
  public let pointer: UnsafeMutableRawPointer
  private let free: () -> Void

  /// Moves a block to its fixed address.
  public init<B: Block & ~Copyable>(_ block: consuming B) {
    let stored = UnsafeMutablePointer<B>.allocate(capacity: 1)
    stored.initialize(to: block)
    pointer = UnsafeMutableRawPointer(stored)
    free = {
      stored.deinitialize(count: 1)
      stored.deallocate()
    }
  }

  deinit { free() }
}

/// A port that a graph requests from its host. In JACK it is a port that users connect in a patchbay.
public struct HostPort: Equatable, Sendable {
  /// The direction of the sound.
  public enum Direction: String, Sendable {
    /// Into visgraph.
    case input
    /// Out of visgraph.
    case output
  }

  /// Its index in the host's table of buffers. A name keeps its number from plan to plan.
  public var number: Int
  /// `ID_N`, such as `in_1`.
  public var name: String
  /// The direction of the sound.
  public var direction: Direction
  /// The channel's name, for users.
  public var label: String?
  /// Its position among the ports in a patchbay, from 1.
  public var order: Int
  /// The ports to which it is to be connected.
  public var connect: ConnectRule

  /// Makes a port.
  public init(
    number: Int, name: String, direction: Direction, label: String?, order: Int, connect: ConnectRule
  ) {
    self.number = number
    self.name = name
    self.direction = direction
    self.label = label
    self.order = order
    self.connect = connect
  }
}

/// The ports to which the host connects a port without a request of a user.
public enum ConnectRule: Equatable, Sendable {
  /// To none; users connect it.
  case none
  /// To the sound card: the physical port of the other direction whose number is the channel's, counted from 1.
  case physical(channel: Int)
  /// Inputs only: to the ports that feed the physical loudspeaker of that number, also when these change.
  case speakers(channel: Int)
  /// To these ports by their full names; a name between slashes is a regular expression on full names.
  case ports([String])
}
