import Graphs
public import OSC
import System

/// A control score: the commands that a show received, each with the time on the timeline at which it acted. [control]
///
/// It has the form of `render -o packets.osc`. Its messages are those of the control port and the few of `ScoreMark`,
/// so it may also be written by hand or by another program.
public struct ControlScore: Sendable {
  /// The largest score, in bytes.
  public static let mostBytes = 32 << 20

  /// Why a score cannot be read.
  public enum Fault: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read, for this reason: half a sentence.
    case file(String)
    /// It is larger than `mostBytes`.
    case tooLarge
    /// It is not a score.
    case score(ScoreReader.Fault)
    /// A message that the control port does not know.
    case foreign(String, seconds: Double)
    /// A newer visgraph has recorded it.
    case newer(Int)

    /// The fault, and what to do.
    public var description: String {
      switch self {
      case .file(let reason): reason
      case .tooLarge: "it has more than \(ControlScore.mostBytes >> 20) MB, the limit of a control score"
      case .score(let fault):
        "it is no control score (\(fault)); one is recorded by `visgraph run --record-control`"
      case .foreign(let address, let seconds):
        "\(address) at \(shortest(seconds)) s is no message of the control port: `visgraph controls` lists them"
      case .newer(let version):
        "it was recorded by a newer version of visgraph (version \(version) of the format)"
      }
    }
  }

  /// The entries, by time.
  public let entries: [ScoreReader.Entry]
  /// Whether a run was recorded; players then go on at the recorded moments.
  public let isRecorded: Bool
  /// The end of the recording, in seconds; nil: the score has none.
  public let end: Double?
  /// The fault at which it breaks off within an entry, as after a crash, with its byte; nil: it is whole.
  public let torn: ScoreReader.Fault?

  /// The first message of a recording.
  public static var beginMessage: Message { ScoreMark.begin(version: ScoreMark.version).message }
  /// The last message of a recording that was not cut off.
  public static var endMessage: Message { ScoreMark.end.message }

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

  /// Reads the bytes of a score; of one that breaks off, the whole entries.
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
        // `ScorePlayer` carries out a turn when its entry is due.
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
