/// Goes through the nodes in topological order, and finds the channels of every port.
struct Wiring {
  private struct Output {
    var type: PortType
    var unit: LevelUnit?
    /// Nil if the channels are unknown, because of a fault.
    var names: ChannelNames?
  }

  private let drafts: [(any NodeDraft)?]
  private let wires: [Wire]
  private let catalog: Catalog
  private let patch: FixturePatch
  private let context: ReadContext
  /// Whether some wire has a fault. A missing wire may then be that one.
  private let areTorn: Bool
  /// The indexes of the wires to each input, by node and input.
  private var arriving: [[[Int]]]
  private var outputs: [[Output]?]
  private var nodes: [CheckedNode?]
  private var eachBudget = Limits.eachSettings
  private var channelBudget = Limits.wiredChannels

  init(
    _ drafts: [(any NodeDraft)?], _ wires: [Wire], areTorn: Bool, _ catalog: Catalog, _ patch: FixturePatch,
    _ context: ReadContext
  ) {
    self.drafts = drafts
    self.wires = wires
    self.catalog = catalog
    self.patch = patch
    self.context = context
    self.areTorn = areTorn
    arriving = drafts.map { Array(repeating: [], count: $0?.inputs.count ?? 0) }
    for (index, wire) in wires.enumerated() { arriving[wire.to][wire.input].append(index) }
    outputs = Array(repeating: nil, count: drafts.count)
    nodes = Array(repeating: nil, count: drafts.count)
  }

  /// The wired nodes, in file order; nil for a node with a fault.
  mutating func nodes(in order: [Int], doubtful: Set<Int>) -> [CheckedNode?] {
    for index in order {
      if let draft = drafts[index] { wire(index, draft, doubtful: doubtful.contains(index)) }
    }
    return nodes
  }

  private mutating func wire(_ index: Int, _ draft: any NodeDraft, doubtful: Bool) {
    var inputs: [CheckedInput] = []
    var whole = true
    for (number, port) in draft.inputs.enumerated() {
      let name = draft.inputs.count == 1 ? plain(draft.id) : "\(plain(draft.id)).\(port.name)"
      let own: Bool = if case .own = port.width { true } else { false }
      let first = number == 0 || own || arriving[index][0].isEmpty ? nil : inputs.first?.channels
      if arriving[index][number].isEmpty {
        if port.required, !doubtful {
          var fault = Diagnostic.nothingWired(draft.id, port, at: draft.mark)
          fault.isConsequence = areTorn
          context.report(fault)
        }
        whole = whole && !port.required
        inputs.append(CheckedInput(name: port.name, type: nil, channels: [], sources: []))
      } else if let input = input(index, number, port, name, fixed: first) {
        inputs.append(input)
      } else {
        whole = false
        // The width of the other inputs depends on the first.
        if number == 0 { break }
        inputs.append(CheckedInput(name: port.name, type: nil, channels: [], sources: []))
      }
    }
    outputs[index] = draft.outputs.map { port -> Output in
      switch port.gives {
      case .type(let type): return Output(type: type, unit: port.unit())
      case .asFirstInput:
        let type = inputs.first?.type ?? draft.inputs.first?.accepts.first ?? .audio
        return Output(type: type, unit: port.unit(arriving: inputs.first?.unit))
      }
    }
    guard whole, !doubtful || draft.inputs.isEmpty else { return }
    finish(index, draft, inputs)
  }

