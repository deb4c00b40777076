import Engine
import Graphs
import Metering

/// Delays levels.
enum Delay: RunnableNode {
  static let name = "delay"
  static let help = """
    Delays levels by `time`: the newest level leaves that is at least this old. Until there is one, it gives 0, or \
    -160 dBFS; where `time` grows, the oldest level that is known. For rows of lights that follow each other, give \
    each row a delay of its own from one level.
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
    let state = context.keep { DelayState(channels: channels.count, frames: frames) }
    return NodeParts(
      frame: DelayFrame(
        state, frames: frames, times: times,
        silentLevel: context.inputs[0].type == .decibels ? Decibels.floor : 0,
        inputs: context.levelInputs[0], outputs: context.levelOutputs[0]))
  }
}

/// The levels of the last frames and the times of their ends, as a ring; kept from plan to plan. [frame]
final class DelayState {
  private let channels: Int
  /// The most frames in the ring.
  private var frames: Int
  /// By frame in the ring. Memory that no frame has used is not touched, so a long ring is made at once.
  private var ends: UnsafeMutablePointer<Double>
  private var levels: UnsafeMutablePointer<Float>
  /// Frames taken.
  private var count = 0
  /// The number of the oldest frame in the ring, from 0.
  private var oldest = 0
  /// The timeline stands still while no callback runs, but delayed levels go on.
  var stalls = StallClock()

  init(channels: Int, frames: Int) {
    self.channels = channels
    self.frames = frames
    ends = .allocate(capacity: frames)
    levels = .allocate(capacity: channels * frames)
  }

  deinit {
    ends.deallocate()
    levels.deallocate()
  }

  /// Makes room for at least `frames` frames. Those in the ring stay.
  func reserve(_ frames: Int) {
    guard frames > self.frames else { return }
    let longerEnds = UnsafeMutablePointer<Double>.allocate(capacity: frames)
    let longerLevels = UnsafeMutablePointer<Float>.allocate(capacity: channels * frames)
    for frame in oldest..<count {
      let (from, to) = (frame % self.frames, frame % frames)
      longerEnds[to] = ends[from]
      (longerLevels + to * channels).initialize(from: levels + from * channels, count: channels)
    }
    ends.deallocate()
    levels.deallocate()
    (self.frames, ends, levels) = (frames, longerEnds, longerLevels)
  }

  /// Begins a frame that ended at `end`, in seconds.
  func begin(at end: Double) {
    ends[count % frames] = end
    count += 1
    oldest = max(oldest, count - frames)
  }

  /// Notes a channel's level in the present frame.
  func take(_ level: Float, channel: Int) { levels[(count - 1) % frames * channels + channel] = level }

  /// The newest level of a channel that is at least `time` seconds old, else the oldest that is known; nil where there
  /// has been none of that age.
  func level(_ channel: Int, _ time: Double) -> Float? {
    let latest = ends[(count - 1) % frames] - time + Frame.tolerance
    var low = oldest
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if ends[middle % frames] <= latest { low = middle + 1 } else { high = middle }
    }
    if low > oldest { return levels[(low - 1) % frames * channels + channel] }
    // After the delay has become longer than the ring was.
    return oldest > 0 ? levels[oldest % frames * channels + channel] : nil
  }
}

/// Delays levels. [frame]
final class DelayFrame: FrameNode {
  private let state: DelayState
  /// The number of frames that `state` must hold.
  private let frames: Int
  private let times: [Double]
  private let silentLevel: Float
  private let inputs: [Int]
  private let outputs: [Int]

  init(
    _ state: DelayState, frames: Int, times: [Double], silentLevel: Float, inputs: [Int], outputs: [Int]
  ) {
    self.state = state
    self.frames = frames
    self.times = times
    self.silentLevel = silentLevel
    self.inputs = inputs
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    // Here and not where the plan is made: the frame thread alone may touch the ring.
    state.reserve(frames)
    state.begin(at: frame.end + state.stalls.advance(frame))
    for channel in outputs.indices {
      state.take(frame.levels[inputs[channel]], channel: channel)
      frame.levels[outputs[channel]] = state.level(channel, times[channel]) ?? silentLevel
    }
  }
}
