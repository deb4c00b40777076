import CRealtime
public import Graphs
import Realtime

/// Makes plans of checked graphs: assigns numbers to levels and buffers, adds sums where wires meet, and orders the
/// ops. [control]
public struct PlanCompiler {
  private let graph: CheckedGraph
  private let configuration: StreamConfiguration
  private let before: CompiledPlan?
  private let ports: PortNumbers
  private let fade: Fade?

  /// How the sounds that a new graph adds and removes are crossfaded.
  public struct Fade: Sendable {
    /// The shortest fade that does not click, in seconds.
    public static let shortest = 0.01
    /// The length, in seconds.
    public var seconds: Double
    /// Whether the fades keep the power, as is right for unrelated sounds; otherwise they keep the sum.
    public var isPower: Bool
    /// The samples run so far.
    public var samples: UInt64

    /// Makes a crossfade.
    public init(seconds: Double, isPower: Bool, samples: UInt64) {
      (self.seconds, self.isPower, self.samples) = (seconds, isPower, samples)
    }
  }

  /// Makes a compiler. The plan keeps the state that the plan `before` has of the same nodes. With a `fade`, sounds
  /// that differ between both are faded in or out; without one they begin and end at once.
  public init(
    _ graph: CheckedGraph, _ configuration: StreamConfiguration, ports: PortNumbers,
    before: CompiledPlan? = nil,
    fade: Fade? = nil
  ) {
    self.fade = fade
    self.graph = graph
    self.configuration = configuration
    self.ports = ports
    self.before = before
  }

  /// Makes the plan. Throws the fault of a node that cannot run, such as a file that has vanished since the check.
  /// Throws a diagnostic where the graph has more ports than a host can have.
  public func compile() throws -> CompiledPlan {
    let silent = StreamConfiguration(
      sampleRate: configuration.sampleRate, isRealTime: false, packets: .nowhere)
    let looks = PlanLooks(graph) { Self.silentLevels(of: $0, at: $1, silent) }
    var draft = PlanDraft(graph, configuration, looks, shared: before?.shared ?? [:])
    for index in graph.order { try makeParts(index, &draft) }
    draft.silence()
    try checkPorts(of: draft)
    let order = takeAudioNodes(&draft)
    let audio = AudioLayout(
      draft.audioNodes, order: order, ports: ports, memory: draft.memory, before: before?.bufferMemory)
    draft.noteIndexes(audio)
    fillPictures(of: draft)
    return CompiledPlan(draft, audio, plan: makePlan(of: draft, audio), frames: makeFramePlan(of: draft))
  }

  /// The levels at the first input port of a node, by its index, in the first frame of a graph in silence; nil where
  /// the graph cannot run.
  private static func silentLevels(
    of graph: CheckedGraph, at node: Int, _ configuration: StreamConfiguration
  ) -> [Float]? {
    guard let plan = try? PlanCompiler(graph, configuration, ports: PortNumbers()).compile() else {
      return nil
    }
    let seconds = Double(graph.fps.seconds) / Double(graph.fps.frames)
    let samples = Int64((Double(configuration.sampleRate) * seconds).rounded())
    plan.frames.runStalled(frame: 0, at: samples, time: 0, samples: UInt64(samples))
    return plan.levels.inputs(of: node)[0].map { $0 < 0 ? 0 : plan.frames.levels[$0] }
  }

  /// Makes the parts of a node, with the state that it has in the plan before.
  private func makeParts(_ index: Int, _ draft: inout PlanDraft) throws {
    let node = graph.nodes[index]
    let numbers = draft.numbers
    let key = stateKey(node, rate: configuration.sampleRate)
    let former = before.map { $0.kept[stateKey(node, rate: Int($0.plan.pointee.rate))] ?? [] }
    let reuse = StateReuse(before: before?.kept[key] ?? [], former: former ?? [])
    let claimedBefore = (values: numbers.values, sources: numbers.sources, bytes: numbers.bytes)
    guard let settings = node.typed as? any RunnableSettings else {
      preconditionFailure("a node type of the catalog, \(node.type.name), has nothing that runs it")
    }
    let parts = try Self.makeParts(
      settings, index, graph, configuration, draft.levels, draft.pictures, draft.looks, numbers, reuse,
      draft.shared)
    draft.parts[index] = parts
    draft.sources[index] = claimedBefore.sources..<numbers.sources
    draft.kept[key] = reuse.kept
    draft.running[index] = RunningNode(
      key: key, claimedBefore: claimedBefore,
      claimedAfter: (numbers.values, numbers.sources, numbers.bytes), parts)
  }

