public import Hosts
public import Nodes
public import Playback

extension Show {
  /// The players of the graph that runs, with the ids of their nodes, in the order of the signal. [any]
  public var players: [(id: String, player: Player)] { plan?.players ?? [] }

  /// Its sound banks, with their ids, in file order. [any]
  public var soundBanks: [(id: String, bank: SoundBank)] { plan?.soundBanks ?? [] }
}
