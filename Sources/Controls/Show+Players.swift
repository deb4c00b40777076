public import Hosts
import Nodes
public import Playback

extension Show {
  /// The players of the graph that runs, by the ids of their nodes, in file order. Any thread.
  public var players: [(id: String, player: Player)] { plan?.players ?? [] }
}
