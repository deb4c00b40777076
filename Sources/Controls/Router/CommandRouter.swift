import Engine
import Graphs
import Nodes
import Playback
import Realtime
import System

/// Routes all commands to a running show: carries out those that it can at once, on the calling thread, and queues
/// those that change the graph for the main thread. [any]
public final class CommandRouter: Sendable {
  /// The running fades of settings.
  public let fades: SettingFades
  /// The scene of the show, and how far its fades have come.
  public let scenes: SceneProgress
  /// The position of the show in its cues.
  public let cues: CueProgress
  /// Passes commands while they are recorded or played back; nil: commands act as they come.
  public let gated: GatedCommands?
  /// The state of the show's life.
  public let life = LifeProgress()
  let show: Show
  private let wake: @Sendable () -> Void
  private let waiting = Locked<[GraphChange]>([])
  /// Commands of players that open other files.
  let openings: FileOpenings

  /// Creates the router of a show; `fades` observe its frames. `wake` is called when a change waits for the control
  /// thread.
  public init(
    show: Show, fades: SettingFades = SettingFades(), gated: GatedCommands? = nil,
    wake: @escaping @Sendable () -> Void
  ) {
    self.gated = gated
    self.show = show
    self.fades = fades
    scenes = SceneProgress(fades)
    cues = CueProgress(fades)
    self.wake = wake
    openings = FileOpenings(player: { [show] id in show.players.first { $0.id == id }?.player }) {
      [show, gated] id, opened, refused in
      Self.act(show, gated, id, opened, refused)
    }
    fades.onStep(wake)
  }

  /// Carries out a command, or queues it. [any]
  ///
  /// - Parameter withFrame: whether the command belongs to others of one frame, such as those of a cue in a score. A
  ///   command that darkens then acts ahead of that frame only if the frame may be far.
  public func perform(
    _ command: ShowCommand, withFrame: Bool = false, refused: @escaping GraphChange.Refusal = { _ in }
  ) {
    if case .transport(let node, let command) = command, gated?.timing.isReplay != true {
      return ask(node, command, refused: refused)
    }
    // A command for the control thread passes the gate there, so the frame thread, which asks for scenes, does not wait
    // for it.
    guard let gated, command.route == .atOnce else { return perform(command, as: nil, refused: refused) }
    guard command.darkens, isFrameFar || !(gated.isRecording || withFrame) else {
      return gated.timing.gate.perform { perform(command, as: $0, refused: refused) }
    }
    // Darkness waits neither for a frame nor for a thread within the gate: the command acts now, and again in the frame
    // with which it is recorded.
    gated.darken(command)
    perform(command, as: nil, refused: refused)
    gated.timing.gate.perform { gated.pass(command, $0, isDone: true) }
  }

  /// Carries out a command with a number of the gate; nil: at once. [any]
  public func perform(_ command: ShowCommand, as number: Int64?, refused: @escaping GraphChange.Refusal) {
    if let number, let gated {
      switch command {
      case .master, .blackout: return gated.pass(command, number)
      case .tap, .transport, .sound:
        guard gated.hasRoom else { return refused(Self.noRoom) }
        if case .tap = command { return gated.pass(command, number) }
      default: break
      }
    }
    guard command.route == .atOnce else {
      return put(GraphChange(command: command, refused: refused))
    }
    switch command {
    case .master, .blackout:
      command.move(show.dimmer)
      show.frames.dim()
    case .transport(let node, let command):
      do throws(ControlError) { try play(node, command, number, refused) } catch { refused(error) }
    case .sound(let node, let command):
      do throws(ControlError) { try sound(node, command, number) } catch { refused(error) }
    case .tap(let node): for beat in show.beats where beat.id == node { beat.beat.tap() }
    default: assertionFailure("\(command) is to be done at once, and nothing here does it")
    }
  }

  /// Removes and returns the waiting changes, oldest first; of several values of one setting the newest. [control]
  public func takeChanges() -> [GraphChange] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Removes and returns the follow-on cue whose time has come; nil: none. [control]
  public func takeDueCue(refused: @escaping GraphChange.Refusal) -> GraphChange? {
    cues.takeDue().map { GraphChange(command: $0, refused: refused) }
  }

  private func put(_ change: GraphChange) {
    let count = waiting.withLock { waiting -> Int? in
      if let path = change.command.settingPath,
        let old = waiting.lastIndex(where: { $0.command.settingPath == path }),
        !waiting[old...].contains(where: { $0.command.settingPath == nil })
      {
        var newest = change
        newest.earlier = (waiting[old].earlier + [waiting[old].command]).suffix(8)
        // A value of a part of the setting, or of all that it is a part of, that came in between acts before it.
        let isCovered = waiting[old...].dropFirst().contains {
          $0.command.settingPath.map { SettingTarget.overlap($0, path) } ?? false
        }
        if isCovered {
          waiting.remove(at: old)
          // Where it is refused, the value that came in between holds.
          newest.earlier = []
          waiting.append(newest)
        } else {
          waiting[old] = newest
        }
        return waiting.count
      }
      guard waiting.count < GraphChange.most else { return nil }
      waiting.append(change)
      return waiting.count
    }
    switch count {
    case nil: change.refused(.tooMuch("more than \(GraphChange.most) changes wait; this one is left out"))
    case 1: wake()
    // The first change has woken the control thread, which takes all of them.
    default: break
    }
  }

  /// Whether the next frame may be more than 40 ms away: below 25 frames a second, or when the host hangs.
  private var isFrameFar: Bool {
    !show.frames.hasCallback || (show.plan.map { $0.fps.perSecond < 25 } ?? true)
  }
}
