/// What is wrong with an audio file, as data; `message` is its one sentence.
public struct AudioFault: Error, Equatable, Sendable {
  /// The stable name of a fault.
  public enum Code: String, CaseIterable, Sendable {
    /// Nothing lies at the path.
    case missing = "audio-missing"
    /// The path leads to a folder.
    case folder = "audio-folder"
    /// The path leads to a device, a pipe or a socket.
    case notAFile = "audio-not-a-file"
    /// The system refuses to open the file.
    case unreadable = "audio-unreadable"
    /// The file has no bytes or no samples.
    case empty = "audio-empty"
    /// No decoder knows the file, or it is broken from its beginning.
    case notAudio = "audio-format"
    /// What would decode the file is not there: FFmpeg is not installed, or the program was built without it.
    case decoder = "audio-decoder"
    /// The file has no channels or more than can be played.
    case channels = "audio-channels"
    /// The sample rate, or the step from it to the host's, is beyond what can be resampled.
    case rate = "audio-rate"
    /// The file ends before its header says it does.
    case truncated = "audio-truncated"
    /// The file could not be read any further.
    case read = "audio-read"
    /// The file could not be played again from its beginning.
    case rewind = "audio-rewind"
    /// The file has become another one, with other channels or another rate.
    case changed = "audio-changed"
  }

  /// The stable name.
  public let code: Code
  /// The file, as it was given.
  public let path: String
  /// What the system or the decoder said, or the numbers at fault; may be empty.
  public let reason: String

  /// States a fault.
  ///
  /// - Parameters:
  ///   - code: its stable name.
  ///   - path: the file, as it was given.
  ///   - reason: what the system or the decoder said.
  public init(_ code: Code, path: String, reason: String = "") {
    self.code = code
    self.path = path
    self.reason = reason
  }
}
