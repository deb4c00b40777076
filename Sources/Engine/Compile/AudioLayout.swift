import CRealtime
import Graphs
import Realtime

/// The audio half of a plan: ops in the order of the signal, and buffers, which are reused after their last reader.
/// [control]
struct AudioLayout {
  /// Samples from one buffer to the next: 8192, the longest segment, and five cache lines of 16 samples. At an exact
  /// power of two the first samples of all buffers would compete for the same cache sets.
  static let stride = Cycle.longestSegment + 5 * 16

  /// The ops that the callback runs in every segment, in this order.
  let ops: UnsafeMutablePointer<vg_op>
  let opCount: Int
  /// The ops among them that write values at the end of a frame.
  let finishers: UnsafeMutablePointer<UnsafePointer<vg_op>>
  let finisherCount: Int
  /// The memory of each buffer, by its number. A block may replace an element by memory of the host.
  let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The plan's own memory of each buffer, by its number; never replaced.
  let ownBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let hostPorts: [HostPort]
  /// The op of each node, by the node's index.
  let opOfNode: [Int: Int]
  /// The memory of the buffers.
  let samples: BufferMemory

  /// Lays out nodes in an order in which each follows its sources. No buffer keeps samples between cycles, and only
  /// one plan runs at a time, so the memory of the plan before is reused where it is large enough.
  init(
    _ nodes: [AudioNode?], order: [Int], ports: PortNumbers, memory: PlanMemory, before: BufferMemory? = nil
  ) {
    var sequence = OpSequence(nodes, ports: ports, memory: memory)
    for index in order { if let node = nodes[index] { sequence.append(node, at: index) } }
    (hostPorts, opOfNode) = (sequence.hostPorts, sequence.opOfNode)

    let list = sequence.ops
    opCount = list.count
    ops = memory.room(for: list.count, of: vg_op.self)
    for (i, op) in list.enumerated() { (ops + i).initialize(to: op) }
    let finishing = list.indices.filter { list[$0].finish != nil }
    finisherCount = finishing.count
    finishers = memory.room(for: finishing.count, of: UnsafePointer<vg_op>.self)
    for (i, op) in finishing.enumerated() { (finishers + i).initialize(to: UnsafePointer(ops + op)) }

    let count = max(1, sequence.pool.count)
    samples = BufferMemory.enough(for: count, stride: Self.stride, before)
    memory.keep(samples)
    buffers = memory.room(for: count, of: UnsafeMutablePointer<Float>.self)
    ownBuffers = memory.room(for: count, of: UnsafeMutablePointer<Float>.self)
    for i in 0..<count { (ownBuffers + i).initialize(to: samples.base + i * Self.stride) }
    for i in 0..<count { (buffers + i).initialize(to: samples.base + i * Self.stride) }
  }
}

/// The list of ops while it is laid out, node by node, and the buffers between them. [control]
private struct OpSequence {
  private(set) var ops: [vg_op] = []
  private(set) var hostPorts: [HostPort] = []
  /// The index in `hostPorts` of each port, by its name.
  private var placeOfPort: [String: Int] = [:]
  /// The op of each node, by the node's index.
  private(set) var opOfNode: [Int: Int] = [:]
  private(set) var pool = BufferPool()
  /// The buffer of every source that was laid out so far. It may be in use by another source by now.
  private var bufferOfSource: [AudioNode.Source: UInt32] = [:]
  /// The number of wires that have not read a source yet.
  private var readers: [AudioNode.Source: Int]
  private let ports: PortNumbers
  private let memory: PlanMemory
  /// Sums have no state and no settings, so the ops of all sums point to the same ones.
  private let sumState = BlockState(Sum())
  private let sumSettings: UnsafeRawPointer

  /// The buffers and ports of one node.
  private struct Connections {
    /// Numbers of buffers, then, of a node that takes sound from the host, numbers of its ports (`Cycle.port`). Both
    /// count from 0, and the block knows which is which.
    var inputs: [UInt32] = []
    /// The same for outputs; here the ports are those to which the node gives sound.
    var outputs: [UInt32] = []
    /// The sources that the node reads, one for each wire.
    var read: [AudioNode.Source] = []
    /// The sources that the node is, one for each channel of its outputs.
    var sources: [AudioNode.Source] = []
    /// Buffers of fades and sums, free once the node has run.
    var temporary: [UInt32] = []
  }

  init(_ nodes: [AudioNode?], ports: PortNumbers, memory: PlanMemory) {
    readers = Self.countReaders(nodes)
    (self.ports, self.memory) = (ports, memory)
    sumSettings = UnsafeRawPointer(memory.room(for: 1, of: UInt8.self))
    memory.keep(sumState)
  }

  /// Adds the op of a node after the fades and sums of its inputs, and frees the buffers that it was the last to
  /// read.
  mutating func append(_ node: AudioNode, at index: Int) {
    var connections = Connections()
    for wires in node.inputs.flatMap(\.channels) { connectInput(wires, &connections) }
    connectOutputs(of: node, at: index, &connections)
    connectPorts(of: node, &connections)
    let block = node.block
    let io = makeIO(
      connections.inputs, connections.outputs, values: block.firstValue, source: block.firstSource)
    opOfNode[index] = ops.count
    ops.append(
      vg_op(
        process: block.processing, finish: node.isFadingOut ? nil : block.finishing,
        state: block.state.pointer, io: io, settings: block.settings(memory)))
    memory.keep(block.state)
    giveBack(connections)
  }

