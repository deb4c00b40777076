import Engine
import Graphs
import Realtime

/// Finds the beats in each frame from the time of the transport, which is counted in ticks and read once a frame.
struct TransportBeats {
  /// A beat in a frame.
  struct Beat: Equatable {
    /// Its number; 0 is the first beat of the first bar.
    let number: Int
    /// Samples from the beat to the end of the frame.
    let ago: Int64
    /// Whether it is the first beat of a bar.
    let isBar: Bool
  }

  /// The tolerance of times, in beats: sums of floating-point numbers are not exact.
  private static let tolerance = 0.005
  /// The maximum number of beats in a frame, or in merged frames: 10,000 a minute for 6 s.
  private static let mostBeats = 1000
  /// The time up to which beats have been reported, in beats; nil before the first frame.
  private var reportedEnd: Double?

  /// Returns the beats of a frame that ended at `time`. No beat is returned twice: where the time goes on, even if some
  /// ticks too soon or too late, the beats follow those of the frame before.
  ///
  /// - Parameters:
  ///   - rolled: the last samples of the frame, in which the transport rolled; at least 0.
  ///   - step: beats per sample; above 0.
  mutating func take(_ time: TransportTime, rolled: Double, step: Double) -> [Beat] {
    var begin = time.beats - rolled * step - Self.tolerance
    // A beat within the tolerance of the end is reported with the next frame.
    let end = time.beats - Self.tolerance
    // The transport counts whole ticks, so the time of a cycle may be up to one tick too low.
    let jitter = max(2 * Self.tolerance, 1.5 / time.ticksPerBeat)
    if let reportedEnd, abs(reportedEnd - begin) < jitter { begin = reportedEnd }
    reportedEnd = max(begin, end)
    var beats: [Beat] = []
    var beat = begin.rounded(.up)
    while beat < end, beats.count < Self.mostBeats {
      let passed = time.beats - beat
      let bars = (time.barBeats - passed) / time.beatsPerBar
      beats.append(
        Beat(
          number: Int(beat), ago: Int64(max(0, min(rolled, (passed / step).rounded()))),
          isBar: abs(bars - bars.rounded()) * time.beatsPerBar < 2 * Self.tolerance))
      beat += 1
    }
    return beats
  }
}

/// The state of the beats of a transport; kept from plan to plan. [frame]
final class TransportBeatState {
  fileprivate var beats = TransportBeats()

  init() {}
}

/// Reports the beats of the host's transport. [frame]
final class TransportBeatFrame: FrameNode {
  private let state: TransportBeatState
  private let firstValue: Int
  /// Seconds by which beats are reported ahead.
  private let nudge: Double
  /// The numbers of the levels phase, bars, tempo, confidence, locked and barConfidence.
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

  /// The time at the end of a frame; nil where the transport stands or has no timebase master.
  private func time(_ frame: Frame) -> TransportTime? {
    let sums = frame.record.sums + firstValue
    let frames = Double(max(1, frame.header.frames))
    let rolled = sums[4]
    // Merged frames have sums, which have no meaning unless the transport rolled in all of them.
    guard rolled > 0, frames == 1 || rolled >= Double(frame.header.samples), sums[3] > 0, sums[2] > 0
    else { return nil }
    var time = TransportTime(
      beats: sums[0] / frames, barBeats: sums[1] / frames, beatsPerBar: sums[2] / frames,
      tempo: sums[3] / frames, ticksPerBeat: sums[5] / frames)
    // The sums give the mean of the ends of the merged frames; the last end is (frames − 1) / 2 frames later.
    var late = Double(frame.header.samples) * (frames - 1) / (2 * frames) * beats(of: time, frame)
    late += nudge * time.tempo / 60
    time.beats += late
    time.barBeats += late
    return time
  }

  /// The beats per sample.
  private func beats(of time: TransportTime, _ frame: Frame) -> Double {
    time.tempo / 60 / Double(frame.rate)
  }
}
