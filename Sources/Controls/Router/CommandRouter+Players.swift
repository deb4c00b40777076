import Engine
import Graphs
public import Nodes
public import Playback
import Realtime
import System

/// Commands to players and sound banks. [any]
extension CommandRouter {
  /// Gives players a command: at once, or, if it leads to another file, as soon as that file is open.
  func ask(_ node: String?, _ command: PlayerCommand, refused: @escaping GraphChange.Refusal) {
    var players: [(id: String, player: Player)]
    do throws(ControlError) { players = try self.players(node) } catch { return refused(error) }
    if case .track(let track) = command {
      let most = players.map(\.player.snapshot.tracks).max() ?? 0
      players.removeAll { !openings.isBusy($0.id) && track >= $0.player.snapshot.tracks }
      if players.isEmpty { return refused(.track(track + 1, of: most)) }
    }
    let commands = Self.commands(command, players, isForAll: node == nil)
    let acting = zip(players, commands).filter { !openings.take($0.0.id, $0.1, refused: refused) }
    guard !acting.isEmpty else { return }
    guard let gated else {
      for (player, command) in acting { player.player.perform(command) }
      return
    }
    guard gated.hasRoom else { return refused(Self.noRoom) }
    gated.timing.gate.perform { number in
      for (player, command) in acting { Self.act(player, OpenedCommand(command), number, gated) }
    }
  }

  /// Gives players a command with the number `number` of the gate; one that leads to another file waits here until that
  /// is open.
  func play(
    _ node: String?, _ command: PlayerCommand, _ number: Int64?, _ refused: GraphChange.Refusal
  ) throws(ControlError) {
    let players = try players(node)
    if case .track(let track) = command {
      let most = players.map(\.player.snapshot.tracks).max() ?? 0
      guard track < most else { throw .track(track + 1, of: most) }
    }
    for (player, command) in zip(players, Self.commands(command, players, isForAll: node == nil)) {
      do throws(ControlError) {
        Self.act(player, try openings.open(command, player.player), number, gated)
      } catch {
        refused(error)
      }
    }
  }

  private func players(_ node: String?) throws(ControlError) -> [(id: String, player: Player)] {
    let players = show.players.filter { node == nil || $0.id == node }
    guard players.isEmpty else { return players }
    if let node { throw .notAPlayer(node) }
    throw .noPlayer
  }

  /// The command for each of several players: `toggle` becomes one and the same for all, whatever each of them did
  /// before.
  private static func commands(
    _ command: PlayerCommand, _ players: [(id: String, player: Player)], isForAll: Bool
  ) -> [PlayerCommand] {
    var command = command
    if isForAll, command == .toggle, players.count > 1 {
      command = players.contains { $0.player.snapshot.isPlaying } ? .pause : .play
    }
    return players.map { _ in command }
  }

  /// The refusal of a command while too many wait for a frame.
  static var noRoom: ControlError {
    .tooMuch("more than \(GatedCommands.most) commands wait for a frame; this one is left out")
  }

  /// Has a player carry out a command, through the gate if there is one.
  static func act(
    _ show: Show, _ gated: GatedCommands?, _ id: String, _ opened: OpenedCommand,
    _ refused: GraphChange.Refusal
  ) {
    guard let player = show.players.first(where: { $0.id == id }) else { return refused(.notAPlayer(id)) }
    guard let gated else { return player.player.perform(opened) }
    guard gated.hasRoom else { return refused(noRoom) }
    gated.timing.gate.perform { number in act(player, opened, number, gated) }
  }

  private static func act(
    _ player: (id: String, player: Player), _ opened: OpenedCommand, _ number: Int64?,
    _ gated: GatedCommands?
  ) {
    guard let number, let gated else { return player.player.perform(opened) }
    let commands = player.player.resolved(opened.command)
    if opened.isOpen { player.player.perform(opened) }
    for command in commands {
      if !opened.isOpen { player.player.perform(command) }
      gated.pass(.transport(node: player.id, command), number)
    }
  }

  /// Gives sound banks a command.
  func sound(_ node: String?, _ command: SoundCommand, _ number: Int64?) throws(ControlError) {
    let banks = show.soundBanks.filter { node == nil || $0.id == node }
    guard !banks.isEmpty else { throw .sound(nil) }
    if let name = command.name, !banks.contains(where: { $0.bank.names.contains(name) }) {
      throw .sound(name)
    }
    for (id, bank) in banks {
      if let number, let gated {
        if let name = command.name, !bank.names.contains(name) { continue }
        // Alerts are reported by `GatedCommands`, in the frame of the command.
        if case .stop(let name) = command { bank.stop(name) } else { bank.fire(command.name ?? "") }
        gated.pass(.sound(node: id, command), number)
        continue
      }
      switch command {
      case .play(let name): bank.play(name)
      case .alert(let name): bank.alert(name)
      case .stop(let name): bank.stop(name)
      }
    }
  }
}

extension Show {
  /// The players of the running graph, with the ids of their nodes, in the order of the signal. [any]
  public var players: [(id: String, player: Player)] { plan?.players ?? [] }

  /// The sound banks of the running graph, with their ids, in file order. [any]
  public var soundBanks: [(id: String, bank: SoundBankControl)] { plan?.soundBanks ?? [] }

  /// The beats whose tempo can be tapped, with their ids, in file order. [any]
  public var beats: [(id: String, beat: BeatControl)] { plan?.beats ?? [] }
}
