public import Engine
import Nodes
import OSC
import Playback

/// Plays a control score: performs its commands, each at its time. [control]
public final class ScorePlayer {
  /// How long before its time a command is handed to the callback of a live show, in seconds: longer than the thread
  /// that hands it over needs to wake up. Commands by hand wait for it meanwhile.
  public static let lead = 0.05

  private let score: ControlScore
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let addresses = AddressCache()
  private var next = 0
  /// The addresses that were reported because a score cannot carry them out.
  private var leftOut: Set<String> = []

  /// Takes the reason why a message is refused, and the time of the message in the score, in seconds.
  public typealias Refusal = @Sendable (_ address: String, _ seconds: Double, ControlError) -> Void

  private let refused: Refusal

  /// Plays from the beginning; files that the score names must lie in `folders`.
  public init(
    _ score: ControlScore, show: Show, router: CommandRouter, folders: AllowedFolders,
    refused: @escaping Refusal
  ) {
    (self.score, self.show, self.router, self.folders) = (score, show, router, folders)
    self.refused = refused
  }

  /// The sample at which the next entry acts; nil at the end of the score.
  public func nextSample(rate: Int) -> Int64? {
    guard next < score.entries.count else { return nil }
    let sample = (score.entries[next].seconds * Double(rate)).rounded()
    return sample < 1e15 ? Int64(sample) : .max
  }

  /// Performs all entries up to `sample`; changes of the graph wait in the router. `number` is that of the gate's
  /// command to which they all belong.
  public func perform(upTo sample: Int64, rate: Int, as number: Int64) {
    while let due = nextSample(rate: rate), due <= sample {
      let entry = score.entries[next]
      next += 1
      for message in entry.messages { perform(message, at: entry.seconds, as: number) }
    }
  }

  private func perform(_ message: Message, at seconds: Double, as number: Int64) {
    if let mark = ScoreMark(message) {
      guard score.isRecorded, case .turn(let id, let turn) = mark else { return }
      show.players.first { $0.id == id }?.player.take(turn)
      return
    }
    let refused: GraphChange.Refusal = { [refused] in refused(message.address, seconds, $0) }
    do throws(ControlError) {
      for request in try CommandReader(show, folders, addresses).requests(message) {
        // What is answered to its sender, such as `status`, has no receiver here.
        guard case .command(let command) = request else { continue }
        if command.isOfScore {
          router.perform(command, as: number, refused: refused)
        } else if leftOut.insert(message.address).inserted {
          refused(.notOfScore)
        }
      }
    } catch {
      refused(error)
    }
  }
}
