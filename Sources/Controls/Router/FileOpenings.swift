import Playback
import System

/// Commands that lead players to other files: each is opened first, by a thread that may wait for its disk, and what is asked
/// of the same player behind it waits, in order. What cannot be played is refused, and what plays goes on. [any]
final class FileOpenings: Sendable {
  /// How long a file is waited for, in seconds.
  static let timeout = 10.0
  /// The same where a control score holds up all other commands meanwhile.
  static let patienceOfScore = 1.0
  /// The most files that are being opened, those among them whose disks never answer.
  static let mostOpening = 8
  /// The most commands that wait for a player.
  static let mostWaiting = 256

  /// What was asked, and what is called when it is refused.
  private struct Asked {
    let command: PlayerCommand
    let refused: GraphChange.Refusal
  }

  private typealias Opening = BlockingCall<Result<OpenedCommand, OpenRefusal>>

  /// What waits for one player; there is a line as long as a thread works on it.
  private struct Line {
    var waiting: [Asked] = []
    /// What the thread waits for.
    var opening: Opening?

    /// Whether another list is to be loaded: what is being opened is not wanted any more.
    var isReplaced: Bool { waiting.contains { $0.command.isLoad } }

    /// Takes out what goes on from the command that came before it all.
    mutating func takeBehind() -> [Asked] {
      let own = waiting.prefix { !$0.command.isLoad }
      waiting = own.filter { !$0.command.isOfPlace } + waiting.dropFirst(own.count)
      return own.filter { $0.command.isOfPlace }
    }
  }

  /// What becomes of a command.
  private enum Entry {
    case acts
    case waits
    /// It waits, and a thread is to be started for it.
    case begins
    case refused(ControlError)
  }

  private let lines = Locked<[String: Line]>([:])
  private let calls = BlockingCalls("visgraph open", most: mostOpening)
  private let timeout: Double
  private let player: @Sendable (_ id: String) -> Player?
  private let act: @Sendable (_ id: String, OpenedCommand, @escaping GraphChange.Refusal) -> Void

  /// - Parameters:
  ///   - player: the player of a node, as things stand; nil: there is none.
  ///   - act: has a player do a command, or refuses it.
  init(
    timeout: Double = timeout, player: @escaping @Sendable (_ id: String) -> Player?,
    act: @escaping @Sendable (_ id: String, OpenedCommand, @escaping GraphChange.Refusal) -> Void
  ) {
    (self.timeout, self.player, self.act) = (timeout, player, act)
  }

  /// Takes a command of a player that leads to another file, or that is to wait for one; false: it acts at once.
  func take(_ id: String, _ command: PlayerCommand, refused: @escaping GraphChange.Refusal) -> Bool {
    guard let player = player(id) else { return false }
    let leads = player.leadsToFile(command)
    let isPlaying = player.snapshot.isPlaying
    let entry = lines.withLock { lines -> Entry in
      let asked = Asked(command: command, refused: refused)
      guard lines[id] != nil else {
        if leads { lines[id] = Line(waiting: [asked]) }
        return leads ? .begins : .acts
      }
      return Self.join(&lines[id, default: Line()], asked, isPlaying: isPlaying)
    }
    switch entry {
    case .acts: return false
    case .waits: break
    case .refused(let fault): refused(fault)
    case .begins:
      do throws(Errno) {
        _ = try Thread("file requests", as: Thread.Options(blockedSignals: .allButFaults)) { [self] in
          work(id)
        }
      } catch {
        lines.withLock { _ = $0.removeValue(forKey: id) }
        refused(.tooMuch("the system has no thread left that could open it (\(error.text))"))
      }
    }
    return true
  }

  /// Whether commands wait for a player.
  func isBusy(_ id: String) -> Bool { lines.withLock { $0[id] != nil } }

  /// A command with its file open, for a control score; waits for that, offline as long as it takes.
  func open(_ command: PlayerCommand, _ player: Player) throws(ControlError) -> OpenedCommand {
    guard player.leadsToFile(command) else { return OpenedCommand(command) }
    guard player.isRealTime else {
      do throws(OpenRefusal) { return try player.open(command) } catch { throw .play(error) }
    }
    let deadline = Deadline.after(seconds: Self.patienceOfScore)
    let opening = try start(command, player, deadline)
    switch opening.wait(until: deadline) {
    case .success(let opened): return opened
    case .failure(let fault): throw .play(fault)
    case nil: throw .slow(Self.patienceOfScore)
    }
  }

