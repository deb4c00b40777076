public import Engine
import Nodes
import OSC
import Playback

/// Plays a control score: asks a show for what the score says, each at its time. [control]
public final class ScorePlayer {
  /// How long before its time a command of a live show is given to the callback, in seconds: longer than the thread that does that
  /// sleeps once it is woken. What comes by hand meanwhile waits with it.
  public static let lead = 0.05

  private let score: ControlScore
  private let show: Show
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let addresses = AddressCache()
  private var next = 0

  /// Is called with the reason why a message does nothing, with its time in seconds.
  public typealias Refusal = @Sendable (_ address: String, _ seconds: Double, ControlError) -> Void

  private let refused: Refusal

  /// Plays from the beginning; files that it names lie in `folders`.
  public init(
    _ score: ControlScore, show: Show, router: CommandRouter, folders: AllowedFolders,
    refused: @escaping Refusal
  ) {
    (self.score, self.show, self.router, self.folders) = (score, show, router, folders)
    self.refused = refused
  }

  /// Where what comes next acts, in samples; nil at the end.
  public func place(rate: Int) -> Int64? {
    guard next < score.entries.count else { return nil }
    let sample = (score.entries[next].seconds * Double(rate)).rounded()
    return sample < 1e15 ? Int64(sample) : .max
  }

  /// Asks for everything that acts at `sample` or before; changes of the graph wait at the router. `number` is that of the
  /// command which all of it is.
  public func perform(upTo sample: Int64, rate: Int, as number: Int64) {
    while let place = place(rate: rate), place <= sample {
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
        if case .command(let command) = request, command.isOfScore {
          router.perform(command, as: number, refused: refused)
        }
      }
    } catch {
      refused(error)
    }
  }
}
