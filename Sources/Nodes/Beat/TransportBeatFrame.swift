import Engine
import Graphs
import Realtime

/// Which beats have come, by a time that is counted in ticks and read once a frame.
struct TransportBeats {
  /// A beat that has come.
  struct Beat: Equatable {
    /// Which, from 0, the first of the first bar.
    let number: Int
    /// How many samples before the end of the frame.
    let ago: Int64
    /// Whether it is the first of a bar.
    let isBar: Bool
  }

  /// Beats that lie this near to an end of a frame, in beats, are taken for that end: sums of numbers with a point are not
  /// exact.
  private static let slack = 0.005
  /// No frame has more beats, also where some are merged: 10,000 a minute for six seconds.
  private static let most = 1000
  /// Up to where beats have been reported, in beats; nil where none were.
  private var told: Double?

  /// The beats of a frame that ended at `time` and of whose samples so many were rolled, that at the first of these among
  /// them, each once: where the time goes on, be it some ticks too soon or too late, they follow those of the frame before.
  ///
  /// - Parameters:
  ///   - rolled: at least 0.
  ///   - step: beats in a sample, above 0.
  mutating func take(_ time: TransportTime, rolled: Double, step: Double) -> [Beat] {
    var begin = time.beats - rolled * step - Self.slack
    // A beat that begins within the slack is reported with the next frame.
    let end = time.beats - Self.slack
    // Whole ticks are counted, and so every cycle may begin up to one too low.
    let jitter = max(2 * Self.slack, 1.5 / time.ticksPerBeat)
    if let told, abs(told - begin) < jitter { begin = told }
    told = max(begin, end)
    var beats: [Beat] = []
    var beat = begin.rounded(.up)
    while beat < end, beats.count < Self.most {
      let left = time.beats - beat
      let bars = (time.barBeats - left) / time.beatsPerBar
      beats.append(
        Beat(
          number: Int(beat), ago: Int64(max(0, min(rolled, (left / step).rounded()))),
          isBar: abs(bars - bars.rounded()) * time.beatsPerBar < 2 * Self.slack))
      beat += 1
    }
    return beats
  }
}

/// How far the beats of a transport were reported; kept from plan to plan. [frame]
final class TransportBeatState {
  fileprivate var beats = TransportBeats()

  init() {}
}

/// Reports the beats of the host's transport. [frame]
final class TransportBeatFrame: FrameNode {
  private let state: TransportBeatState
  private let firstValue: Int
  private let nudge: Double
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Beat.Settings>, _ state: TransportBeatState, firstValue: Int) {
    self.state = state
    self.firstValue = firstValue
    nudge = context.settings.all.nudge
    outputs = [0, 1, 2, 3, 4, 6].map { context.levelOutputs[$0][0] }
    events = context.eventOutputs[5]
  }

  func run(_ frame: Frame) {
    guard let time = time(frame) else {
      state.beats = TransportBeats()
      for output in outputs { frame.levels[output] = 0 }
      return
    }
    let rolled = frame.record.sums[firstValue + 4]
    for beat in state.beats.take(time, rolled: rolled, step: beats(of: time, frame)) {
      let sample = frame.header.endSample - beat.ago
      for name in beat.isBar ? ["beat", "bar"] : ["beat"] {
        frame.events.report(Event(output: events, name: name, channel: 0, sample: sample))
      }
    }
    let bars = time.barBeats / time.beatsPerBar
    let levels = [time.beats - time.beats.rounded(.down), bars - bars.rounded(.down), time.tempo, 1, 1, 1]
    for (output, level) in zip(outputs, levels) { frame.levels[output] = Float(level) }
  }

  /// The time at the end of a frame; nil where the transport stands or nobody keeps its time.
  private func time(_ frame: Frame) -> TransportTime? {
    let sums = frame.record.sums + firstValue
    let frames = Double(max(1, frame.header.frames))
    let rolled = sums[4]
    // Of merged frames there is the sum; where not all of them rolled it says nothing.
    guard rolled > 0, frames == 1 || rolled >= Double(frame.header.samples), sums[3] > 0, sums[2] > 0
    else { return nil }
    var time = TransportTime(
      beats: sums[0] / frames, barBeats: sums[1] / frames, beatsPerBar: sums[2] / frames,
      tempo: sums[3] / frames, ticksPerBeat: sums[5] / frames)
    var late = Double(frame.header.samples) * (frames - 1) / (2 * frames) * beats(of: time, frame)
    late += nudge * time.tempo / 60
    time.beats += late
    time.barBeats += late
    return time
  }

  /// Beats in a sample.
  private func beats(of time: TransportTime, _ frame: Frame) -> Double {
    time.tempo / 60 / Double(frame.rate)
  }
}