  /// Assigns numbers to the host's ports before memory is allocated for them. Ports that only the plan before has
  /// keep their numbers until it ends.
  private func checkPorts(of draft: PlanDraft) throws {
    let names = draft.parts.enumerated().flatMap { index, parts in
      (parts.block?.ports ?? []).indices.map { "\(graph.nodes[index].id)_\($0 + 1)" }
    }
    guard names.count <= PortNumbers.capacity,
      names.allSatisfy({ ports.number(of: $0) < PortNumbers.capacity })
    else { throw Diagnostic.tooManyPorts(names.count) }
  }

  /// Lists the nodes of the audio half: those of the graph, and those of the plan before that are fading out. Returns
  /// their order.
  private func takeAudioNodes(_ draft: inout PlanDraft) -> [Int] {
    let nodes = graph.nodes.indices.map { index in
      draft.parts[index].block.map {
        AudioNode(graph.nodes[index], $0, key: draft.running[index]?.key ?? "")
      }
    }
    guard let crossfade = makeCrossfade(to: nodes) else {
      draft.audioNodes = nodes
      return graph.order
    }
    for case let node? in crossfade.nodes where node.isFadingOut && draft.kept[node.identity] == nil {
      // If the node comes back before it has faded out, it keeps its state.
      draft.kept[node.identity] = before?.kept[node.identity]
    }
    (draft.audioNodes, draft.fades) = (crossfade.nodes, crossfade.fades)
    return crossfade.order
  }

  private func makePlan(of draft: PlanDraft, _ audio: AudioLayout) -> UnsafeMutablePointer<Plan> {
    let plan = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
    plan.initialize(
      to: Plan(
        ops: audio.ops, opCount: audio.opCount, finishers: audio.finishers,
        finisherCount: audio.finisherCount, buffers: audio.buffers, ownBuffers: audio.ownBuffers,
        values: draft.numbers.values, sources: draft.numbers.sources,
        rate: Int64(configuration.sampleRate), frames: Int64(graph.fps.frames),
        seconds: Int64(graph.fps.seconds), memory: draft.memory))
    return plan
  }

  private func makeFramePlan(of draft: PlanDraft) -> FramePlan {
    let dependencies = SourceDependencies(graph, sources: draft.sources)
    return FramePlan(
      nodes: draft.frameOrder.compactMap { draft.parts[$0].frame }, levelCount: draft.levels.count,
      columns: draft.levels.columns, dependencies: dependencies.ofLevels(draft.levels),
      rate: configuration.sampleRate, values: draft.numbers.values, sources: draft.numbers.sources,
      dimmer: configuration.dimmer)
  }

  /// Lists the nodes that move in pictures, the node that runs after them in each frame, and the nodes that show
  /// them.
  private func fillPictures(of draft: PlanDraft) {
    let all = draft.parts.map(\.scene)
    let nodes = all.compactMap(\.self)
    let moving = nodes.filter(\.moves)
    for node in moving { node.share(among: moving.count) }
    let movingType = zip(graph.nodes, all).first { $1?.moves == true }?.0.type as? any RunnableNode.Type
    draft.pictures.fill(
      all, order: graph.order, end: movingType?.sceneEnd(nodes, graph, before: before?.sceneEnd))
  }

  private func makeCrossfade(to nodes: [AudioNode?]) -> Crossfade? {
    guard let fade, let before, before.plan.pointee.rate == Int64(configuration.sampleRate) else {
      return nil
    }
    func length(_ seconds: Double) -> CrossfadeLength {
      let count = max(1, min(Double(UInt32.max), (seconds * Double(configuration.sampleRate)).rounded()))
      return CrossfadeLength(samples: UInt32(count), isPower: fade.isPower)
    }
    return Crossfade(
      from: before.nodes, to: nodes, order: graph.order, length(fade.seconds),
      short: length(min(fade.seconds, Fade.shortest)), at: fade.samples)
  }

  /// The key of a node's state. The node keeps its state while these stay the same: id, type, shape, types of levels,
  /// rate, and the settings whose change requires a rebuild.
  private func stateKey(_ node: CheckedNode, rate: Int) -> String {
    // Event inputs have no shape: a port for events may be added or removed.
    var inputs = node.inputs.map { $0.type == .event ? "" : shape($0.channels.count, $0.type) }
    while inputs.last == "" { inputs.removeLast() }
    let outputs = node.outputs.filter { $0.type != .event }.map { shape($0.channels.count, $0.type) }
    func shape(_ channels: Int, _ type: PortType?) -> String {
      channels == 0 ? "" : "\(channels) \(type.map { "\($0)" } ?? "")"
    }
    return "\(node.id) \(node.type.name) \(inputs) \(outputs) \(rate) "
      + node.settingsKey(.rebuild)
  }

