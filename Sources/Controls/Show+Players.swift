public import Hosts
public import Nodes
public import Playback

extension Show {
  /// The players of the graph that runs, with the ids of their nodes, in the order of the signal. Any thread.
  public var players: [(id: String, player: Player)] { plan?.players ?? [] }

  /// Its sound banks, with their ids, in file order. Any thread.
  public var soundBanks: [(id: String, bank: SoundBank)] { plan?.soundBanks ?? [] }
}
