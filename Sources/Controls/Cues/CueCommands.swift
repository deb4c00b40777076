import Graphs
import OSC

/// The commands that go through the cues of a graph.
extension ControlCommandTable {
  static let cues: [ControlCommand] = [
    ControlCommand(
      "/visgraph/cue/go", "[1]", "Goes to the next cue of the graph, at first to the first: see below."
    ) {
      call throws(ControlError) in
      try call.arguments.isPressed() ? [.command(.cue(.go))] : []
    },
    ControlCommand(
      "/visgraph/cue/back", "[1]",
      "Goes to the cue with the previous number and to its look; its follow-on waits for a go."
    ) { call throws(ControlError) in
      try call.arguments.isPressed() ? [.command(.cue(.back))] : []
    },
    ControlCommand(
      "/visgraph/cue/goto", "NUMBER", "Goes to the cue of that number, such as 2.5, and to its look."
    ) {
      call throws(ControlError) in
      try call.arguments.need(1...1)
      let known = call.view.graph.cues.map(\.number)
      guard let number = call.arguments.all[0].cueNumber else {
        throw .argument("the cue", found: call.arguments.all[0].words, takes: "a number such as 2 or 2.5")
      }
      guard known.contains(number) else { throw .cue(.unknown(number), known: known) }
      return [.command(.cue(.number(number)))]
    },
    ControlCommand(
      "/visgraph/cue/stop", "[1]", "Cancels the follow-on that waits; a go still goes to that cue."
    ) {
      call throws(ControlError) in
      try call.arguments.isPressed() ? [.command(.cue(.stop))] : []
    },
  ]
}

extension Argument {
  /// The number of a cue, from a number or from text.
  fileprivate var cueNumber: CueNumber? {
    if case .string(let text) = self { return CueNumber(text) }
    return number.flatMap { CueNumber(shortest($0)) }
  }
}
