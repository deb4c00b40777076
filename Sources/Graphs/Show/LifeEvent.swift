/// An event of the show's life cycle, which hooks act on and viewers are sent. [any]
public enum LifeEvent: String, CaseIterable, Sendable {
  case launch, ready, active, inactive, background, foreground, silence, sound
  case serverLost = "server-lost"
  case serverBack = "server-back"
  case lowMemory = "low-memory"
  case diskFull = "disk-full"
  case end

  /// The moment of the event, as a clause.
  public var moment: String {
    switch self {
    case .launch: "the program has begun to run the graph"
    case .ready: "the first frame has gone out"
    case .active: "there is sound; without a meter in the graph: something plays, or it has no player"
    case .inactive:
      "nothing plays and nothing is heard, there has been silence for `after`, or the sound server has been gone for `settle`"
    case .background: "it is inactive, no sound server runs it, and neither a page nor a terminal looks on"
    case .foreground: "it is no longer in the background"
    case .silence: "nothing as loud as `below` has been heard for `after`"
    case .sound: "something is heard, at first or after a silence"
    case .serverLost: "the sound server has been gone, or has run no cycles, for `settle`"
    case .serverBack: "it is back after that"
    case .lowMemory: "the machine, or what the program is allowed of it, runs short of memory"
    case .diskFull: "a disk that the program writes to is nearly full"
    case .end: "it was asked to end, and the lights are out; only messages to other programs can be sent"
    }
  }
}
