import Graphs
public import OSC
import System

/// A control score: what a show was asked for, each with the time on the timeline at which it acted. [control]
///
/// The form is that of `render -o packets.osc`. The messages are those of the control port, and a few of its own, which
/// `ScoreMark` has; so a score may also be written by hand, or by another program.
public struct ControlScore: Sendable {
  /// The most bytes of a score.
  public static let mostBytes = 32 << 20

  /// Why a score is not read.
  public enum Fault: Error, Equatable, CustomStringConvertible {
    /// The system's reason.
    case file(String)
    /// It has more bytes than are read.
    case tooLarge
    /// It is no score.
    case score(ScoreReader.Fault)
    /// A message that is none of the control port.
    case foreign(String, seconds: Double)
    /// It was made by a newer visgraph.
    case newer(Int)

    /// What is wrong, and what to do.
    public var description: String {
      switch self {
      case .file(let reason): reason
      case .tooLarge: "it has more than \(ControlScore.mostBytes >> 20) MB, the most that is read"
      case .score(let fault):
        "it is no control score (\(fault)); one is recorded by `visgraph run --record-control`"
      case .foreign(let address, let seconds):
        "\(address) at \(shortest(seconds)) s is no message of the control port: `visgraph controls` lists them"
      case .newer(let version): "it was recorded by a newer visgraph (version \(version) of the form)"
      }
    }
  }

  /// What acts, in order of time.
  public let entries: [ScoreReader.Entry]
  /// Whether a run was recorded: players then go on at the moments that it says.
  public let isRecorded: Bool
  /// Where the recording ends, in seconds; nil where nothing says so.
  public let end: Double?
  /// Where it is torn off within an entry, as by a crash; nil where it is whole.
  public let torn: ScoreReader.Fault?

  /// What the score of a recorded run begins with.
  public static var begin: Message { ScoreMark.begin(version: ScoreMark.version).message }
  /// The last message of the score of a run that ended by itself.
  public static var end: Message { ScoreMark.end.message }

  /// Reads a file.
  public init(path: String) throws(Fault) {
    let bytes: [UInt8]
    do { bytes = try RegularFile.bytes(of: path, most: Self.mostBytes) } catch {
      switch error {
      case .tooLarge: throw .tooLarge
      case .folder: throw .file("it is a folder")
      case .notRegular: throw .file("it is no file on a disk")
      case .system(let error): throw .file(error.text)
      }
    }
    try self.init(bytes)
  }

  /// Reads the bytes of one. Of one that is torn off, what is whole counts.
  public init(_ bytes: [UInt8]) throws(Fault) {
    do { (entries, torn) = try ScoreReader.wholeEntries(bytes) } catch { throw .score(error) }
    if let torn, entries.isEmpty { throw .score(torn) }
    var (isRecorded, end) = (false, Double?.none)
    for entry in entries {
      for message in entry.messages {
        switch ScoreMark(message) {
        case .begin(let version):
          guard version <= ScoreMark.version else { throw .newer(version) }
          isRecorded = true
        case .end: end = entry.seconds
        case .turn: break
        case nil:
          guard CommandReader.isKnown(message.address) else {
            throw .foreign(message.address, seconds: entry.seconds)
          }
        }
      }
    }
    (self.isRecorded, self.end) = (isRecorded, end)
  }
}
