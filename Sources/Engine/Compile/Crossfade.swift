import Graphs
import Realtime

/// Joins the nodes of a new graph with those of the graph before that are still heard, for as long as the wires
/// between them fade. Nodes and wires that are the same in both go on untouched. [control]
///
/// A new sound is faded in where it enters, and an old one is faded out where it leaves, so no sound is faded twice
/// on its way.
struct Crossfade {
  /// The nodes of the new graph by their indexes, then those that are fading out.
  private(set) var nodes: [AudioNode?]
  /// All nodes, each after its sources.
  private(set) var order: [Int] = []
  /// The running fades.
  private(set) var fades: [FadingWire] = []

  /// The maximum number of nodes that may be fading out; twice the number of the new graph's nodes if that is more.
  /// Above it, as where graphs follow each other faster than they fade, the older nodes are faded out at once.
  static let mostFadingOut = 64

  /// The nodes of the graph before, including those that are fading out.
  private let before: [AudioNode?]
  /// The length of fades out while too many nodes are fading out; nil: `length`.
  private let excessLength: CrossfadeLength?
  private let length: CrossfadeLength
  /// The length to which running fades are shortened where a user requests another graph: the user may have found the
  /// crossfade too long. Nil for a reload of the file, which shortens none.
  private var requested: CrossfadeLength? { length.isPower ? length : nil }
  private let samples: UInt64
  /// By identity: the index of a node in the new graph.
  private var newIndexes: [String: Int] = [:]
  /// By identity: the index of a node in the graph before.
  private var oldIndexes: [String: Int] = [:]
  /// By index in the graph before: the index in `nodes` of each node that is fading out.
  private var fadingOut: [Int: Int] = [:]

  /// Fails where nothing needs to fade, and where the wires of both graphs together make a loop.
  ///
  /// - Parameters:
  ///   - before: the nodes of the plan before, including those that are fading out.
  ///   - short: the length of fades out while too many nodes are fading out.
  ///   - samples: the samples run so far.
  init?(
    from before: [AudioNode?], to nodes: [AudioNode?], order: [Int], _ length: CrossfadeLength,
    short: CrossfadeLength, at samples: UInt64
  ) {
    if Self.isSame(before, nodes) { return nil }
    (self.before, self.nodes, self.length, self.samples) = (before, nodes, length, samples)
    let fadingOut = before.count { $0?.isFadingOut ?? false }
    excessLength = fadingOut > max(Self.mostFadingOut, 2 * nodes.count) ? short : nil
    for (index, node) in nodes.enumerated() { if let node { newIndexes[node.identity] = index } }
    // In reverse: of two nodes with one identity, the first one counts, because the other one is fading out.
    for (index, node) in before.enumerated().reversed() { if let node { oldIndexes[node.identity] = index } }
    for index in nodes.indices { fadeInputs(of: index) }
    for index in before.indices { keepHostOutputs(of: index) }
    for node in self.nodes {
      for wire in (node?.inputs ?? []).flatMap(\.channels).joined() {
        if let fade = wire.fade { fades.append(fade) }
      }
    }
    guard !fades.isEmpty, sort(order) else { return nil }
  }

