import CRealtime
import Engine
import Graphs
import Realtime

/// Node types whose blocks a naive model can compute, too, one sample at a time.
let planCatalogue = Catalog(types: [Numbers.self, Warp.self, Cross.self, Sink.self, Plug.self])

/// The function of each block, which blocks and the model both compute.
enum PlanMath {
  /// A pseudorandom number whose sums have rounding errors.
  static func number(_ seed: Int, _ channel: Int, _ sample: Int) -> Float {
    var x = UInt32(truncatingIfNeeded: seed &* 7919 &+ channel &* 104_729 &+ sample &* 15_485_863)
    x = (x ^ (x >> 15)) &* 0x2c1b_3c6d
    x = (x ^ (x >> 12)) &* 0x297a_2d39
    return Float(Int32(bitPattern: x)) * 0x1p-31 * (x & 3 == 0 ? 1000 : 1)
  }
  static func warp(_ x: Float, _ factor: Float, _ channel: Int) -> Float {
    x * factor + Float(channel) * 0.125
  }
  static func cross(_ a: Float, _ b: Float) -> Float { a - b * 0.75 }
}

/// Gives numbers by seed, channel and sample.
enum Numbers: RunnableNode {
  struct Settings: FieldRecord {
    var channels = 1
    var seed = 0
    static let recordName = "numbers"
    static let fields: [Field<Settings>] = [
      Field("channels", \.channels, .number(.none, 1...64, whole: true), change: .rebuild, "How many."),
      Field("seed", \.seed, .number(.none, 0...1_000_000, whole: true), "Which."),
    ]
  }
  static let name = "numbers"
  static let help = "Gives numbers."
  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [OutputPort("out", .type(.audio), "Them.")] }
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [Channel.numbered(shaping.settings.all.channels)]
  }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let seed = context.settings.all.seed
    return NodeParts(
      block: BlockPart(NumbersBlock.self, context.keep { BlockState(NumbersBlock()) }) { _ in
        .init(seed: seed)
      })
  }
}

struct NumbersBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable { let seed: Int }
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    for channel in 0..<io.pointee.outputCount {
      let out = cycle.output(io, channel)
      for i in 0..<cycle.count {
        out[i] = PlanMath.number(settings.pointee.seed, Int(channel), Int(cycle.sample) + i)
      }
    }
  }
  static var processing: vg_process { { runBlock(NumbersBlock.self, $0, $1) } }
}

/// Changes each channel, and has two outputs: the second is the first one inverted.
enum Warp: RunnableNode {
  struct Settings: FieldRecord {
    var factor = 0.5
    static let recordName = "warp"
    static let fields: [Field<Settings>] = [
      Field("factor", \.factor, .number(.none, -10...10), "How much.")
    ]
  }
  static let name = "warp"
  static let help = "Changes numbers."
  static func inputs(_ settings: Settings) -> [InputPort] { [InputPort("in", [.audio], "Them.")] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "Changed."), OutputPort("minus", .type(.audio), "Turned round.")]
  }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let factor = Float(context.settings.all.factor)
    return NodeParts(
      block: BlockPart(WarpBlock.self, context.keep { BlockState(WarpBlock()) }) { _ in .init(factor: factor)
      }
    )
  }
}

struct WarpBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable { let factor: Float }
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let width = io.pointee.inputCount
    for channel in 0..<width {
      let (input, out, minus) = (
        cycle.input(io, channel), cycle.output(io, channel), cycle.output(io, width + channel)
      )
      // Writes the outputs before it reads the inputs again, which shows a buffer that was reused too early.
      for i in 0..<cycle.count {
        out[i] = PlanMath.warp(input[i], settings.pointee.factor, Int(channel))
        minus[i] = -out[i]
      }
    }
  }
  static var processing: vg_process { { runBlock(WarpBlock.self, $0, $1) } }
}

/// Two inputs of one width.
enum Cross: RunnableNode {
  struct Settings: FieldRecord {
    static let recordName = "cross"
    static let fields: [Field<Settings>] = []
  }
  static let name = "cross"
  static let help = "Takes one from the other."
  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("a", [.audio], "One."), InputPort("b", [.audio], width: .asFirst, "The other.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The rest.")]
  }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    NodeParts(block: BlockPart(CrossBlock.self, context.keep { BlockState(CrossBlock()) }) { _ in .init() })
  }
}

struct CrossBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    let width = io.pointee.outputCount
    for channel in 0..<width {
      let (a, b, out) = (
        cycle.input(io, channel), cycle.input(io, width + channel), cycle.output(io, channel)
      )
      // Writes before all is read, which shows a shared buffer.
      for i in 0..<cycle.count { out[i] = PlanMath.cross(a[i], b[i]) }
    }
  }
  static var processing: vg_process { { runBlock(CrossBlock.self, $0, $1) } }
}

/// Passes its input to the host's ports.
enum Sink: RunnableNode {
  struct Settings: FieldRecord {
    static let recordName = "sink"
    static let fields: [Field<Settings>] = []
  }
  static let name = "sink"
  static let help = "Hears."
  static func inputs(_ settings: Settings) -> [InputPort] { [InputPort("in", [.audio], "The samples.")] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let ports = context.inputs[0].channels.map { PortRequest(.output, label: $0.name, connect: .none) }
    return NodeParts(
      block: BlockPart(SinkBlock.self, context.keep { BlockState(SinkBlock()) }, ports: ports) { _ in .init()
      })
  }
}

struct SinkBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    for channel in 0..<io.pointee.outputCount {
      if let port = cycle.port(io.pointee.outputs[Int(channel)]) {
        vg_copy(port, cycle.input(io, channel), cycle.count)
      }
    }
  }
  static var processing: vg_process { { runBlock(SinkBlock.self, $0, $1) } }
}

/// Gives the host's own buffers, as a JACK input does.
enum Plug: RunnableNode {
  struct Settings: FieldRecord {
    var channels = 1
    static let recordName = "plug"
    static let fields: [Field<Settings>] = [
      Field("channels", \.channels, .number(.none, 1...4000, whole: true), change: .rebuild, "How many.")
    ]
  }
  static let name = "plug"
  static let help = "Takes from outside."
  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] { [OutputPort("out", .type(.audio), "It.")] }
  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [Channel.numbered(shaping.settings.all.channels)]
  }
  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let ports = context.outputs[0].channels.map { PortRequest(.input, label: $0.name, connect: .none) }
    return NodeParts(
      block: BlockPart(PlugBlock.self, context.keep { BlockState(PlugBlock()) }, ports: ports) { _ in .init()
      }
    )
  }
}

struct PlugBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {}
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    for channel in 0..<io.pointee.outputCount {
      if let port = cycle.port(io.pointee.inputs[Int(channel)]) { cycle.setOutput(io, channel, to: port) }
    }
  }
  static var processing: vg_process { { runBlock(PlugBlock.self, $0, $1) } }
}
