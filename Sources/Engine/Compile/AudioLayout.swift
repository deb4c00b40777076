import CRealtime
import Graphs
import Realtime

/// The audio half of a plan: ops in the order of the signal, and buffers, each given away again after its last reader.
/// [control]
struct AudioLayout {
  /// Samples from one buffer to the next: some cache lines more than a power of two, or the first samples of all buffers
  /// would fight for the same few places of the cache.
  static let stride = Cycle.longestSegment + 5 * 16

  private(set) var ops: UnsafeMutablePointer<vg_op>
  private(set) var opCount: Int
  private(set) var finishers: UnsafeMutablePointer<UnsafePointer<vg_op>>
  private(set) var finisherCount: Int
  private(set) var buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private(set) var ownBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private(set) var hostPorts: [HostPort] = []
  /// The op of each node, by index of the node.
  private(set) var opOfNode: [Int: Int] = [:]
  /// Where the buffers lie.
  let samples: BufferMemory

  /// Lays out nodes in an order in which each follows what it hears. Buffers hold nothing from one cycle to the next, and
  /// only one plan runs at a time: those of the plan before are used again where they are enough.
  init(
    _ nodes: [AudioNode?], order: [Int], ports: PortNumbers, memory: PlanMemory, before: BufferMemory? = nil
  ) {
    var pool = BufferPool()
    var made: [AudioNode.Source: UInt32] = [:]
    var readers = Self.countReaders(nodes)
    var list: [vg_op] = []
    let sumState = BlockState(Sum())
    let sumSettings = UnsafeRawPointer(memory.room(for: 1, of: UInt8.self))
    memory.keep(sumState)

    for index in order {
      guard let node = nodes[index] else { continue }
      let block = node.block
      var inputs: [UInt32] = []
      var outputs: [UInt32] = []
      var read: [AudioNode.Source] = []
      var sums: [UInt32] = []
      for wires in node.inputs.flatMap(\.channels) {
        read += wires.map(\.source)
        let heard = wires.compactMap { wire -> UInt32? in
          guard let source = made[wire.source], let fade = wire.fade else { return made[wire.source] }
          let faded = pool.take()
          let settings = memory.room(for: 1, of: WireFade.Settings.self)
          settings.initialize(to: fade.settings)
          memory.keep(fade.state)
          list.append(
            Self.op(
              WireFade.processing, nil, fade.state.pointer, settings,
              Self.io([source], [faded], memory: memory)))
          sums.append(faded)
          return faded
        }
        if heard.count == 1 {
          inputs.append(heard[0])
        } else {
          let sum = pool.take()
          list.append(
            Self.op(
              Sum.processing, nil, sumState.pointer, sumSettings,
              Self.io(heard, [sum], memory: memory)))
          inputs.append(sum)
          sums.append(sum)
        }
      }
      let isPortIn = block.ports.first?.direction == .input
      for output in node.outputs {
        for channel in 0..<output.channels {
          // A block that hands on the host's own buffer changes the pointer: such a buffer is nobody else's.
          let buffer = isPortIn ? pool.pin() : pool.take()
          made[AudioNode.Source(node: index, output: output.port, channel: channel)] = buffer
          outputs.append(buffer)
        }
      }
      for (name, request) in node.ports {
        let port = HostPort(
          number: ports.number(of: name), name: name, direction: request.direction, label: request.label,
          order: hostPorts.count + 1, connect: request.connect)
        // One that leaves may share ports with the one that has come.
        if !node.isLeaving || !hostPorts.contains(where: { $0.name == name }) { hostPorts.append(port) }
        if request.direction == .input {
          inputs.append(UInt32(port.number))
        } else {
          outputs.append(UInt32(port.number))
        }
      }
      let io = Self.io(
        inputs, outputs, values: block.firstValue, source: block.firstSource, memory: memory)
      opOfNode[index] = list.count
      list.append(
        Self.op(
          block.processing, node.isLeaving ? nil : block.finishing, block.state.pointer,
          block.settings(memory), io))
      memory.keep(block.state)
      for source in read {
        readers[source, default: 0] -= 1
        if readers[source] == 0, let buffer = made[source] { pool.give(buffer) }
      }
      for sum in sums { pool.give(sum) }
      for (source, buffer) in made where source.node == index && readers[source, default: 0] == 0 {
        pool.give(buffer)  // an output nobody hears is written and forgotten
      }
    }

    opCount = list.count
    ops = memory.room(for: list.count, of: vg_op.self)
    for (i, op) in list.enumerated() { (ops + i).initialize(to: op) }
    let last = list.indices.filter { list[$0].finish != nil }
    finisherCount = last.count
    finishers = memory.room(for: last.count, of: UnsafePointer<vg_op>.self)
    for (i, op) in last.enumerated() { (finishers + i).initialize(to: UnsafePointer(ops + op)) }
    samples = BufferMemory.enough(for: pool.count, stride: Self.stride, before)
    memory.keep(samples)
    buffers = memory.room(for: pool.count, of: UnsafeMutablePointer<Float>.self)
    ownBuffers = memory.room(for: pool.count, of: UnsafeMutablePointer<Float>.self)
    for i in 0..<max(1, pool.count) { (ownBuffers + i).initialize(to: samples.base + i * Self.stride) }
    for i in 0..<max(1, pool.count) { (buffers + i).initialize(to: samples.base + i * Self.stride) }
  }

