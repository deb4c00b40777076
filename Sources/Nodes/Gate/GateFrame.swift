import Graphs
import Realtime
import Metering

/// Opens and closes. [frame]
final class GateFrame: FrameNode {
  private let doors: GateDoors
  private let thresholds: [(open: Double, close: Double)]
  private let holds: [Double]
  private let nothing: Float
  private let inputs: [Int]
  private let outputs: [Int]
  private let events: Int

  init(_ making: Making<Gate.Settings>, doors: GateDoors) {
    self.doors = doors
    let isLevel = making.inputs[0].type == .level
    let channels = making.outputs[0].channels.indices
    thresholds = channels.map { Gate.thresholds(making.settings[$0], isLevel: isLevel) }
    holds = channels.map { making.settings[$0].hold }
    nothing = isLevel ? 0 : Decibels.floor
    inputs = making.levelInputs[0]
    outputs = making.levelOutputs[0]
    events = making.eventOutputs[1]
  }

  func run(_ frame: Frame) {
    for channel in inputs.indices {
      let level = frame.levels[inputs[channel]]
      let before = doors.isOpen[channel]
      if Double(level) >= thresholds[channel].open {
        doors.isOpen[channel] = true
        doors.quiet[channel] = 0
      } else if before {
        doors.quiet[channel] =
          Double(level) < thresholds[channel].close ? doors.quiet[channel] + frame.seconds : 0
        // Half a microsecond: a hold of some frames ends with the last of them, whatever the sum has rounded to.
        if doors.quiet[channel] > 0 && doors.quiet[channel] + 5e-7 >= holds[channel] {
          doors.isOpen[channel] = false
        }
      }
      let isOpen = doors.isOpen[channel]
      frame.levels[outputs[channel]] = isOpen ? level : nothing
      if isOpen != before {
        frame.events.tell(
          Event(
            output: events, name: isOpen ? "sound" : "silence", channel: channel,
            sample: frame.header.endSample))
      }
    }
  }
}
