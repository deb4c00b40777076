import Engine
import Graphs
import Nodes
import Playback
import System

/// The topic `players` as JSON: playlists and covers. [view]
enum PlayerFacts {
  /// The maximum number of files in a list.
  private static let most = 500
  /// Media types that browsers show as a cover.
  private static let mediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"]
  private static let covers = "/covers/"

  /// An object for each player: its list, and the path of the current track's cover.
  static func json(_ plan: CompiledPlan) -> Json {
    .array(
      plan.players.map { id, player in
        let snapshot = player.snapshot
        let cover = snapshot.tags.hasCover ? address(of: id, snapshot.path) : nil
        let names = player.files.prefix(most).map {
          Json.string(FileName.shown(String($0.split(separator: "/").last ?? "")))
        }
        return .object([
          ("id", .string(id)), ("files", .array(names)), ("cover", cover.map { .string($0) } ?? .null),
        ])
      })
  }

  /// The path of a cover. It has a hash of the track's path, because pages cache covers.
  static func address(of id: String, _ path: String) -> String {
    "\(covers)\(id)/\(String(path.utf8.fnv1a, radix: 16))"
  }

  /// The id of the player that a cover's path names; nil: none.
  static func player(at path: String, _ plan: CompiledPlan) -> String? {
    guard path.hasPrefix(covers) else { return nil }
    let id = path.dropFirst(covers.count).prefix { $0 != "/" }
    return plan.players.first { $0.id == id }?.id
  }

  /// The cover at a path, for a file of the player's list; nil: there is none that browsers show. Compares the hash
  /// with all files of the list, and reads the file. [any]
  static func cover(at path: String, of id: String, _ plan: CompiledPlan) -> CoverPicture? {
    guard let player = plan.players.first(where: { $0.id == id })?.player else { return nil }
    let now = player.snapshot.path
    // The track may have changed since the page got the path.
    let file = address(of: id, now) == path ? now : player.files.first { address(of: id, $0) == path }
    return file.flatMap { player.cover(of: $0) }.flatMap { mediaTypes.contains($0.mediaType) ? $0 : nil }
  }
}