  private func start(
    _ command: PlayerCommand, _ player: Player, _ deadline: Deadline
  ) throws(ControlError) -> Opening {
    let opening = calls.start { () -> Result<OpenedCommand, OpenRefusal> in
      do throws(OpenRefusal) { return .success(try player.open(command, until: deadline)) } catch {
        return .failure(error)
      }
    }
    if let opening { return opening }
    throw .tooMuch(
      "\(Self.mostOpening) files are being opened whose disks do not answer; this one is left out")
  }

  /// Lets a command wait behind others, unless it acts at once.
  private static func join(_ line: inout Line, _ asked: Asked, isPlaying: Bool) -> Entry {
    var waiting = asked
    var isHalt = false
    switch asked.command {
    // They are of the player and not of a file.
    case .volume, .pan: return .acts
    // Silence does not wait; and what comes afterwards holds still, too.
    case .pause, .stop, .rewind: isHalt = true
    case .toggle where isPlaying && !line.waiting.contains { $0.command.plays }:
      isHalt = true
      waiting = Asked(command: .pause, refused: asked.refused)
    case .load:
      // The newest list counts, and the disks of the others are not waited for.
      line.waiting.removeAll { $0.command.isOfPlace || $0.command.isLoad }
      line.opening?.giveUp()
    default: break
    }
    if line.waiting.count < mostWaiting {
      line.waiting.append(waiting)
    } else if !isHalt {
      return .refused(
        .tooMuch("more than \(mostWaiting) commands wait for a file; this one is left out"))
    }
    return isHalt ? .acts : .waits
  }

  /// Does what waits for a player, until nothing does; on the thread `file requests`.
  private func work(_ id: String) {
    while let asked = next(id) {
      guard let player = player(id) else {
        asked.refused(.notAPlayer(id))
        continue
      }
      if case .track(let track) = asked.command, track >= player.snapshot.tracks {
        asked.refused(.track(track + 1, of: player.snapshot.tracks))
      } else if player.leadsToFile(asked.command) {
        open(asked, player, id)
      } else {
        act(id, OpenedCommand(asked.command), asked.refused)
      }
    }
  }

  private func next(_ id: String) -> Asked? {
    lines.withLock { lines in
      guard let line = lines[id], !line.waiting.isEmpty else {
        lines[id] = nil
        return nil
      }
      return lines[id]?.waiting.removeFirst()
    }
  }

  private func open(_ asked: Asked, _ player: Player, _ id: String) {
    let deadline = Deadline.after(seconds: timeout)
    let opening: Opening
    do throws(ControlError) { opening = try start(asked.command, player, deadline) } catch {
      return refuse(asked, id, error)
    }
    lines.withLock { lines in
      lines[id]?.opening = opening
      // What replaces it may have come before there was anything to give up.
      if lines[id]?.isReplaced == true { opening.giveUp() }
    }
    let result = opening.wait(until: deadline)
    let isReplaced = lines.withLock { lines in
      lines[id]?.opening = nil
      return lines[id]?.isReplaced == true
    }
    if isReplaced { return }
    switch result {
    case .success(let opened): act(id, opened, asked.refused)
    case .failure(let fault): refuse(asked, id, .play(fault))
    case nil: refuse(asked, id, .slow(timeout))
    }
  }

  /// Refuses a command, and what would have gone on from it.
  private func refuse(_ asked: Asked, _ id: String, _ fault: ControlError) {
    let behind = lines.withLock { $0[id]?.takeBehind() ?? [] }
    for asked in [asked] + behind { asked.refused(fault) }
  }
}

extension PlayerCommand {
  /// Whether it is about what is heard where, and not about how.
  fileprivate var isOfPlace: Bool {
    switch self {
    case .play, .playAt, .toggle, .seek, .skip, .section, .next, .previous, .track: true
    case .pause, .stop, .rewind, .rate, .pitch, .volume, .pan, .loop, .assign, .load, .shuffle, .again,
      .replayGain:
      false
    }
  }

  fileprivate var isLoad: Bool { if case .load = self { true } else { false } }

  /// Whether it may begin to play.
  fileprivate var plays: Bool {
    switch self {
    case .play, .playAt, .toggle: true
    default: false
    }
  }
}
