import Graphs
import Realtime

/// A node as the audio half of a plan has it: one of the graph, or one of the graph before that still fades. [control]
struct AudioNode {
  /// A channel of an output port, by index into a list of nodes.
  typealias Source = CheckedInput.Source

  /// One source of an input channel, and the fade on its way, if there is one.
  struct Wire {
    var source: Source
    var fade: FadingWire?
  }
  /// An input port for audio.
  struct Input {
    let port: Int
    /// What each channel hears.
    var channels: [[Wire]]
  }
  /// An output port for audio.
  struct Output {
    let port: Int
    let channels: Int
  }

  /// What it is known by from plan to plan: nodes of one identity are one node, and share their state. Those that give
  /// to the host or take from it are known by their ports alone.
  let identity: String
  var block: BlockPart
  var inputs: [Input]
  let outputs: [Output]
  /// The host's ports, with their names.
  var ports: [(name: String, request: PortRequest)]
  /// Whether it belongs to the graph before: nothing of it is counted any more.
  var isLeaving = false

  init(_ node: CheckedNode, _ block: BlockPart, key: String) {
    self.block = block
    identity = block.ports.isEmpty ? key : "port \(node.id)"
    inputs = node.inputs.enumerated().filter { $1.type == .audio }.map { port, input in
      Input(port: port, channels: input.sources.map { $0.map { Wire(source: $0) } })
    }
    outputs = node.outputs.enumerated().filter { $1.type == .audio }.map { port, output in
      Output(port: port, channels: output.channels.count)
    }
    ports = block.ports.enumerated().map { ("\(node.id)_\($0 + 1)", $1) }
  }

  /// How many channels an output port has; 0 where there is none.
  func channels(ofOutput port: Int) -> Int { outputs.first { $0.port == port }?.channels ?? 0 }

  /// Whether sound goes on from here, to other nodes or to the host.
  var isHeard: Bool { !outputs.isEmpty || givesToHost }

  /// Whether it gives sound to the host.
  var givesToHost: Bool { ports.first?.request.direction == .output }
}

/// The fade of a wire that comes or goes, kept from plan to plan until it is over. [control]
final class FadingWire {
  let state: BlockState
  /// Whether it comes, or goes.
  private(set) var isUp: Bool
  private(set) var length: CrossfadeLength
  /// From which count of samples on it is over; nil as long as no plan has been taken that has it.
  private var end: UInt64?

  init(isUp: Bool, _ length: CrossfadeLength) {
    (self.isUp, self.length) = (isUp, length)
    state = BlockState(WireFade(isFull: !isUp))
  }

  /// Goes the other way from where it is.
  func reverse(_ length: CrossfadeLength) {
    isUp.toggle()
    self.length = length
    end = nil
  }

  /// Goes on to where it goes in no more than so long.
  func hurry(_ length: CrossfadeLength) {
    guard length.samples < self.length.samples else { return }
    self.length = length
    end = nil
  }

  /// A plan that has it runs since at most `samples`.
  func begin(at samples: UInt64) { end = end ?? samples + UInt64(length.samples) }

  /// Whether it has arrived.
  func isOver(at samples: UInt64) -> Bool { end.map { samples >= $0 } ?? false }

  var settings: WireFade.Settings {
    WireFade.Settings(length: length.samples, isUp: isUp, isPower: length.isPower)
  }
}

/// How long what comes and what goes are heard together.
struct CrossfadeLength {
  /// Not 0.
  let samples: UInt32
  /// Whether the two keep the power, as is right for sounds that have nothing to do with each other, or the sum.
  let isPower: Bool
}
