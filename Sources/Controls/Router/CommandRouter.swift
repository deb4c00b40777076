import Engine
import Graphs
import Nodes
import Playback
import Realtime
import System

/// Routes everything that a running show is asked for (the command queue): what can be done at once is done at once, by
/// whatever thread asks; what changes the graph waits for the main thread. [any]
public final class CommandRouter: Sendable {
  /// The settings that are on their way.
  public let fades: Fades
  /// The scene that the show is in.
  public let scenes: SceneProgress
  /// Where the show is in its cues.
  public let cues: CueProgress
  /// What it does commands by where they are recorded or played back; nil: they act as they come.
  public let gated: GatedCommands?
  /// In which state of its life the show is.
  public let life = LifeProgress()
  let show: Show
  private let wake: @Sendable () -> Void
  private let waiting = Locked<[GraphChange]>([])
  /// What players are asked for that leads to other files.
  let openings: FileOpenings

  /// A router of a show, with the fades that watch its frames; `wake` is called when something waits for the control
  /// thread.
  public init(
    show: Show, fades: Fades = Fades(), gated: GatedCommands? = nil, wake: @escaping @Sendable () -> Void
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

  /// Does what is asked for, or has it done. [any]
  ///
  /// - Parameter withFrame: whether it is part of what else begins in a frame, such as a cue that a score asks for: what
  ///   darkens then comes before that frame only where it may be far.
  public func perform(
    _ command: ShowCommand, withFrame: Bool = false, refused: @escaping GraphChange.Refusal = { _ in }
  ) {
    if case .transport(let node, let command) = command, gated?.timing.isReplay != true {
      return ask(node, command, refused: refused)
    }
    // What waits for the control thread passes the gate there. So the frame thread, which asks for scenes, is not held up.
    guard let gated, command.route == .atOnce else { return perform(command, as: nil, refused: refused) }
    guard command.darkens, isFrameFar || !(gated.isRecording || withFrame) else {
      return gated.timing.gate.perform { perform(command, as: $0, refused: refused) }
    }
    // Nobody waits for the dark: neither for a frame, nor for the thread within the gate. It acts now, and once more in the
    // frame that is recorded.
    gated.darken(command)
    perform(command, as: nil, refused: refused)
    gated.timing.gate.perform { gated.pass(command, $0, isDone: true) }
  }

  /// The same as the command of a number, within the gate that it passes; nil: it acts at once. [any]
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

  /// What waits, oldest first; of several values of one setting the newest. [control]
  public func takeChanges() -> [GraphChange] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// The cue whose time has come by itself; nil: none. [control]
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
        waiting[old] = newest
        return waiting.count
      }
      guard waiting.count < GraphChange.most else { return nil }
      waiting.append(change)
      return waiting.count
    }
    switch count {
    case nil: change.refused(.tooMuch("more than \(GraphChange.most) changes wait; this one is left out"))
    case 1: wake()
    // The thread that was woken for the first takes them all.
    default: break
    }
  }

  /// Whether the next frame may be farther than 40 ms: few a second, or a host that hangs.
  private var isFrameFar: Bool {
    !show.frames.hasCallback || (show.plan.map { $0.fps.perSecond < 25 } ?? true)
  }
}
