import Glibc
import Playback
import System

/// What audio files said of themselves when a graph was last checked: every move of a fader checks the graph anew, and
/// need not open a thousand files for it that are as they were. [control]
enum FormatsSeen {
  /// The most files that are remembered; one more, and all are forgotten.
  private static let most = 4 * FileSource.mostLooked
  private static let seen = Locked<[String: (identity: FileIdentity, format: AudioFormat)]>([:])

  /// What a file says of itself, opened only where it is new or has changed. Faults are not remembered.
  static func format(of path: String) throws(AudioFault) -> AudioFormat {
    // Asked before the file is opened, so that a change meanwhile is seen next time.
    let identity = FileIdentity(path: path)
    if let identity, access(path, R_OK) == 0,
      let known = seen.withLock({ $0[path] }), known.identity == identity
    {
      return known.format
    }
    let format = try openAudio(path).format
    if let identity {
      seen.withLock { seen in
        if seen.count >= most { seen = [:] }
        seen[path] = (identity, format)
      }
    }
    return format
  }
}
