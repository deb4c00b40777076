import Playback
import System

/// Carries out commands that lead players to other files. A thread opens the file first and may wait for its disk;
/// later commands to the same player wait, in order. If no file can be played, the command is refused and the player
/// plays on. [any]
final class FileOpenings: Sendable {
  /// The timeout for opening a file, in seconds.
  static let timeout = 10.0
  /// The same for a control score, which holds up all other commands meanwhile.
  static let timeoutOfScore = 1.0
  /// The most files that are being opened, including those whose disks never answer.
  static let mostOpening = 8
  /// The most commands that wait for one player.
  static let mostWaiting = 256

  /// A command, and what is called if it is refused.
  private struct Request {
    let command: PlayerCommand
    let refused: GraphChange.Refusal
  }

  private typealias Opening = BlockingCall<Result<OpenedCommand, OpenRefusal>>

  /// The commands that wait for one player; exists as long as a thread works on them.
  private struct Line {
    var waiting: [Request] = []
    /// The opening for which the thread waits.
    var opening: Opening?

    /// Whether another list is to be loaded, so that the present opening is given up.
    var isReplaced: Bool { waiting.contains { $0.command.isLoad } }

    /// Removes and returns the waiting commands that only make sense after the present one.
    mutating func takeFollowers() -> [Request] {
      let own = waiting.prefix { !$0.command.isLoad }
      waiting = own.filter { !$0.command.isOfPlace } + waiting.dropFirst(own.count)
      return own.filter { $0.command.isOfPlace }
    }
  }

  /// What `take` does with a command.
  private enum Entry {
    case acts
    case waits
    /// The command waits, and a thread has to be started for it.
    case begins
    case refused(ControlError)
  }

  private let lines = Locked<[String: Line]>([:])
  private let calls = BlockingCalls("visgraph open", most: mostOpening)
  private let timeout: Double
  private let player: @Sendable (_ id: String) -> Player?
  private let act: @Sendable (_ id: String, OpenedCommand, @escaping GraphChange.Refusal) -> Void

  /// - Parameters:
  ///   - player: the present player of a node; nil: there is none.
  ///   - act: has a player carry out a command, or refuses it.
  init(
    timeout: Double = timeout, player: @escaping @Sendable (_ id: String) -> Player?,
    act: @escaping @Sendable (_ id: String, OpenedCommand, @escaping GraphChange.Refusal) -> Void
  ) {
    (self.timeout, self.player, self.act) = (timeout, player, act)
  }

  /// Takes a command that leads to another file, or that has to wait for one; false: it acts at once.
  func take(_ id: String, _ command: PlayerCommand, refused: @escaping GraphChange.Refusal) -> Bool {
    guard let player = player(id) else { return false }
    let leads = player.leadsToFile(command)
    let isPlaying = player.snapshot.isPlaying
    let entry = lines.withLock { lines -> Entry in
      let request = Request(command: command, refused: refused)
      guard lines[id] != nil else {
        if leads { lines[id] = Line(waiting: [request]) }
        return leads ? .begins : .acts
      }
      return Self.join(&lines[id, default: Line()], request, isPlaying: isPlaying)
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

  /// Opens the file of a command of a control score, and waits for that: live up to `timeoutOfScore`, offline without a
  /// limit.
  func open(_ command: PlayerCommand, _ player: Player) throws(ControlError) -> OpenedCommand {
    guard player.leadsToFile(command) else { return OpenedCommand(command) }
    guard player.isRealTime else {
      do throws(OpenRefusal) { return try player.open(command) } catch { throw .play(error) }
    }
    let deadline = Deadline.after(seconds: Self.timeoutOfScore)
    let opening = try start(command, player, deadline)
    switch opening.wait(until: deadline) {
    case .success(let opened): return opened
    case .failure(let fault): throw .play(fault)
    case nil: throw .slow(Self.timeoutOfScore)
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

  /// Queues a command behind others, unless it acts at once.
  private static func join(_ line: inout Line, _ request: Request, isPlaying: Bool) -> Entry {
    var waiting = request
    var isHalt = false
    switch request.command {
    // They concern the player, and no file.
    case .volume, .pan: return .acts
    // Silence does not wait. The command is queued as well, so the player also holds still after the commands before
    // it.
    case .pause, .stop, .rewind: isHalt = true
    case .toggle where isPlaying && !line.waiting.contains { $0.command.plays }:
      isHalt = true
      waiting = Request(command: .pause, refused: request.refused)
    case .load:
      // The newest list counts: what leads to other files is dropped, without waiting for their disks.
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

  /// Carries out the commands that wait for a player until none is left; on the thread `file requests`.
  private func work(_ id: String) {
    while let request = next(id) {
      guard let player = player(id) else {
        request.refused(.notAPlayer(id))
        continue
      }
      if case .track(let track) = request.command, track >= player.snapshot.tracks {
        request.refused(.track(track + 1, of: player.snapshot.tracks))
      } else if player.leadsToFile(request.command) {
        open(request, player, id)
      } else {
        act(id, OpenedCommand(request.command), request.refused)
      }
    }
  }

  private func next(_ id: String) -> Request? {
    lines.withLock { lines in
      guard let line = lines[id], !line.waiting.isEmpty else {
        lines[id] = nil
        return nil
      }
      return lines[id]?.waiting.removeFirst()
    }
  }

  private func open(_ request: Request, _ player: Player, _ id: String) {
    let deadline = Deadline.after(seconds: timeout)
    let opening: Opening
    do throws(ControlError) { opening = try start(request.command, player, deadline) } catch {
      return refuse(request, id, error)
    }
    lines.withLock { lines in
      lines[id]?.opening = opening
      // A newer list may have come before there was an opening to give up.
      if lines[id]?.isReplaced == true { opening.giveUp() }
    }
    let result = opening.wait(until: deadline)
    let isReplaced = lines.withLock { lines in
      lines[id]?.opening = nil
      return lines[id]?.isReplaced == true
    }
    if isReplaced { return }
    switch result {
    case .success(let opened): act(id, opened, request.refused)
    case .failure(let fault): refuse(request, id, .play(fault))
    case nil: refuse(request, id, .slow(timeout))
    }
  }

  /// Refuses a command, and the waiting commands that only make sense after it.
  private func refuse(_ request: Request, _ id: String, _ fault: ControlError) {
    let followers = lines.withLock { $0[id]?.takeFollowers() ?? [] }
    for request in [request] + followers { request.refused(fault) }
  }
}

extension PlayerCommand {
  /// Whether it concerns the place that is heard, and not the way it sounds.
  fileprivate var isOfPlace: Bool {
    switch self {
    case .play, .playAt, .toggle, .seek, .skip, .section, .next, .previous, .track: true
    case .pause, .stop, .rewind, .rate, .pitch, .volume, .pan, .loop, .assign, .load, .shuffle, .again,
      .replayGain:
      false
    }
  }

  fileprivate var isLoad: Bool { if case .load = self { true } else { false } }

  /// Whether it may start to play.
  fileprivate var plays: Bool {
    switch self {
    case .play, .playAt, .toggle: true
    default: false
    }
  }
}
