import Graphs
import Realtime

/// A node in the audio half of a plan: one of the graph, or one of the graph before that is still fading out.
/// [control]
struct AudioNode {
  /// A channel of an output port; `node` is an index into a list of nodes.
  typealias Source = CheckedInput.Source

  /// One source of an input channel, and the wire's fade, if it has one.
  struct Wire {
    var source: Source
    var fade: FadingWire?
  }
  /// An input port for audio.
  struct Input {
    let port: Int
    /// The wires of each channel.
    var channels: [[Wire]]
  }
  /// An output port for audio.
  struct Output {
    let port: Int
    let channels: Int
  }

  /// Identifies a node from plan to plan: nodes of one identity share their state. A node with ports of the host is
  /// identified by its id alone, by which these ports are named.
  let identity: String
  var block: BlockPart
  var inputs: [Input]
  let outputs: [Output]
  /// The host's ports, with their names.
  var ports: [(name: String, request: PortRequest)]
  /// Whether the node belongs to the graph before and is fading out. Its values then no longer go into records.
  var isFadingOut = false

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

  /// The number of channels of an output port; 0 where there is no such port.
  func channels(ofOutput port: Int) -> Int { outputs.first { $0.port == port }?.channels ?? 0 }

  /// Whether its sound goes on, to other nodes or to the host.
  var isHeard: Bool { !outputs.isEmpty || givesToHost }

  /// Whether it gives sound to the host.
  var givesToHost: Bool { ports.first?.request.direction == .output }
}

/// The fade of a wire that is added or removed. Plans hand it on until it is over. [control]
final class FadingWire {
  let state: BlockState
  /// Whether it fades in.
  private(set) var isUp: Bool
  private(set) var length: CrossfadeLength
  /// The count of samples at which it is over; nil until a plan with it runs.
  private var end: UInt64?

  init(isUp: Bool, _ length: CrossfadeLength) {
    (self.isUp, self.length) = (isUp, length)
    state = BlockState(WireFade(isFull: !isUp))
  }

  /// Fades the other way from its present position.
  func reverse(_ length: CrossfadeLength) {
    isUp.toggle()
    self.length = length
    end = nil
  }

  /// Shortens the fade to `length`, if that is shorter.
  func shorten(_ length: CrossfadeLength) {
    guard length.samples < self.length.samples else { return }
    self.length = length
    end = nil
  }

  /// Notes that a plan with this fade has run since `samples` or earlier.
  func begin(at samples: UInt64) { end = end ?? samples + UInt64(length.samples) }

  /// Whether it has reached its end.
  func isOver(at samples: UInt64) -> Bool { end.map { samples >= $0 } ?? false }

  var settings: WireFade.Settings {
    WireFade.Settings(length: length.samples, isUp: isUp, isPower: length.isPower)
  }
}

/// How long both sounds of a crossfade are heard.
struct CrossfadeLength {
  /// Greater than 0.
  let samples: UInt32
  /// Whether the fades keep the power, as is right for unrelated sounds; otherwise they keep the sum.
  let isPower: Bool
}