  /// Whether the audio halves are equal, as they are where only settings have changed.
  private static func isSame(_ a: [AudioNode?], _ b: [AudioNode?]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        guard let a, let b else { return a == nil && b == nil }
        guard a.identity == b.identity, a.ports.count == b.ports.count, a.inputs.count == b.inputs.count
        else {
          return false
        }
        return zip(a.inputs, b.inputs).allSatisfy { a, b in
          a.channels.count == b.channels.count
            && zip(a.channels, b.channels).allSatisfy { a, b in
              a.count == b.count && zip(a, b).allSatisfy { $0.fade == nil && $0.source == $1.source }
            }
        }
      }
  }

  /// The source in the new graph that a source of the graph before has become; nil where there is none.
  private func sourceInNewGraph(_ source: AudioNode.Source) -> AudioNode.Source? {
    guard let node = before[source.node], let index = newIndexes[node.identity], let now = nodes[index],
      source.channel < now.channels(ofOutput: source.output)
    else { return nil }
    return AudioNode.Source(node: index, output: source.output, channel: source.channel)
  }

  /// Whether a source of the new graph was in the graph before.
  private func existedBefore(_ source: AudioNode.Source) -> Bool {
    guard let node = nodes[source.node], let index = oldIndexes[node.identity] else { return false }
    return source.channel < before[index]?.channels(ofOutput: source.output) ?? 0
  }

  /// The same as `sourceInNewGraph`. A source that the new graph does not have is added as fading out, with its own
  /// sources.
  private mutating func addFadingOut(_ source: AudioNode.Source) -> AudioNode.Source {
    if let found = sourceInNewGraph(source) { return found }
    let index = fadingOut[source.node] ?? addFadingOut(node: source.node)
    return AudioNode.Source(node: index, output: source.output, channel: source.channel)
  }

  /// Adds a node of the graph before as fading out; returns its index in `nodes`.
  private mutating func addFadingOut(node index: Int) -> Int {
    let newIndex = nodes.count
    fadingOut[index] = newIndex
    nodes.append(nil)
    guard var node = before[index] else { return newIndex }
    node.isFadingOut = true
    for input in node.inputs.indices {
      node.inputs[input].channels = node.inputs[input].channels.map { keepSounding($0) }
    }
    nodes[newIndex] = node
    return newIndex
  }

  /// The wires of an old input that still sound.
  private mutating func keepSounding(_ wires: [AudioNode.Wire]) -> [AudioNode.Wire] {
    var result: [AudioNode.Wire] = []
    for var wire in wires {
      if let fade = wire.fade, fade.isOver(at: samples) {
        if !fade.isUp { continue }
        wire.fade = nil
      }
      wire.source = addFadingOut(wire.source)
      result.append(wire)
    }
    return result
  }

  /// The wires of an old input, fading out.
  private mutating func fadeOut(_ wires: [AudioNode.Wire]) -> [AudioNode.Wire] {
    keepSounding(wires).map { wire in
      var wire = wire
      if let fade = wire.fade {
        if fade.isUp {
          fade.reverse(length)
        } else if let shorter = excessLength ?? requested {
          fade.shorten(shorter)
        }
      } else {
        wire.fade = FadingWire(isUp: false, length)
      }
      return wire
    }
  }

  /// Gives new wires of a node a fade in, and adds the wires that it had before, fading out.
  private mutating func fadeInputs(of index: Int) {
    guard let node = nodes[index] else { return }
    let oldNode = oldIndexes[node.identity].flatMap { before[$0] }
    for input in node.inputs.indices {
      let port = node.inputs[input].port
      let oldInput = oldNode?.inputs.first { $0.port == port }
      for channel in node.inputs[input].channels.indices {
        var wires = node.inputs[input].channels[channel]
        var oldWires = oldInput.flatMap { channel < $0.channels.count ? $0.channels[channel] : nil }
        let isNewChannel = oldWires == nil
        for wireIndex in wires.indices {
          if let match = oldWires?.firstIndex(where: {
            sourceInNewGraph($0.source) == wires[wireIndex].source
          }) {
            wires[wireIndex].fade = oldWires?.remove(at: match).fade.flatMap { continuedFade($0) }
          } else if needsFadeIn(wires[wireIndex].source, at: node, isNewChannel: isNewChannel) {
            wires[wireIndex].fade = FadingWire(isUp: true, length)
          }
        }
        wires += fadeOut(oldWires ?? [])
        nodes[index]?.inputs[input].channels[channel] = wires
      }
    }
  }

  /// The fade of a wire that is in both graphs.
  private func continuedFade(_ fade: FadingWire) -> FadingWire? {
    guard fade.isUp else {
      fade.reverse(length)
      return fade
    }
    if fade.isOver(at: samples) { return nil }
    if let requested { fade.shorten(requested) }
    return fade
  }

  /// Whether a sound enters at this new wire.
  private func needsFadeIn(_ source: AudioNode.Source, at node: AudioNode, isNewChannel: Bool) -> Bool {
    if existedBefore(source) { return !isNewChannel || node.isHeard }
    // The sound of a new node with inputs is faded at those inputs.
    return nodes[source.node]?.inputs.isEmpty ?? false
  }

  /// Keeps channels that the graph before gives to the host and the new graph does not, and fades them out.
  private mutating func keepHostOutputs(of index: Int) {
    guard var node = before[index], node.givesToHost, let channels = node.inputs.first?.channels else {
      return
    }
    let kept = newIndexes[node.identity].flatMap { nodes[$0]?.ports.map(\.name) } ?? []
    let droppedPorts = node.ports.indices.filter {
      !kept.contains(node.ports[$0].name) && $0 < channels.count
    }
    if droppedPorts.isEmpty { return }
    let wires = droppedPorts.map { fadeOut(channels[$0]) }
    if wires.allSatisfy(\.isEmpty) { return }
    node.inputs[0].channels = wires
    node.ports = droppedPorts.map { node.ports[$0] }
    node.isFadingOut = true
    nodes.append(node)
  }

  /// Puts every node after its sources; returns false where there is a loop.
  private mutating func sort(_ order: [Int]) -> Bool {
    let sources = nodes.map { node in
      (node?.inputs ?? []).flatMap(\.channels).joined().map(\.source.node)
    }
    var state = [UInt8](repeating: 0, count: nodes.count)  // 0 not visited, 1 on the path, 2 done
    for start in order + Array(order.count..<nodes.count) where state[start] == 0 {
      var path = [(node: start, next: 0)]
      state[start] = 1
      while let (node, next) = path.last {
        guard next < sources[node].count else {
          state[node] = 2
          self.order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let source = sources[node][next]
        if state[source] == 1 { return false }
        if state[source] == 0 {
          state[source] = 1
          path.append((source, 0))
        }
      }
    }
    return true
  }
}
