import CRealtime
import Realtime

/// The audio half of a plan: ops in the order of the signal, and buffers, each given away again after its last reader.
/// [control]
struct AudioLayout {
  /// Samples from one buffer to the next: some cache lines more than a power of two, or the first samples of all buffers
  /// would fight for the same few places of the cache.
  static let stride = Engine.longestSegment + 5 * 16

  private(set) var ops: UnsafeMutablePointer<vg_op>
  private(set) var opCount: Int
  private(set) var finishers: UnsafeMutablePointer<vg_op>
  private(set) var finisherCount: Int
  private(set) var buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private(set) var homes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private(set) var hostPorts: [HostPort] = []

  init(_ graph: CheckedGraph, _ blocks: [BlockPart?], ports: PortNumbers, memory: PlanMemory) {
    var pool = BufferPool()
    var made: [CheckedInput.Source: UInt32] = [:]
    var readers = Self.countReaders(graph, blocks)
    var list: [vg_op] = []
    let sumState = BlockState(Sum())
    let sumSettings = UnsafeRawPointer(memory.room(for: 1, of: UInt8.self))
    memory.keep(sumState)

    for index in graph.order {
      guard let block = blocks[index] else { continue }
      let node = graph.nodes[index]
      var inputs: [UInt32] = []
      var outputs: [UInt32] = []
      var read: [CheckedInput.Source] = []
      var sums: [UInt32] = []
      for input in node.inputs where input.type == .audio {
        for sources in input.sources {
          let heard = sources.compactMap { made[$0] }
          read += sources
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
      }
      let isPortIn = block.ports.first?.direction == .input
      for (port, output) in node.outputs.enumerated() where output.type == .audio {
        for channel in output.channels.indices {
          // A block that hands on the host's own buffer changes the pointer: such a buffer is nobody else's.
          let buffer = isPortIn ? pool.pin() : pool.take()
          made[CheckedInput.Source(node: index, output: port, channel: channel)] = buffer
          outputs.append(buffer)
        }
      }
      for (number, request) in block.ports.enumerated() {
        let name = "\(node.id)_\(number + 1)"
        let port = HostPort(
          number: ports.number(of: name), name: name, direction: request.direction, label: request.label,
          order: hostPorts.count + 1, connect: request.connect)
        hostPorts.append(port)
        if request.direction == .input {
          inputs.append(UInt32(port.number))
        } else {
          outputs.append(UInt32(port.number))
        }
      }
      let io = Self.io(
        inputs, outputs, values: block.firstValue, source: block.firstSource, memory: memory)
      list.append(Self.op(block.processing, block.finishing, block.state.pointer, block.settings(memory), io))
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
    let last = list.filter { $0.finish != nil }
    finisherCount = last.count
    finishers = memory.room(for: last.count, of: vg_op.self)
    for (i, op) in last.enumerated() { (finishers + i).initialize(to: op) }
    let samples = memory.room(for: max(1, pool.count) * Self.stride, of: Float.self)
    buffers = memory.room(for: pool.count, of: UnsafeMutablePointer<Float>.self)
    homes = memory.room(for: pool.count, of: UnsafeMutablePointer<Float>.self)
    for i in 0..<max(1, pool.count) { (homes + i).initialize(to: samples + i * Self.stride) }
    for i in 0..<max(1, pool.count) { (buffers + i).initialize(to: samples + i * Self.stride) }
  }

  private static func countReaders(_ graph: CheckedGraph, _ blocks: [BlockPart?]) -> [CheckedInput.Source:
    Int]
  {
    var readers: [CheckedInput.Source: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where blocks[index] != nil {
      for input in node.inputs where input.type == .audio {
        for source in input.sources.joined() { readers[source, default: 0] += 1 }
      }
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
