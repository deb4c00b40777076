import Graphs
import Realtime

/// Joins the nodes of a new graph with those of the graph before that are still heard, for as long as the wires
/// between them fade. What is the same in both goes on untouched. [control]
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

  /// The maximum number of nodes that may be fading out, or twice the number of the new graph's nodes if that is
  /// more. Where graphs follow each other faster than they fade, the older nodes are then faded out at once.
  static let mostLeaving = 64

  private let before: [AudioNode?]
  /// The length of the fades out once there are too many nodes; nil: as given.
  private let hurry: CrossfadeLength?
  private let length: CrossfadeLength
  /// The length to which running fades are shortened where a user asks for another graph: after a crossfade that was
  /// too long, a shorter one can be asked for. A reload of the file shortens none; nil then.
  private var asked: CrossfadeLength? { length.isPower ? length : nil }
  private let samples: UInt64
  /// By identity: the index in the new graph and in the graph before.
  private var new: [String: Int] = [:]
  private var old: [String: Int] = [:]
  /// By index in the graph before: the index in `nodes` of each node that is fading out.
  private var leaving: [Int: Int] = [:]

  /// Returns nil where nothing needs to fade, and where the wires of both graphs together make a loop.
  ///
  /// - Parameters:
  ///   - before: the nodes of the plan before, including those that are fading out.
  ///   - short: the length of the fades of nodes that are too many.
  ///   - samples: the samples run so far.
  init?(
    from before: [AudioNode?], to nodes: [AudioNode?], order: [Int], _ length: CrossfadeLength,
    short: CrossfadeLength, at samples: UInt64
  ) {
    if Self.isSame(before, nodes) { return nil }
    (self.before, self.nodes, self.length, self.samples) = (before, nodes, length, samples)
    let leaving = before.count { $0?.isLeaving ?? false }
    hurry = leaving > max(Self.mostLeaving, 2 * nodes.count) ? short : nil
    for (index, node) in nodes.enumerated() { if let node { new[node.identity] = index } }
    // In reverse, so that of two nodes with one identity the one that is not fading out counts.
    for (index, node) in before.enumerated().reversed() { if let node { old[node.identity] = index } }
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

  /// The index in the new graph of a source of the graph before; nil where it is not in it.
  private func find(_ source: AudioNode.Source) -> AudioNode.Source? {
    guard let node = before[source.node], let index = new[node.identity], let now = nodes[index],
      source.channel < now.channels(ofOutput: source.output)
    else { return nil }
    return AudioNode.Source(node: index, output: source.output, channel: source.channel)
  }

  /// Whether a source of the new graph was in the graph before.
  private func wasThere(_ source: AudioNode.Source) -> Bool {
    guard let node = nodes[source.node], let index = old[node.identity] else { return false }
    return source.channel < before[index]?.channels(ofOutput: source.output) ?? 0
  }

  /// The same as `find`, but a source that the new graph does not have is added as fading out, with its own sources.
  private mutating func bring(_ source: AudioNode.Source) -> AudioNode.Source {
    if let found = find(source) { return found }
    let index = leaving[source.node] ?? bring(node: source.node)
    return AudioNode.Source(node: index, output: source.output, channel: source.channel)
  }

  private mutating func bring(node index: Int) -> Int {
    let place = nodes.count
    leaving[index] = place
    nodes.append(nil)
    guard var node = before[index] else { return place }
    node.isLeaving = true
    for input in node.inputs.indices {
      node.inputs[input].channels = node.inputs[input].channels.map { still($0) }
    }
    nodes[place] = node
    return place
  }

  /// The wires of an old input that are still heard.
  private mutating func still(_ wires: [AudioNode.Wire]) -> [AudioNode.Wire] {
    var result: [AudioNode.Wire] = []
    for var wire in wires {
      if let fade = wire.fade, fade.isOver(at: samples) {
        if !fade.isUp { continue }
        wire.fade = nil
      }
      wire.source = bring(wire.source)
      result.append(wire)
    }
    return result
  }

  /// The wires of an old input, fading out.
  private mutating func goes(_ wires: [AudioNode.Wire]) -> [AudioNode.Wire] {
    still(wires).map { wire in
      var wire = wire
      if let fade = wire.fade {
        if fade.isUp { fade.reverse(length) } else if let hurry = hurry ?? asked { fade.hurry(hurry) }
      } else {
        wire.fade = FadingWire(isUp: false, length)
      }
      return wire
    }
  }

  private mutating func fadeInputs(of index: Int) {
    guard let node = nodes[index] else { return }
    let past = old[node.identity].flatMap { before[$0] }
    for input in node.inputs.indices {
      let port = node.inputs[input].port
      let then = past?.inputs.first { $0.port == port }
      for channel in node.inputs[input].channels.indices {
        var wires = node.inputs[input].channels[channel]
        var others = then.flatMap { channel < $0.channels.count ? $0.channels[channel] : nil }
        let isNewPlace = others == nil
        for place in wires.indices {
          if let known = others?.firstIndex(where: { find($0.source) == wires[place].source }) {
            wires[place].fade = others?.remove(at: known).fade.flatMap { goesOn($0) }
          } else if begins(wires[place].source, at: node, isNewPlace: isNewPlace) {
            wires[place].fade = FadingWire(isUp: true, length)
          }
        }
        wires += goes(others ?? [])
        nodes[index]?.inputs[input].channels[channel] = wires
      }
    }
  }

  /// The fade of a wire that is in both graphs.
  private func goesOn(_ fade: FadingWire) -> FadingWire? {
    guard fade.isUp else {
      fade.reverse(length)
      return fade
    }
    if fade.isOver(at: samples) { return nil }
    if let asked { fade.hurry(asked) }
    return fade
  }

  /// Whether a sound enters at this new wire.
  private func begins(_ source: AudioNode.Source, at node: AudioNode, isNewPlace: Bool) -> Bool {
    if wasThere(source) { return !isNewPlace || node.isHeard }
    // The sound of a new node with inputs is faded at those inputs.
    return nodes[source.node]?.inputs.isEmpty ?? false
  }

  /// Keeps the channels that the graph before gives to the host and the new one does not, fading out.
  private mutating func keepHostOutputs(of index: Int) {
    guard var node = before[index], node.givesToHost, let channels = node.inputs.first?.channels else {
      return
    }
    let kept = new[node.identity].flatMap { nodes[$0]?.ports.map(\.name) } ?? []
    let left = node.ports.indices.filter { !kept.contains(node.ports[$0].name) && $0 < channels.count }
    if left.isEmpty { return }
    let wires = left.map { goes(channels[$0]) }
    if wires.allSatisfy(\.isEmpty) { return }
    node.inputs[0].channels = wires
    node.ports = left.map { node.ports[$0] }
    node.isLeaving = true
    nodes.append(node)
  }

  /// Puts every node after its sources; returns false where there is a loop.
  private mutating func sort(_ order: [Int]) -> Bool {
    let hears = nodes.map { node in
      (node?.inputs ?? []).flatMap(\.channels).joined().map(\.source.node)
    }
    var state = [UInt8](repeating: 0, count: nodes.count)  // 0 not visited, 1 on the path, 2 done
    for start in order + Array(order.count..<nodes.count) where state[start] == 0 {
      var path = [(node: start, next: 0)]
      state[start] = 1
      while let (node, next) = path.last {
        guard next < hears[node].count else {
          state[node] = 2
          self.order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let source = hears[node][next]
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
