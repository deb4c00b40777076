import CRealtime
public import Realtime

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
public struct PortRequest {
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
    for (i, value) in values.enumerated() { place[i] = value }
    return UnsafePointer(place)
  }
}