  /// Makes the running parts of a node.
  static func makeParts<S: RunnableSettings>(
    _ settings: S, _ index: Int, _ graph: CheckedGraph, _ configuration: StreamConfiguration,
    _ levels: LevelLayout, _ pictures: PlanPictures, _ looks: PlanLooks,
    _ numbers: SlotAllocator, _ reuse: StateReuse, _ shared: SharedObjects
  ) throws -> NodeParts {
    let node = graph.nodes[index]
    return try S.Node.makeParts(
      NodeContext(
        id: node.id, settings: settings.values, inputs: node.inputs, outputs: node.outputs,
        configuration: configuration,
        fps: graph.fps, stage: graph.stage, flashes: graph.flashes, folder: SourceText.folder(of: graph.path),
        identity: graph.identity.id ?? graph.path,
        levelInputs: levels.inputs(of: index),
        levelOutputs: levels.outputs(of: index), eventInputs: levels.eventInputs(of: index),
        eventChannels: levels.eventChannels(of: index), eventPlaces: levels.eventPlaces(of: index),
        eventNames: levels.eventNames(of: index),
        eventOutputs: levels.eventOutputs(of: index), isHeard: levels.heard.contains(index),
        upstream: { node.inputs[$0].sources.map { $0.first.map { graph.nodes[$0.node].id } ?? "" } },
        pictures: pictures, look: { looks.levels(at: index, in: $0) }, numbers: numbers, reuse: reuse,
        shared: shared))
  }
}

/// The sources that every channel of every output is made from. A channel is idle when all its sources are. [control]
package struct SourceDependencies {
  /// The sources of each channel, by node, output and channel.
  private var sources: [[[Set<Int>]]]

  package init(_ graph: CheckedGraph, sources ranges: [Range<Int>]) {
    // A node that is not in the order depends on its own sources alone.
    sources = zip(graph.nodes, ranges).map { node, own in
      node.outputs.map { $0.channels.map { _ in Set(own) } }
    }
    for index in graph.order {
      let node = graph.nodes[index]
      for (port, output) in node.outputs.enumerated() {
        for channel in output.channels.indices {
          sources[index][port][channel] = Self.sourcesOfChannel(node, ranges[index], port, channel, sources)
        }
      }
    }
  }

  /// The sources of an output channel: the node's own, otherwise those of the input channels that it is made from.
  private static func sourcesOfChannel(
    _ node: CheckedNode, _ own: Range<Int>, _ port: Int, _ channel: Int, _ known: [[[Set<Int>]]]
  ) -> Set<Int> {
    if !own.isEmpty {
      return own.count == node.outputs[port].channels.count ? [own.lowerBound + channel] : Set(own)
    }
    var all: Set<Int> = []
    for (number, input) in node.inputs.enumerated() {
      let channels: [Int]
      if number == 0, let chosen = node.sourceChannels(output: port, channel: channel) {
        channels = chosen
      } else {
        channels = channel < input.channels.count ? [channel] : Array(input.channels.indices)
      }
      for channel in channels where channel < input.sources.count {
        for source in input.sources[channel] {
          all.formUnion(known[source.node][source.output][source.channel])
        }
      }
    }
    return all
  }

  /// The sources of an output channel.
  package func of(_ source: CheckedInput.Source) -> Set<Int> {
    sources[source.node][source.output][source.channel]
  }

  /// The sources of each level.
  func ofLevels(_ levels: LevelLayout) -> [Set<Int>] {
    levels.writers.map { sources[$0.node][$0.output][$0.channel] }
  }
}

extension CheckedNode {
  /// The channels of the first input from which a channel of an output is made; nil: the channel of the same number.
  func sourceChannels(output: Int, channel: Int) -> [Int]? {
    typed.sourceChannels(output: output, channel: channel, id: id, inputs: inputs)
  }
}

extension TypedSettings {
  fileprivate func sourceChannels(
    output: Int, channel: Int, id: String, inputs: [CheckedInput]
  ) -> [Int]? {
    let shaping = Shaping(
      id: id, settings: values, inputs: inputs, folder: "", report: { _, _, _ in })
    return Node.sourceChannels(output: output, channel: channel, shaping: shaping)
  }
}
