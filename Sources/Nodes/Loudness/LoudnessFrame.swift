import Engine
import Metering
import Realtime

/// The measurement of each program, and the highest true peaks; kept from plan to plan. [frame]
final class LoudnessState {
  var programs: [Loudness]
  /// By channel: the highest true peak, as amplitude.
  var highestPeaks: [Float]

  init(programs: Int, channels: Int) {
    self.programs = Array(repeating: Loudness(), count: programs)
    highestPeaks = Array(repeating: 0, count: channels)
  }

  /// The sample at which a new program begins, while its first step has not come; nil: none begins.
  var pendingBegin: Int64?

  func reset() {
    for program in programs.indices { programs[program].reset() }
  }
}

/// Computes loudness from the mean squares of steps of 10 ms. [frame]
final class LoudnessFrame: FrameNode {
  private let state: LoudnessState
  private let tap: SampleTap
  private let isPerChannel: Bool
  /// The weight of each channel's energy.
  private let weights: [Double]
  private let resets: EventPlaces
  private let program: ProgramEnd
  private let firstValue: Int
  private let outputs: [[Int]]
  /// The mean square of one step of one channel.
  private var energies: [Float] = [0]

  init(
    _ state: LoudnessState, tap: SampleTap, isPerChannel: Bool, weights: [Double], resets: EventPlaces,
    program: ProgramEnd, firstValue: Int, outputs: [[Int]]
  ) {
    self.state = state
    self.tap = tap
    self.isPerChannel = isPerChannel
    self.weights = weights
    self.resets = resets
    self.program = program
    self.firstValue = firstValue
    self.outputs = outputs
  }

  func run(_ frame: Frame) {
    takeEnergies(frame)
    for (program, loudness) in state.programs.enumerated() {
      // After a stall of the length of a window, that window is silent.
      let stalled = frame.stalledSeconds
      let levels = [
        stalled < 0.4 ? loudness.momentary : nil, stalled < 3 ? loudness.shortTerm : nil, loudness.integrated,
        nil, loudness.highestMomentary, loudness.highestShortTerm,
      ]
      for (output, level) in levels.enumerated() {
        frame.levels[outputs[output][program]] = Float(max(Double(Decibels.floor), level ?? -.infinity))
      }
      frame.levels[outputs[3][program]] = Float(loudness.range ?? 0)
    }
    let isProgram = frame.header.endSample - Int64(frame.header.samples) < program.end
    for channel in weights.indices {
      let peak = frame.record.peaks[firstValue + channel]
      if isProgram { state.highestPeaks[channel] = max(state.highestPeaks[channel], peak) }
      frame.levels[outputs[6][channel]] = Decibels.of(amplitude: Double(peak))
      frame.levels[outputs[7][channel]] = Decibels.of(amplitude: Double(state.highestPeaks[channel]))
    }
  }

  /// Takes the steps that have ended by the end of the frame. A program begins with the first step at or after its
  /// event.
  private func takeEnergies(_ frame: Frame) {
    let rate = Int64(frame.rate)
    let end = LoudnessBlock.steps(before: frame.header.endSample, rate: rate)
    var begins = frame.events.all.filter { !resets.channels(of: $0).isEmpty }.map(\.sample).sorted()
    // The highest true peaks are reset for the whole frame.
    if !begins.isEmpty { for channel in state.highestPeaks.indices { state.highestPeaks[channel] = 0 } }
    if let pending = state.pendingBegin { begins.insert(pending, at: 0) }
    state.pendingBegin = nil
    let steps = tap.reader.places
    for step in steps.lowerBound..<max(steps.lowerBound, min(steps.upperBound, end)) {
      while let next = begins.first, next <= LoudnessBlock.begin(of: step, rate: rate) {
        begins.removeFirst()
        state.reset()
      }
      take(step, isProgram: LoudnessBlock.begin(of: step + 1, rate: rate) <= program.end)
    }
    tap.reader.release(before: end)
    if let next = begins.last {
      // The levels of this frame belong to the new program.
      state.reset()
      state.pendingBegin = next
    }
  }

  private func take(_ step: Int64, isProgram: Bool) {
    var sum = 0.0
    for (channel, weight) in weights.enumerated() {
      tap.reader.read(channel: channel, at: step, into: &energies, count: 1)
      let energy = weight * Double(energies[0])
      if isPerChannel { state.programs[channel].take(energy, isProgram: isProgram) }
      sum += energy
    }
    if !isPerChannel { state.programs[0].take(sum, isProgram: isProgram) }
  }
}