  private mutating func finish(_ index: Int, _ draft: any NodeDraft, _ inputs: [CheckedInput]) {
    if draft.isFaulty { return }
    if let first = inputs.first { draft.readEach(for: first.channels, budget: &eachBudget, context) }
    guard !draft.isFaulty, let shape = draft.shape(inputs, patch, context) else { return }
    if inputs.isEmpty { draft.readEach(for: shape.first ?? [], budget: &eachBudget, context) }
    guard !draft.isFaulty else { return }
    if shape.contains(where: { $0.count > Limits.channels }) {
      return context.report(.tooManyChannels(draft.id, at: draft.mark))
    }
    guard spend(shape.reduce(0) { $0 + $1.count }, at: draft.mark) else { return }
    var checked: [CheckedOutput] = []
    for (number, channels) in shape.enumerated() {
      outputs[index]?[number].names = ChannelNames(channels)
      let output = outputs[index]?[number]
      checked.append(
        CheckedOutput(
          name: draft.outputs[number].name, type: output?.type ?? .audio, channels: channels,
          unit: output?.unit))
    }
    nodes[index] = draft.checked(inputs: inputs, outputs: checked)
  }

  private mutating func input(
    _ node: Int, _ number: Int, _ port: InputPort, _ name: String, fixed: [Channel]?
  ) -> CheckedInput? {
    var type: PortType?
    var units: Set<LevelUnit?> = []
    var arrivals: [IncomingWire] = []
    var whole = true
    for index in arriving[node][number] {
      let wire = wires[index]
      guard let output = outputs[wire.from]?[wire.output] else {
        whole = false
        continue
      }
      guard accept(output.type, before: type, port, name, wire) else {
        whole = false
        continue
      }
      type = output.type
      units.insert(output.unit)
      if let arrival = arrival(wire, output.names, name) {
        arrivals.append(arrival)
      } else {
        whole = false
      }
    }
    guard whole, let type else { return nil }
    do throws(Diagnostic) {
      let filled = try ChannelMerge(list: arrivals, port: name, fixed: fixed, type: type).filled()
      let count = filled.sources.reduce(0) { $0 + $1.count }
      guard spend(count, at: arrivals[0].wire.end.mark) else { return nil }
      return CheckedInput(
        name: port.name, type: type, channels: filled.channels, sources: filled.sources,
        unit: units.count == 1 ? units.first ?? nil : nil)
    } catch {
      context.report(error)
      return nil
    }
  }

  private func accept(
    _ type: PortType, before: PortType?, _ port: InputPort, _ name: String, _ wire: Wire
  ) -> Bool {
    guard port.accepts.contains(type) else {
      let remedy = context.hasPlenty ? nil : catalog.remedy(from: type, to: port.accepts)
      let fault = Diagnostic.unlikePorts(wire.start.text, type, name, port.accepts, remedy, at: wire.end.mark)
      context.report(fault)
      return false
    }
    guard let before, before != type else { return true }
    context.report(.mixedTypes(name, before, type, at: wire.start.mark))
    return false
  }

  /// Takes channels from the budget of the graph; false if it is spent, which is reported once.
  private mutating func spend(_ count: Int, at mark: SourceRange) -> Bool {
    if channelBudget >= 0, count > channelBudget { context.report(.tooManyWiredChannels(at: mark)) }
    channelBudget = count > channelBudget ? -1 : channelBudget - count
    return channelBudget >= 0
  }

  private mutating func arrival(_ wire: Wire, _ names: ChannelNames?, _ port: String) -> IncomingWire? {
    guard let names, channelBudget >= 0 else { return nil }
    let channels = names.channels
    var picked = Array(channels.indices)
    var places: [Int]?
    do {
      if let pick = wire.pick {
        picked = try pick.indexes(
          among: names, of: plain(wire.start.id), suggesting: !context.hasPlenty
        ).get()
      }
      if let place = wire.place { places = try place.places(at: port).get() }
    } catch {
      context.report(error)
      return nil
    }
    if picked.isEmpty {
      // If a row of the patch has a fault, the missing channels may be its fixtures.
      if !patch.isBroken { context.report(.noChannels(wire.start.text, port, at: wire.start.mark)) }
      return nil
    }
    guard spend(picked.count, at: wire.start.mark) else { return nil }
    let sources = picked.map { CheckedInput.Source(node: wire.from, output: wire.output, channel: $0) }
    return IncomingWire(wire: wire, channels: picked.map { channels[$0] }, sources: sources, places: places)
  }
}
