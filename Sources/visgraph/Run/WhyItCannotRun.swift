import Graphs
import Playback
import Rendering

/// Why a checked graph cannot be made ready to run, in one sentence: a file that has vanished since, too many ports.
func whyItCannotRun(_ error: any Error) -> String {
  switch error {
  case let fault as AudioFault: fault.message
  case let fault as Diagnostic: "\(fault.sentence) [\(fault.code)]"
  case let fault as PictureFault: fault.sentence
  case let fault as FilmFault: fault.sentence
  default: "\(error)"
  }
}
