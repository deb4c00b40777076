import CRealtime
import Realtime

/// The half of a node that runs in the audio callback, ready to be put into a plan. [control]
public struct BlockPart {
  let processing: vg_process
  let finishing: vg_finish?
  let state: BlockState
  let settings: (PlanMemory) -> UnsafeRawPointer
  let firstValue: Int
  let firstSource: Int
  /// The host's ports that stand in for its inputs or outputs.
  let ports: [PortRequest]

  /// Describes a block: its state, its settings laid into the plan's memory, and the numbers it claimed.
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
      let place = memory.room(for: 1, of: B.Settings.self)
      place.initialize(to: settings(memory))
      return UnsafeRawPointer(place)
    }
  }
}

/// A port that a block wants from its host.
public struct PortRequest: Equatable {
  /// Which way sound goes.
  public var direction: HostPort.Direction
  /// The channel's name, for people.
  public var label: String?
  /// What it wants to be connected to.
  public var connect: ConnectRule

  /// Makes a request.
  public init(_ direction: HostPort.Direction, label: String?, connect: ConnectRule) {
    self.direction = direction
    self.label = label
    self.connect = connect
  }
}

extension PlanMemory {
  /// Lays an array into the plan's memory.
  public func array<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
    let place = room(for: values.count, of: T.self)
    values.withUnsafeBufferPointer { values in
      if let first = values.baseAddress { place.initialize(from: first, count: values.count) }
    }
    return UnsafePointer(place)
  }
}

/// A block at a fixed address, kept alive by every plan that runs it. [control] makes it,
/// [audio] uses it, [any] frees it.
public final class BlockState: @unchecked Sendable {
  /// Where the block lives.
  public let pointer: UnsafeMutableRawPointer
  private let free: () -> Void

  /// Moves a block to its address.
  public init<B: Block & ~Copyable>(_ block: consuming B) {
    let place = UnsafeMutablePointer<B>.allocate(capacity: 1)
    place.initialize(to: block)
    pointer = UnsafeMutableRawPointer(place)
    free = {
      place.deinitialize(count: 1)
      place.deallocate()
    }
  }

  deinit { free() }
}

/// A port that a graph asks its host for: in JACK a port that people connect in a patchbay.
public struct HostPort: Equatable, Sendable {
  /// Which way sound goes.
  public enum Direction: String, Sendable {
    /// Into visgraph.
    case input
    /// Out of visgraph.
    case output
  }

  /// Its number in the host's table of buffers; the same name keeps its number from plan to plan.
  public var number: Int
  /// `ID_N`, such as `in_1`.
  public var name: String
  /// Which way sound goes.
  public var direction: Direction
  /// The channel's name, for people.
  public var label: String?
  /// Its place among the ports in a patchbay, from 1.
  public var order: Int
  /// What it wants to be connected to.
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

/// What a port wants to be connected to.
public enum ConnectRule: Equatable, Sendable {
  /// To nothing; people patch it.
  case none
  /// To the sound card: the n-th physical port of the other direction, n being the port's channel, counted from 1.
  case physical(channel: Int)
  /// Inputs only: to whatever feeds the n-th physical loudspeaker, following changes.
  case speakers(channel: Int)
  /// To these ports by full name; a name between slashes is a regular expression on full names.
  case ports([String])
}
