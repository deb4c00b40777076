import Engine
public import Graphs
import OSC

/// The ports, files and addresses of a graph. It is made from the graph alone; no file is opened. [control]
public struct PatchSheet: Sendable {
  /// A JACK port.
  public struct Port: Equatable, Sendable {
    /// The name after the client's name: `in_1`.
    public var name: String
    /// Whether it is an input of visgraph.
    public var isInput: Bool
    /// The channel's name.
    public var channel: String?
  }

  /// A file that a node opens.
  public struct File: Equatable, Sendable {
    /// The node's id.
    public var node: String
    /// The path as the graph file has it.
    public var path: String
  }

  /// One level that is sent to one target, such as a light or a fader.
  public struct Fixture: Equatable, Sendable {
    /// The id of the sending node.
    public var node: String
    /// The channel of that node, from 1.
    public var channel: Int
    /// The channel's name.
    public var name: String?
    /// The sources of its sound: JACK ports (`in_1`), and channels of other sources in the notation of wires
    /// (`song[1]`).
    public var sources: [String]
    /// The type of the level.
    public var type: PortType
    /// Its unit; nil: none.
    public var unit: LevelUnit?
    /// `HOST:PORT`.
    public var target: String
    /// The OSC address.
    public var address: String
    /// The channel number that QLC+ computes from the address, from 0, as in its files.
    public var qlcChannel: Int
    /// The same number from 1, as QLC+ displays it.
    public var shownQlcChannel: Int { qlcChannel + 1 }
  }

  /// Particles or events that are sent to a target.
  public struct Stream: Equatable, Sendable {
    /// The id of the sending node.
    public var node: String
    /// `HOST:PORT`.
    public var target: String
    /// The OSC address; for events with `{event}` in it.
    public var address: String
  }

  /// The ports, in the order of the file.
  public private(set) var ports: [Port] = []
  /// The sounds that nodes open, in the order of the file.
  public private(set) var files: [File] = []
  /// The levels that are sent, in the order of the file.
  public private(set) var fixtures: [Fixture] = []
  /// Particles and events that are sent, in the order of the file.
  public private(set) var streams: [Stream] = []

  /// Makes the patch sheet of a graph.
  public init(_ graph: CheckedGraph) {
    let sources = SoundSources(graph)
    for node in graph.nodes {
      switch node.type.role {
      case .hostInput: ports += Self.ports(node, node.outputs[0].channels, isInput: true)
      case .hostOutput: ports += Self.ports(node, node.inputs[0].channels, isInput: false)
      default: break
      }
      if let settings = node.settings(of: FileSource.self) {
        files += settings.all.path.map { File(node: node.id, path: $0.text) }
      }
      if let settings = node.settings(of: SoundBankNode.self) {
        files += settings.all.sounds.entries.map { File(node: node.id, path: $0.value.path.text) }
      }
      if let settings = node.settings(of: OscOutput.self) { add(node, settings.all, graph, sources) }
      if let particles = node.settings(of: Emitter.self)?.all.particles { add(node, particles, graph) }
    }
  }

  private static func ports(_ node: CheckedNode, _ channels: [Channel], isInput: Bool) -> [Port] {
    channels.map { Port(name: "\(node.id)_\($0.number)", isInput: isInput, channel: $0.name) }
  }

  /// The ids of the nodes that are wired to each channel of an input.
  private static func upstream(_ input: CheckedInput, _ graph: CheckedGraph) -> [String] {
    input.sources.map { $0.first.map { graph.nodes[$0.node].id } ?? "" }
  }

  private mutating func add(
    _ node: CheckedNode, _ settings: OscOutput.Settings, _ graph: CheckedGraph, _ sources: SoundSources
  ) {
    let input = node.inputs[0]
    for target in settings.to.all {
      guard let endpoint = try? Endpoint(target.to, streams: true),
        let addresses = try? OscOutput.addresses(
          target, settings, id: node.id, channels: input.channels, upstream: Self.upstream(input, graph))
      else { continue }
      let isVector = target.sending(over: settings.filled).send == .vector
      for (index, channel) in input.channels.enumerated() {
        let address = addresses[isVector ? 0 : index]
        // Of a message with several values QLC+ appends an index to the address of each.
        let path = isVector && input.channels.count > 1 ? "\(address)_\(index)" : address
        fixtures.append(
          Fixture(
            node: node.id, channel: channel.number, name: channel.name,
            sources: sources.names(of: input.sources[index]), type: input.type ?? .level,
            unit: input.unit,
            target: "\(endpoint)",
            address: address, qlcChannel: Self.qlcChannel(path)))
      }
      guard node.inputs.count > 1 else { continue }
      var listed: Set<Int> = []
      for source in node.inputs[1].sources.joined() where listed.insert(source.node).inserted {
        streams.append(
          Stream(
            node: node.id, target: "\(endpoint)",
            address: settings.eventAddress.replacing("{node}", with: node.id)
              .replacing("{source}", with: graph.nodes[source.node].id)))
      }
    }
  }

  private mutating func add(_ node: CheckedNode, _ particles: ParticleSettings, _ graph: CheckedGraph) {
    guard let endpoint = try? Endpoint(particles.to), let template = try? AddressTemplate(particles.address)
    else { return }
    let input = node.inputs[0]
    let upstream = Self.upstream(input, graph)
    for (index, channel) in input.channels.enumerated() {
      let address = template.expand(
        .init(
          node: node.id, source: upstream[index], channel: index + 1, name: channel.name ?? "\(index + 1)"))
      streams.append(Stream(node: node.id, target: "\(endpoint)", address: address))
    }
  }

  /// The channel number that QLC+ computes from an OSC path with Qt's `qChecksum`: the CRC-16 of ISO/IEC 13239
  /// (X.25). Polynomial 0x8408 (reflected), initial value 0xFFFF, final XOR 0xFFFF.
  public static func qlcChannel(_ path: String) -> Int {
    var sum: UInt16 = 0xFFFF
    for byte in path.utf8 {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x8408 : sum >> 1 }
    }
    return Int(sum ^ 0xFFFF)
  }

  /// Addresses of one target that QLC+ cannot tell apart, because they give the same number; in the order of the
  /// file.
  public var collisions: [(target: String, channel: Int, addresses: [String])] {
    var found: [(target: String, channel: Int, addresses: [String])] = []
    for fixture in fixtures {
      let index = found.firstIndex { $0.target == fixture.target && $0.channel == fixture.qlcChannel }
      guard let index else {
        found.append((fixture.target, fixture.qlcChannel, [fixture.address]))
        continue
      }
      if !found[index].addresses.contains(fixture.address) { found[index].addresses.append(fixture.address) }
    }
    return found.filter { $0.addresses.count > 1 }
  }
}

/// The channels of sound sources, and which of them reach a channel.
private struct SoundSources {
  private var names: [String] = []
  private let dependencies: SourceDependencies

  init(_ graph: CheckedGraph) {
    var ranges: [Range<Int>] = []
    for node in graph.nodes {
      let begin = names.count
      if node.isSoundSource {
        let isPort = node.type.role == .hostInput
        names += node.outputs[0].channels.map {
          isPort ? "\(node.id)_\($0.number)" : "\(node.id)[\($0.number)]"
        }
      }
      ranges.append(begin..<names.count)
    }
    dependencies = SourceDependencies(graph, sources: ranges)
  }

  /// The names of the sources that reach any of these channels.
  func names(of arriving: [CheckedInput.Source]) -> [String] {
    arriving.reduce(into: Set<Int>()) { $0.formUnion(dependencies.of($1)) }.sorted().map { names[$0] }
  }
}
