import Engine
import Realtime

/// How far the beats of a transport were told; kept from plan to plan. [frame]
final class TransportBeatState {
  /// Beats at the end of the last frame; nil where there were none.
  var last: Double?
}

/// Tells the beats of the host's transport. [frame]
final class TransportBeatFrame: FrameNode {
  /// Beats that lie this near to an end of a frame, in beats, are taken for that end: who keeps the time counts in ticks.
  private static let tick = 0.01
  private let state: TransportBeatState
  private let firstValue: Int
  private let outputs: [Int]
  private let events: Int

  init(_ context: NodeContext<Beat.Settings>, _ state: TransportBeatState, firstValue: Int) {
    self.state = state
    self.firstValue = firstValue
    outputs = (0..<5).map { context.levelOutputs[$0][0] }
    events = context.eventOutputs[5]
  }

  func run(_ frame: Frame) {
    guard let time = time(frame) else {
      state.last = nil
      for output in outputs { frame.levels[output] = 0 }
      return
    }
    tell(time, frame)
    let bars = time.barBeats / time.beatsPerBar
    let levels = [time.beats - time.beats.rounded(.down), bars - bars.rounded(.down), time.tempo, 1, 1]
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
      tempo: sums[3] / frames)
    let late = Double(frame.header.samples) * (frames - 1) / (2 * frames) * beats(of: time, frame)
    time.beats += late
    time.barBeats += late
    return time
  }

  /// Beats in a sample.
  private func beats(of time: TransportTime, _ frame: Frame) -> Double {
    time.tempo / 60 / Double(frame.rate)
  }

  /// Tells the beats of a frame, that at its first sample among them, each at its sample.
  private func tell(_ time: TransportTime, _ frame: Frame) {
    let step = beats(of: time, frame)
    var begin = time.beats - frame.record.sums[firstValue + 4] * step
    if let last = state.last, abs(last - begin) < Self.tick { begin = last }
    // A beat that begins within the last tick is told with the next frame.
    let end = time.beats - Self.tick / 2
    begin -= Self.tick / 2
    state.last = time.beats
    var beat = begin.rounded(.up)
    while beat < end {
      let left = time.beats - beat
      let sample = frame.header.endSample - Int64((left / step).rounded())
      frame.events.report(Event(output: events, name: "beat", channel: 0, sample: sample))
      let place = (time.barBeats - left) / time.beatsPerBar
      if abs(place - place.rounded()) * time.beatsPerBar < Self.tick {
        frame.events.report(Event(output: events, name: "bar", channel: 0, sample: sample))
      }
      beat += 1
    }
  }
}