  /// Connects one channel of an input to one buffer: its source's, or the sum of several sources, each after its
  /// fade. A channel without sources is connected to a sum of nothing, which is silent.
  private mutating func connectInput(_ wires: [AudioNode.Wire], _ connections: inout Connections) {
    connections.read += wires.map(\.source)
    var buffers: [UInt32] = []
    for wire in wires {
      // Each source precedes its readers, so only a node without an audio half has no buffer.
      guard let source = bufferOfSource[wire.source] else { continue }
      guard let fade = wire.fade else {
        buffers.append(source)
        continue
      }
      let faded = pool.take()
      let settings = memory.room(for: 1, of: WireFade.Settings.self)
      settings.initialize(to: fade.settings)
      memory.keep(fade.state)
      append(WireFade.processing, fade.state, settings, makeIO([source], [faded]))
      connections.temporary.append(faded)
      buffers.append(faded)
    }
    if buffers.count == 1 { return connections.inputs.append(buffers[0]) }
    let sum = pool.take()
    append(Sum.processing, sumState, sumSettings, makeIO(buffers, [sum]))
    connections.inputs.append(sum)
    connections.temporary.append(sum)
  }

  /// Allocates a buffer for every channel of every output.
  private mutating func connectOutputs(
    of node: AudioNode, at index: Int, _ connections: inout Connections
  ) {
    let isHostInput = node.block.ports.first?.direction == .input
    for output in node.outputs {
      for channel in 0..<output.channels {
        // An input of the host points its buffer to the host's memory, so no other op may reuse the number.
        let buffer = isHostInput ? pool.pin() : pool.take()
        let source = AudioNode.Source(node: index, output: output.port, channel: channel)
        bufferOfSource[source] = buffer
        connections.sources.append(source)
        connections.outputs.append(buffer)
      }
    }
  }

  /// Lists the host's ports of a node in `hostPorts`, and appends their numbers to the node's inputs or outputs.
  private mutating func connectPorts(of node: AudioNode, _ connections: inout Connections) {
    for (name, request) in node.ports {
      let port = HostPort(
        number: ports.number(of: name), name: name, direction: request.direction, label: request.label,
        order: (placeOfPort[name] ?? hostPorts.count) + 1, connect: request.connect)
      // A node that is fading out may share ports with the node that replaces it, and may precede it. The port then is
      // as the new node requests it.
      if let place = placeOfPort[name] {
        if !node.isFadingOut { hostPorts[place] = port }
      } else {
        placeOfPort[name] = hostPorts.count
        hostPorts.append(port)
      }
      if request.direction == .input {
        connections.inputs.append(UInt32(port.number))
      } else {
        connections.outputs.append(UInt32(port.number))
      }
    }
  }

  /// Frees the buffers that no later node reads.
  private mutating func giveBack(_ connections: Connections) {
    for source in connections.read {
      readers[source, default: 0] -= 1
      if readers[source] == 0, let buffer = bufferOfSource[source] { pool.give(buffer) }
    }
    for buffer in connections.temporary { pool.give(buffer) }
    // An output without readers is written and not used.
    for source in connections.sources where readers[source, default: 0] == 0 {
      if let buffer = bufferOfSource[source] { pool.give(buffer) }
    }
  }

  /// The number of wires that lead from each source.
  private static func countReaders(_ nodes: [AudioNode?]) -> [AudioNode.Source: Int] {
    var readers: [AudioNode.Source: Int] = [:]
    for node in nodes {
      for wire in (node?.inputs ?? []).flatMap(\.channels).joined() { readers[wire.source, default: 0] += 1 }
    }
    return readers
  }

  /// Adds the op of a fade or a sum.
  private mutating func append(
    _ process: @escaping vg_process, _ state: BlockState, _ settings: UnsafeRawPointer,
    _ io: UnsafePointer<vg_io>
  ) {
    ops.append(
      vg_op(process: process, finish: nil, state: state.pointer, io: io, settings: settings))
  }

  /// Makes the numbers of buffers, values and sources of an op, in the memory of the plan.
  private func makeIO(
    _ inputs: [UInt32], _ outputs: [UInt32], values: Int = 0, source: Int = 0
  ) -> UnsafePointer<vg_io> {
    let io = memory.room(for: 1, of: vg_io.self)
    io.initialize(
      to: vg_io(
        inputs: memory.array(inputs), outputs: memory.array(outputs), inputCount: UInt32(inputs.count),
        outputCount: UInt32(outputs.count), firstValue: UInt32(values), firstSource: UInt32(source)))
    return UnsafePointer(io)
  }
}

/// The memory of buffers, which successive plans share. [control] makes it, [any] frees it.
final class BufferMemory: @unchecked Sendable {
  let base: UnsafeMutablePointer<Float>
  private let count: Int
  private let memory = PlanMemory()

  private init(count: Int, stride: Int) {
    self.count = count
    base = memory.room(for: count * stride, of: Float.self)
  }

  /// Memory for `count` buffers: that of the plan before, unless it is too small, or larger than 2 × `count` + 16.
  static func enough(for count: Int, stride: Int, _ before: BufferMemory?) -> BufferMemory {
    let count = max(1, count)
    if let before, before.count >= count, before.count <= 2 * count + 16 { return before }
    return BufferMemory(count: count, stride: stride)
  }
}

/// Allocates buffer numbers and reuses freed ones.
struct BufferPool {
  private(set) var count = 0
  private var free: [UInt32] = []
  private var pinned: Set<UInt32> = []

  /// A free buffer.
  mutating func take() -> UInt32 {
    if let buffer = free.popLast() { return buffer }
    defer { count += 1 }
    return UInt32(count)
  }

  /// A buffer that is never reused.
  mutating func pin() -> UInt32 {
    defer { count += 1 }
    pinned.insert(UInt32(count))
    return UInt32(count)
  }

  /// Frees a buffer, unless it is pinned.
  mutating func give(_ buffer: UInt32) {
    if !pinned.contains(buffer) { free.append(buffer) }
  }
}