  private static func countReaders(_ nodes: [AudioNode?]) -> [AudioNode.Source: Int] {
    var readers: [AudioNode.Source: Int] = [:]
    for node in nodes {
      for wire in (node?.inputs ?? []).flatMap(\.channels).joined() { readers[wire.source, default: 0] += 1 }
    }
    return readers
  }

  private static func op(
    _ process: @escaping vg_process, _ finish: vg_finish?, _ state: UnsafeMutableRawPointer,
    _ settings: UnsafeRawPointer, _ io: UnsafePointer<vg_io>
  ) -> vg_op { vg_op(process: process, finish: finish, state: state, io: io, settings: settings) }

  private static func io(
    _ inputs: [UInt32], _ outputs: [UInt32], values: Int = 0, source: Int = 0, memory: PlanMemory
  ) -> UnsafePointer<vg_io> {
    let io = memory.room(for: 1, of: vg_io.self)
    io.initialize(
      to: vg_io(
        inputs: memory.array(inputs), outputs: memory.array(outputs), inputCount: UInt32(inputs.count),
        outputCount: UInt32(outputs.count), firstValue: UInt32(values), firstSource: UInt32(source)))
    return UnsafePointer(io)
  }
}

/// The samples of buffers, shared by plans that follow each other. [control] makes it, [any] frees it.
final class BufferMemory: @unchecked Sendable {
  let base: UnsafeMutablePointer<Float>
  private let count: Int
  private let memory = PlanMemory()

  private init(count: Int, stride: Int) {
    self.count = count
    base = memory.room(for: count * stride, of: Float.self)
  }

  /// Memory for so many buffers: that of the plan before, unless it is too small or more than twice of what is needed.
  static func enough(for count: Int, stride: Int, _ before: BufferMemory?) -> BufferMemory {
    let count = max(1, count)
    if let before, before.count >= count, before.count <= 2 * count + 16 { return before }
    return BufferMemory(count: count, stride: stride)
  }
}

/// Buffer numbers: taken, given back, taken again.
struct BufferPool {
  private(set) var count = 0
  private var free: [UInt32] = []
  private var pinned: Set<UInt32> = []

  /// A buffer that nobody uses now.
  mutating func take() -> UInt32 {
    if let buffer = free.popLast() { return buffer }
    defer { count += 1 }
    return UInt32(count)
  }

  /// A buffer that will never be anybody else's.
  mutating func pin() -> UInt32 {
    defer { count += 1 }
    pinned.insert(UInt32(count))
    return UInt32(count)
  }

  /// Gives a buffer back.
  mutating func give(_ buffer: UInt32) {
    if !pinned.contains(buffer) { free.append(buffer) }
  }
}
