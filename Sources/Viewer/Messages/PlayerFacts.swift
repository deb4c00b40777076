import Engine
import Graphs
import Nodes
import Playback

/// What players have before them, as pages are sent it. [view]
enum PlayerFacts {
  /// The most files of a list that are sent.
  private static let most = 500
  /// Kinds of pictures that are shown as a cover.
  private static let mediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"]
  private static let covers = "/covers/"

  /// One object for each player: its list, and the address of the cover of what is heard.
  static func json(_ plan: CompiledPlan) -> Json {
    .array(
      plan.players.map { id, player in
        let snapshot = player.snapshot
        let cover = snapshot.tags.hasCover ? address(of: id, snapshot.path) : nil
        let names = player.files.prefix(most).map { Json.string(String($0.split(separator: "/").last ?? "")) }
        return .object([
          ("id", .string(id)), ("files", .array(names)), ("cover", cover.map { .string($0) } ?? .null),
        ])
      })
  }

  /// Where the cover of a player's track is found: another track has another address, as a page keeps what it has.
  static func address(of id: String, _ path: String) -> String {
    "\(covers)\(id)/\(String(path.utf8.fnv1a, radix: 16))"
  }

  /// The id of the player whose covers stand at an address; nil where none do.
  static func player(at path: String, _ plan: CompiledPlan) -> String? {
    guard path.hasPrefix(covers) else { return nil }
    let id = path.dropFirst(covers.count).prefix { $0 != "/" }
    return plan.players.first { $0.id == id }?.id
  }

  /// The cover at an address of a player, of a file of its list, where browsers can show it. Goes through the list, opens
  /// the file and waits for its disk. [any]
  static func cover(at path: String, of id: String, _ plan: CompiledPlan) -> CoverPicture? {
    guard let player = plan.players.first(where: { $0.id == id })?.player else { return nil }
    let now = player.snapshot.path
    // The track may have changed since a page was sent it.
    let file = address(of: id, now) == path ? now : player.files.first { address(of: id, $0) == path }
    return file.flatMap { player.cover(of: $0) }.flatMap { mediaTypes.contains($0.mediaType) ? $0 : nil }
  }
}
