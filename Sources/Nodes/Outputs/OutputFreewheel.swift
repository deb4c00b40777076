import Graphs

/// What an output does while the host runs faster than real time.
enum OutputFreewheel: String, FieldChoice {
  case hold, send
  var help: String {
    switch self {
    case .hold: "nothing is sent: the lights stay as they are"
    case .send: "every frame is sent, faster than real time"
    }
  }
}
