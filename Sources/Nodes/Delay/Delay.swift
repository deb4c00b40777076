import Engine
import Graphs
import Metering

/// Delays levels.
enum Delay: RunnableNode {
  static let name = "delay"
  static let help = """
    Delays levels by `time`: the newest level leaves that is at least this old. Until there is one, it gives 0, or \
    -160 dBFS. For rows of lights that follow each other, give each row a delay of its own from one level.
    """
  static let delay: String? = "`time`, rounded up to whole frames"

  struct Settings: FieldRecord {
    /// The delay, in seconds.
    var time = 0.1

    static let recordName = "delay"
    static let fields: [Field<Settings>] = [
      Field("time", \.time, .number(.seconds, 0...60), each: true, "How much later a level leaves.")
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level, .decibels, .number], "Levels of any kind.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .asFirstInput, "The levels, of the same kind.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.indices
    let times = channels.map { context.settings[$0].time }
    let fps = Double(context.fps.frames) / Double(context.fps.seconds)
    let frames = Int((times.max() ?? 0) * fps) + 3
    let state = context.keep(if: { $0.frames >= frames }) {
      DelayState(channels: channels.count, frames: frames)
    }
    return NodeParts(
      frame: DelayFrame(
        state, times: times, silentLevel: context.inputs[0].type == .decibels ? Decibels.floor : 0,
        inputs: context.levelInputs[0], outputs: context.levelOutputs[0]))
  }
}

/// The levels of the last frames and the times of their ends, as a ring; kept from plan to plan. [frame]
final class DelayState {
  /// The number of frames that it holds.
  let frames: Int
  private let channels: Int
  private var ends: [Double]
  private var levels: [Float]
  /// Frames taken.
  private var count = 0
  /// The timeline stands still while no callback runs, but delayed levels go on.
  var stalls = StallClock()

  init(channels: Int, frames: Int) {
    self.channels = channels
    self.frames = frames
    ends = Array(repeating: -.infinity, count: frames)
    levels = Array(repeating: 0, count: channels * frames)
  }

  /// Begins a frame that ended at `end`, in seconds.
  func begin(at end: Double) {
    ends[count % frames] = end
    count += 1
  }

  /// Notes a channel's level in the present frame.
  func take(_ level: Float, channel: Int) { levels[(count - 1) % frames * channels + channel] = level }

  /// The newest level of a channel that is at least `time` seconds old; nil where there is none.
  func level(_ channel: Int, _ time: Double) -> Float? {
    let latest = ends[(count - 1) % frames] - time + Frame.tolerance
    var low = max(0, count - frames)
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if ends[middle % frames] <= latest { low = middle + 1 } else { high = middle }
    }
    return low > max(0, count - frames) ? levels[(low - 1) % frames * channels + channel] : nil
  }
}

/// Delays levels. [frame]
final class DelayFrame: FrameNode {
  private let state: DelayState
  private let times: [Double]
  private let silentLevel: Float
  private let inputs: [Int]
  private let outputs: [Int]

  init(_ state: DelayState, times: [Double], silentLevel: Float, inputs: [Int], outputs: [Int]) {
    self.state = state
    self.times = times
    self.silentLevel = silentLevel
    self.inputs = inputs
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    state.begin(at: frame.end + state.stalls.advance(frame))
    for channel in outputs.indices {
      state.take(frame.levels[inputs[channel]], channel: channel)
      frame.levels[outputs[channel]] = state.level(channel, times[channel]) ?? silentLevel
    }
  }
}
