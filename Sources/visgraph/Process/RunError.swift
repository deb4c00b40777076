import Graphs
import Playback
import Rendering

/// Why a graph could not be run live.
struct RunError: Error, CustomStringConvertible {
  let description: String
  /// Whether the graph or its files are at fault.
  var isOfGraph = false
}

/// Why a checked graph cannot be made ready to run, in one sentence: a file that has vanished since, too many ports.
func startErrorText(_ error: any Error) -> String {
  switch error {
  case let fault as AudioError: fault.message
  case let fault as Diagnostic: "\(fault.message) [\(fault.code)]"
  case let fault as PictureError: fault.message
  case let fault as VideoError: fault.message
  default: "\(error)"
  }
}
