import System

/// What is wrong with an audio file, as data; `message` is its one sentence.
public struct AudioError: Error, Equatable, Sendable {
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
    /// The decoder is missing: FFmpeg is not installed, or the program was built without it.
    case decoder = "audio-decoder"
    /// The file has no channels, or more than can be played.
    case channels = "audio-channels"
    /// The sample rate, or its ratio to the host's, is beyond what can be resampled.
    case rate = "audio-rate"
    /// The file ends earlier than its header states.
    case truncated = "audio-truncated"
    /// Reading the file failed before its end.
    case read = "audio-read"
    /// The file cannot be played again from its beginning.
    case rewind = "audio-rewind"
    /// The file was replaced by one with other channels or another rate.
    case changed = "audio-changed"
  }

  /// The stable name.
  public let code: Code
  /// The path, as it was given.
  public let path: String
  /// The system's or the decoder's error text, or the numbers at fault; may be empty.
  public let reason: String

  /// Makes a fault.
  ///
  /// - Parameters:
  ///   - code: its stable name.
  ///   - path: the path, as it was given.
  ///   - reason: the system's or the decoder's error text.
  public init(_ code: Code, path: String, reason: String = "") {
    self.code = code
    self.path = path
    self.reason = reason
  }
}

extension AudioError {
  /// The whole sentence: what, where, and what to do.
  public var message: String { "\(what): \(remedy)" }

  /// The fault and its file, without a full stop.
  public var what: String {
    let why = reason.isEmpty ? "" : " (\(reason))"
    let path = FileName.shown(path)
    switch code {
    case .missing: return "there is no audio file '\(path)'"
    case .folder: return "'\(path)' is a folder, not an audio file"
    case .notAFile: return "'\(path)' is a device or a pipe, not an audio file"
    case .unreadable: return "the audio file '\(path)' cannot be opened\(why)"
    case .empty: return "the audio file '\(path)' is empty\(why)"
    case .notAudio: return "'\(path)' is not an audio file that can be decoded\(why)"
    case .decoder: return "'\(path)' needs a decoder that is not there\(why)"
    case .channels: return "the audio file '\(path)' has a number of channels that cannot be played\(why)"
    case .rate: return "the audio file '\(path)' has a sample rate that cannot be played\(why)"
    case .truncated: return "the audio file '\(path)' ends too early\(why)"
    case .read: return "the audio file '\(path)' cannot be read to its end\(why)"
    case .rewind: return "the audio file '\(path)' cannot be played again from its beginning\(why)"
    case .changed: return "the audio file '\(path)' has become another one while it played\(why)"
    }
  }

  /// What is allowed and what to do, without a full stop.
  public var remedy: String {
    switch code {
    case .missing: return "check the spelling; a path is relative to the graph file"
    case .folder: return "name one file in it"
    case .notAFile: return "name a regular file"
    case .unreadable: return "check its permissions and those of its folders"
    case .empty: return "export it again with sound in it"
    case .notAudio: return "use \(AudioError.formats)"
    case .decoder: return AudioError.decoderRemedy
    case .channels: return "use a file with 1 to \(AudioFormat.channelRange.upperBound) channels"
    case .rate:
      let range = AudioFormat.rateRange
      return "use a file with \(range.lowerBound) to \(range.upperBound) Hz"
    case .truncated: return "what is there is played; copy or export it again"
    case .read: return "what could be read was played; check the disk, then copy the file again"
    case .rewind: return "put the file back and load the graph again"
    case .changed: return "load the graph again"
    }
  }

  // The formats that are decoded; Ogg needs FFmpeg's libraries if the program is built to use them.
  #if FFmpeg
    private static let formats = "WAV, AIFF, CAF, FLAC, Ogg, Opus, MP3, AAC or M4A"
    private static var decoderRemedy: String { "\(FFmpegPackage.remedy), or use WAV, AIFF, FLAC or MP3" }
  #else
    private static let formats = "WAV, AIFF, CAF, FLAC, Ogg, Opus or MP3"
    private static let decoderRemedy = "build visgraph with its trait FFmpeg, or use \(formats)"
  #endif
}
