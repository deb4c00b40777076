import Graphs
import Playback
import Rendering

/// Why a live run failed.
struct RunError: Error, CustomStringConvertible {
  let description: String
  /// Whether the graph or its files have the fault.
  var isOfGraph = false
}

/// Why a checked graph cannot be started, in a sentence: for instance, a file is gone, or there are too many ports.
func startErrorText(_ error: any Error) -> String {
  switch error {
  case let fault as AudioError: fault.message
  case let fault as Diagnostic: "\(fault.message) [\(fault.code)]"
  case let fault as PictureError: fault.message
  case let fault as VideoError: fault.message
  default: "\(error)"
  }
}
