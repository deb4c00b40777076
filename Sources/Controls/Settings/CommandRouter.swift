import Engine
import Graphs
import Hosts
public import Nodes
public import Playback
import System

/// Routes everything that a running show is asked for (the command queue): what can be done at once is done at once, by
/// whatever thread asks; what changes the graph waits for the main thread. [any]
public final class CommandRouter: Sendable {
  /// The most changes of the graph that wait.
  public static let mostChanges = 256

  /// Told when something asked for is refused. [any]
  public typealias Refusal = @Sendable (ControlError) -> Void

  /// A change of the graph that waits, and who is told when it is refused.
  public struct Change: Sendable {
    /// What is asked for.
    public var command: ShowCommand
    /// Told why it is refused.
    public var refused: Refusal
    /// Values of the same setting that came before it and still waited, oldest first: should this one be refused, the
    /// newest of them counts.
    public var earlier: [ShowCommand] = []
    /// Whether a scene asks for it, and not somebody for this setting alone.
    public var isOfScene = false
  }

  /// The settings that are on their way.
  public let fades: Fades
  /// The scene that the show is in.
  public let scenes: SceneProgress
  private let show: Show
  private let wake: @Sendable () -> Void
  private let waiting = Locked<[Change]>([])

  /// A router of a show, with the fades that watch its frames; `wake` is called when something waits for the control
  /// thread.
  public init(show: Show, fades: Fades = Fades(), wake: @escaping @Sendable () -> Void) {
    self.show = show
    self.fades = fades
    scenes = SceneProgress(fades)
    self.wake = wake
    fades.onStep(wake)
  }

  /// Does what is asked for, or has it done. [any]
  public func perform(_ command: ShowCommand, refused: @escaping Refusal = { _ in }) {
    switch command {
    case .master(let place, let fade):
      show.dimmer.move(to: place, seconds: fade.seconds)
      show.frames.dim()
    case .blackout(let isDark):
      show.dimmer.isBlackout = isDark
      show.frames.dim()
    case .transport(let node, let command):
      do throws(ControlError) { try play(node, command) } catch { refused(error) }
    case .sound(let node, let command):
      do throws(ControlError) { try sound(node, command) } catch { refused(error) }
    case .tap(let node): for beat in show.beats where beat.id == node { beat.beat.tap() }
    case .set, .fader, .scene, .reload, .load, .save, .quit: put(Change(command: command, refused: refused))
    }
  }

  /// What waits, oldest first; of several values of one setting the newest. [control]
  public func takeChanges() -> [Change] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  private func put(_ change: Change) {
    let count = waiting.withLock { waiting -> Int? in
      if let path = change.command.settingPath,
        let old = waiting.lastIndex(where: { $0.command.settingPath == path }),
        !waiting[old...].contains(where: { $0.command.settingPath == nil })
      {
        var newest = change
        newest.earlier = (waiting[old].earlier + [waiting[old].command]).suffix(8)
        waiting[old] = newest
        return waiting.count
      }
      guard waiting.count < Self.mostChanges else { return nil }
      waiting.append(change)
      return waiting.count
    }
    switch count {
    case nil: change.refused(.tooMuch("more than \(Self.mostChanges) changes wait; this one is left out"))
    case 1: wake()
    // Whoever was woken for the first takes them all.
    default: break
    }
  }

  private func play(_ node: String?, _ command: PlayerCommand) throws(ControlError) {
    let players = show.players.filter { node == nil || $0.id == node }
    guard !players.isEmpty else {
      if let node { throw .notAPlayer(node) }
      throw .noPlayer
    }
    if case .track(let track) = command {
      let most = players.map(\.player.snapshot.tracks).max() ?? 0
      guard track < most else { throw .track(track + 1, of: most) }
    }
    // Together they play or hold still, whatever each of them did before.
    if node == nil, command == .toggle, players.count > 1 {
      let plays = players.contains { $0.player.snapshot.isPlaying }
      for (_, player) in players { player.perform(plays ? .pause : .play) }
      return
    }
    for (_, player) in players { player.perform(command) }
  }

  private func sound(_ node: String?, _ command: SoundCommand) throws(ControlError) {
    let banks = show.soundBanks.filter { node == nil || $0.id == node }.map(\.bank)
    guard !banks.isEmpty else { throw .sound(nil) }
    if let name = command.name, !banks.contains(where: { $0.names.contains(name) }) { throw .sound(name) }
    for bank in banks {
      switch command {
      case .play(let name): bank.play(name)
      case .alert(let name): bank.alert(name)
      case .stop(let name): bank.stop(name)
      }
    }
  }
}

extension Show {
  /// The players of the graph that runs, with the ids of their nodes, in the order of the signal. [any]
  public var players: [(id: String, player: Player)] { plan?.players ?? [] }

  /// Its sound banks, with their ids, in file order. [any]
  public var soundBanks: [(id: String, bank: SoundBankControl)] { plan?.soundBanks ?? [] }

  /// Its beats that can be tapped, with their ids, in file order. [any]
  public var beats: [(id: String, beat: BeatControl)] { plan?.beats ?? [] }
}
