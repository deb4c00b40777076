import Graphs
import Realtime

/// The nodes of a new graph with those of the one before that must still be heard, wires that come and go fading: for as
/// long as that takes both run in one plan. What is the same in both goes on untouched. [control]
///
/// A sound that comes is faded in where it begins, one that goes where it ends, so that no sound is faded twice on its
/// way.
struct Crossfade {
  /// Those of the new graph by their indexes, then those that leave.
  private(set) var nodes: [AudioNode?]
  /// All of them, every one behind what it hears.
  private(set) var order: [Int] = []
  /// The fades that run.
  private(set) var fades: [FadingWire] = []

  /// So many may be leaving, and twice as many as there are: where graphs follow each other faster than they fade, the
  /// older ones go at once.
  static let mostLeaving = 64

  private let before: [AudioNode?]
  /// How long those that go may take; nil: as they were given.
  private let hurry: CrossfadeLength?
  private let length: CrossfadeLength
  /// How long fades that run may go on where another graph was asked for: a user who gave too long a time once asks
  /// for a shorter one. A reload cuts none short.
  private var asked: CrossfadeLength? { length.isPower ? length : nil }
  private let samples: UInt64
  /// By identity: the index in the new graph, and in the one before.
  private var new: [String: Int] = [:]
  private var old: [String: Int] = [:]
  /// Nodes that leave, by their indexes before: their indexes now.
  private var leaving: [Int: Int] = [:]

  /// nil where nothing needs to fade, and where wires that come and go make a loop.
  ///
  /// - Parameters:
  ///   - before: the nodes of the plan before, those that leave among them.
  ///   - short: how long those take that are in the way.
  ///   - samples: how many samples have been run.
  init?(
    from before: [AudioNode?], to nodes: [AudioNode?], order: [Int], _ length: CrossfadeLength,
    short: CrossfadeLength, at samples: UInt64
  ) {
    if Self.isSame(before, nodes) { return nil }
    (self.before, self.nodes, self.length, self.samples) = (before, nodes, length, samples)
    let leaving = before.count { $0?.isLeaving ?? false }
    hurry = leaving > max(Self.mostLeaving, 2 * nodes.count) ? short : nil
    for (index, node) in nodes.enumerated() { if let node { new[node.identity] = index } }
    // One that leaves stands behind its namesake that has come.
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

  /// Whether the audio halves are the same, as they are where settings alone have changed.
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

  /// Where a source of the graph before is in the new one; nil when it is not there.
  private func find(_ source: AudioNode.Source) -> AudioNode.Source? {
    guard let node = before[source.node], let index = new[node.identity], let now = nodes[index],
      source.channel < now.channels(ofOutput: source.output)
    else { return nil }
    return AudioNode.Source(node: index, output: source.output, channel: source.channel)
  }

  /// Whether a source of the new graph was there before.
  private func wasThere(_ source: AudioNode.Source) -> Bool {
    guard let node = nodes[source.node], let index = old[node.identity] else { return false }
    return source.channel < before[index]?.channels(ofOutput: source.output) ?? 0
  }

  /// The same for any source, which leaves with all it hears when it is not there any more.
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

  /// Wires of the graph before, as far as they are still heard.
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

  /// Wires of the graph before that go.
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

  /// The fade of a wire that is wanted in both graphs.
  private func goesOn(_ fade: FadingWire) -> FadingWire? {
    guard fade.isUp else {
      fade.reverse(length)
      return fade
    }
    if fade.isOver(at: samples) { return nil }
    if let asked { fade.hurry(asked) }
    return fade
  }

  /// Whether a new wire is where a sound begins to be heard.
  private func begins(_ source: AudioNode.Source, at node: AudioNode, isNewPlace: Bool) -> Bool {
    if wasThere(source) { return !isNewPlace || node.isHeard }
    // Of a new node that hears something the sound is faded there.
    return nodes[source.node]?.inputs.isEmpty ?? false
  }

  /// Channels that the graph before gives to the host and the new one does not.
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

  /// Puts every node behind what it hears; false when that cannot be.
  private mutating func sort(_ order: [Int]) -> Bool {
    let hears = nodes.map { node in
      (node?.inputs ?? []).flatMap(\.channels).joined().map(\.source.node)
    }
    var state = [UInt8](repeating: 0, count: nodes.count)  // 0 not seen, 1 on the way, 2 done
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
