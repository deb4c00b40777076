import Graphs
import Realtime

/// Fires. [frame]
final class TriggerFrame: FrameNode {
  private let states: TriggerStates
  private let thresholds: [(above: Double, below: Double)]
  private let settings: [Trigger.Settings]
  private let inputs: [Int]
  private let outputs: [Int]
  private let events: Int

  init(_ making: Making<Trigger.Settings>, states: TriggerStates) {
    self.states = states
    let isLevel = making.inputs[0].type == .level
    settings = making.outputs[0].channels.indices.map { making.settings[$0] }
    thresholds = settings.map { Trigger.thresholds($0, isLevel: isLevel) }
    inputs = making.levelInputs[0]
    outputs = making.levelOutputs[0]
    events = making.eventOutputs[1]
  }

  func run(_ frame: Frame) {
    // Half a microsecond: times that are sums of frames end with a frame.
    let grain = 5e-7
    for channel in inputs.indices {
      let level = Double(frame.levels[inputs[channel]])
      states.since[channel] += frame.seconds
      if level <= thresholds[channel].below { states.isReady[channel] = true }
      if level >= thresholds[channel].above && states.isReady[channel]
        && states.since[channel] + grain >= settings[channel].gap
      {
        states.isReady[channel] = false
        states.since[channel] = 0
        frame.events.tell(
          Event(output: events, name: "trigger", channel: channel, sample: frame.header.endSample))
      }
      let since = states.since[channel]
      frame.levels[outputs[channel]] = since == 0 || since + grain < settings[channel].pulse ? 1 : 0
    }
  }
}
