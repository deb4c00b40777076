import Engine
import Graphs
import Metering
import Realtime

/// Shows the waveform of sound as the points of a triggered curve.
enum Scope: RunnableNode {
  static let name = "scope"
  static let role: NodeRole? = .picture
  static let help = """
    Shows the wave of each channel, as an oscilloscope does: a piece `time` long as `points` samples, -1…1 at full \
    scale. A wave that repeats itself stands still, because the place where it last crosses `level` is always shown \
    at `position`. Every channel becomes `points` channels, named such as `Left.1`. An `osc-output` with `send: \
    vector` sends a curve in one message; pages and surfaces listen to `/visgraph/level/ID`.

    The newest piece with a trigger is shown, if it is at most `time` late, or 50 ms if that is longer; otherwise the \
    newest piece of all. With more samples than points, each point is the sample farthest from 0, so that no peak is \
    lost.

    While no wire leaves the node, no levels are written to a file, and no subscriber or page listens to it, nothing \
    is computed and every point reads 0.
    """
  static let delay: String? =
    "the part of `time` behind `position`, and up to `time`, or 50 ms if that is longer, to the trigger"

  /// The trigger of a piece.
  enum Trigger: String, FieldChoice {
    case rising, falling, free
    var help: String {
      switch self {
      case .rising: "where the wave rises through `level`"
      case .falling: "where it falls through `level`"
      case .free: "nothing: the newest piece is shown"
      }
    }
    var slope: Waveform.Slope? {
      switch self {
      case .rising: .rising
      case .falling: .falling
      case .free: nil
      }
    }
  }

  struct Settings: FieldRecord {
    var points = 128
    /// The length of a piece, in seconds.
    var time = 0.02
    var trigger = Trigger.rising
    /// The trigger level, where 1 is full scale.
    var level = 0.0
    /// The position of the trigger in the piece, 0…1.
    var position = 0.0
    var together = false

    static let recordName = "scope"
    static let fields: [Field<Settings>] = [
      Field(
        "points", \.points, .number(.none, 2...2048, whole: true), change: .rebuild,
        "How many points the curve of a channel has."),
      Field("time", \.time, .number(.seconds, 0.0005...1), change: .rebuild, "How long a piece is."),
      Field("trigger", \.trigger, "Which place of the wave is always shown at `position`."),
      Field("level", \.level, .number(.none, -1...1), "The level of the trigger; 1 is full scale."),
      Field(
        "position", \.position, .number(.ratio, 0...1), change: .rebuild,
        "Where in the piece the trigger stands: 0 at its beginning."),
      Field(
        "together", \.together, "Whether the first channel triggers all, so that channels can be compared."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.audio], "The sound that is shown.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.number), in: .fullScale, "The samples, point by point, channel by channel."),
      OutputPort("triggered", .type(.level), "1 where a trigger was found in a channel, else 0."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let channels = shaping.inputs[0].channels
    let numbers = (1...shaping.settings.all.points).map { "\($0)" }
    return [shaping.parts(of: channels, numbers, .points), channels]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    [output == 0 ? channel / shaping.settings.all.points : channel]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let rate = context.configuration.sampleRate
    let channels = context.inputs[0].channels.count
    let piece = ScopePiece(settings, rate: Double(rate))
    let tap = context.keep { TapBlock.tap(channels: channels, lookingBack: piece.longest, rate: rate) }
    let block = context.keep { BlockState(TapBlock(tap.writer)) }
    return NodeParts(
      block: BlockPart(TapBlock.self, block) { _ in .init() }, frame: ScopeFrame(context, piece, tap))
  }
}

/// The lengths of a scope's pieces, in samples.
struct ScopePiece {
  /// Samples that are shown.
  let length: Int
  /// Samples that are shown before the trigger.
  let before: Int
  /// Samples that are searched: the piece, and the positions of its trigger.
  let longest: Int

  init(_ settings: Scope.Settings, rate: Double) {
    length = max(2, Int((settings.time * rate).rounded()))
    before = min(length - 1, Int((settings.position * Double(length)).rounded()))
    longest = length + max(length, Int(rate / 20)) + 1
  }

  /// The indexes at which the trigger may be.
  var triggers: ClosedRange<Int> { (before + 1)...newest }
  /// The index of the trigger of the newest piece.
  var newest: Int { longest - (length - before) }
}

/// Finds the trigger of every frame, channel by channel. [frame]
final class ScopeFrame: FrameNode {
  private let piece: ScopePiece
  private let settings: Scope.Settings
  private let tap: SampleTap
  /// Whether an output is wired.
  private let isHeard: Bool
  private let demand: LevelDemand
  private let outputs: [Int]
  private let triggered: [Int]
  private let samples: UnsafeMutablePointer<Float>

  init(_ context: NodeContext<Scope.Settings>, _ piece: ScopePiece, _ tap: SampleTap) {
    self.piece = piece
    self.tap = tap
    settings = context.settings.all
    isHeard = context.isHeard
    demand = context.configuration.demand
    outputs = context.levelOutputs[0]
    triggered = context.levelOutputs[1]
    samples = .allocate(capacity: piece.longest)
    samples.initialize(repeating: 0, count: piece.longest)
  }

  deinit { samples.deallocate() }

  func run(_ frame: Frame) {
    let begin = frame.header.endSample - Int64(piece.longest)
    defer { tap.reader.release(before: begin) }
    guard frame.stalledSeconds == 0, isHeard || demand.isWanted(at: frame.header.time) else {
      for output in outputs + triggered { frame.levels[output] = 0 }
      return
    }
    var trigger: Int?
    for channel in triggered.indices {
      tap.reader.read(channel: channel, at: begin, into: samples, count: piece.longest)
      if channel == 0 || !settings.together { trigger = self.trigger() }
      frame.levels[triggered[channel]] = trigger == nil ? 0 : 1
      let shown = samples + ((trigger ?? piece.newest) - piece.before)
      for point in 0..<settings.points {
        frame.levels[outputs[channel * settings.points + point]] = Waveform.extreme(
          of: shown, length: piece.length, stretch: point, of: settings.points)
      }
    }
  }

  /// The index of the last trigger in `samples`; nil: there is none.
  private func trigger() -> Int? {
    settings.trigger.slope.flatMap {
      Waveform.crossing(of: samples, in: piece.triggers, $0, level: Float(settings.level))
    }
  }
}
