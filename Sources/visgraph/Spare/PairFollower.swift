import Controls
import Engine
import Graphs
import Nodes
import Playback
import System

/// Follows the machine of a pair that sends: brings this show to the same state. [control]
///
/// Differences become commands like those of a user. A setting that a message changes on this machine lasts until the
/// next state arrives.
final class PairFollower {
  /// The tolerated difference between a player's position and the other machine's, in s, in addition to the length of a
  /// frame. Beyond it the player seeks.
  static let offset = 0.02
  /// The time after which a setting that was refused is tried again, in s.
  private static let retry = 10.0

  private let link: PairLink
  private let show: Show
  private let router: CommandRouter
  private let changes: ChangeRunner
  private let keeper: StateKeeper
  private let alarms: AlarmRinger
  private let log: Log
  /// By the id of a player: the measured delay of its seeks, in s; and the time of its last seek, in s of the monotonic
  /// clock.
  private var seekDelays: [String: Double] = [:]
  private var soughtAt: [String: Double] = [:]
  /// The checksum of the graph's text, with the text.
  private var sum: (bytes: [UInt8], text: String)?
  /// The value of each setting that was refused here last, and when, in s of the monotonic clock.
  private let refusedValues = Locked<[String: (value: String, time: Double)]>([:])
  /// Whether the last state lacked settings that are live here.
  private var wasFuller = false

  init(
    _ link: PairLink, _ show: Show, _ router: CommandRouter, _ changes: ChangeRunner, _ keeper: StateKeeper,
    _ alarms: AlarmRinger, _ log: Log
  ) {
    (self.link, self.show, self.router, self.changes) = (link, show, router, changes)
    (self.keeper, self.alarms, self.log) = (keeper, alarms, log)
  }

  /// The state in which the show must begin, because the other machine sends now; nil: it begins by itself. A machine
  /// with another graph has no state for this show.
  func first() -> ShowState? {
    guard let sight = link.first(), sight.moment.graph == graphSum else { return nil }
    return sight.state
  }

  /// Publishes this show's state to the other machine, and follows that one if it sends.
  func poll() {
    let sum = graphSum
    link.publish(keeper.followed, changes.graph, sum: sum)
    guard let sight = link.takeSight(), show.gate.isHeld, sight.moment.graph == sum else { return }
    let isThere = follow(sight)
    link.settle(isThere)
  }

  /// The checksum of the running graph's text.
  private var graphSum: String {
    let bytes = changes.overrides.source.fileBytes
    if let sum, sum.bytes == bytes { return sum.text }
    let text = FileChecksum.of(bytes)
    sum = (bytes, text)
    return text
  }

  /// Issues a command for each difference to the other machine's state; returns whether there was none.
  private func follow(_ sight: PairSight) -> Bool {
    followDimmer(sight)
    let isScene = followScene(sight)
    let areSettings = isScene && followSettings(sight)
    followCue(sight)
    if let mark = sight.state.clock, mark > alarms.mark ?? 0 { alarms.resume(from: mark) }
    var arePlayers = true
    for (id, player) in show.players {
      guard let kept = sight.state.players.first(where: { $0.node == id }) else { continue }
      if !followPlayer(id, player, to: kept, sight) { arePlayers = false }
    }
    return areSettings && arePlayers
  }

  private func followDimmer(_ sight: PairSight) {
    let dimmer = show.dimmer
    let master = Float(sight.state.master)
    guard dimmer.isBlackout != sight.state.isBlackout || (dimmer.way?.goal ?? dimmer.master) != master else {
      return
    }
    dimmer.isBlackout = sight.state.isBlackout
    dimmer.move(to: master, seconds: sight.moment.masterLeft)
    show.frames.dim()
  }

  /// Fades to the other machine's scene in the time that its fade still takes; returns whether the scene was the same.
  private func followScene(_ sight: PairSight) -> Bool {
    guard let scene = sight.state.scene, scene != router.scenes.now?.name else { return true }
    router.perform(.scene(.named(scene), seconds: sight.moment.sceneLeft), refused: logRefusal)
    return false
  }

  /// Applies settings and fades of the other machine; returns whether there was no difference.
  private func followSettings(_ sight: PairSight) -> Bool {
    let own = Dictionary(changes.overrides.live.map { ($0.target, $0.value.text) }, uniquingKeysWith: { $1 })
    let theirs = Dictionary(sight.state.settings.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
    let fades = router.fades.snapshot
    var isSame = true
    for fade in sight.moment.fades {
      let isOn = fades.contains { $0.path == fade.path && $0.goal == fade.goal }
      guard !isOn, fade.left > 2 * PairLink.pause else { continue }
      isSame = false
      router.perform(
        .set(path: fade.path, value: .written(fade.goal), fade: FadeTime(seconds: fade.left)),
        refused: logRefusal)
    }
    let moving = Set(sight.moment.fades.map(\.path) + fades.map(\.path))
    for setting in sight.state.settings
    where !moving.contains(setting.path) && own[setting.path] != setting.value {
      isSame = false
      follow(setting.path, setting.value, at: sight.time)
    }
    // A setting that is no longer live needs a new reading of the graph. The difference must be seen twice, because it
    // may just be under way.
    let isFuller = own.keys.contains { theirs[$0] == nil && !moving.contains($0) }
    defer { wasFuller = isFuller }
    if isFuller, wasFuller { begin(sight) }
    return isSame && !isFuller
  }

  /// Applies a setting of the other machine. One that is refused here is tried again after `retry`, and logged once.
  private func follow(_ path: String, _ value: String, at time: Double) {
    let before = refusedValues.withLock { $0[path] }
    if let before, before.value == value, time - before.time < Self.retry { return }
    router.perform(.set(path: path, value: .written(value))) { [logRefusal, refusedValues] fault in
      refusedValues.withLock { $0[path] = (value, time) }
      if before?.value != value { logRefusal(fault) }
    }
  }

  /// Checks the graph anew with the other machine's settings: the text that runs, whatever its file holds by now.
  private func begin(_ sight: PairSight) {
    let before = router.scenes.now
    let source = changes.overrides.source
    let reading = changes.restore(
      sight.state.settings.map { Override(target: $0.path, value: $0.value) }, in: sight.state.scene
    ) { Checker.complete.check(source, overrides: $0) }
    guard let graph = reading.checked.graph else { return logRefusal(ControlError(reading.checked)) }
    do throws(ControlError) { try changes.change(to: graph) } catch { return logRefusal(error) }
    changes.keep(before)
  }

  private func followCue(_ sight: PairSight) {
    guard !changes.graph.cues.isEmpty else { return }
    let cue = sight.state.cue.flatMap(CueNumber.init)
    let now = router.cues.now
    let isSame = now?.cue?.number == cue && (now?.left == nil) == (sight.moment.cueLeft == nil)
    if isSame, abs((now?.left ?? 0) - (sight.moment.cueLeft ?? 0)) < PairLink.pause { return }
    router.cues.adopt(at: cue, left: sight.moment.cueLeft, in: changes.graph)
  }

  /// Brings a player to the other machine's position; returns whether it was there.
  private func followPlayer(_ id: String, _ player: Player, to kept: ShowState.Position, _ sight: PairSight)
    -> Bool
  {
    let now = player.snapshot
    guard !now.isInterrupted, now.tracks > 0 else { return true }
    let settings = now.settings.applying(kept.settings.map { ($0.path, $0.value) }).commands(
      since: now.settings)
    for command in settings { player.perform(command) }
    guard kept.track == now.track, kept.isPlaying == (now.isPlaying && !now.isOver) else {
      for command in kept.commands(for: now) where !settings.contains(command) { player.perform(command) }
      if kept.track == now.track, kept.isPlaying { seek(id, player, to: kept, sight) }
      return false
    }
    let moment = MonotonicClock.seconds
    let there = kept.time + (kept.isPlaying ? now.settings.rate * (moment - sight.time) : 0)
    let late = there - now.currentTime
    let frame = show.plan.map { 1 / $0.fps.perSecond } ?? 0
    // At the seam of a loop, one player is at the start and the other still at the end.
    if abs(late) <= frame + Self.offset || now.duration.map({ abs(late) > $0 - 1 }) == true { return true }
    // A seek takes time until it is heard.
    guard moment - (soughtAt[id] ?? -.infinity) > 1 else { return false }
    if soughtAt[id].map({ moment - $0 < 3 }) == true {
      seekDelays[id] = max(0, min(0.5, (seekDelays[id] ?? 0) + late))
    }
    seek(id, player, to: kept, sight)
    return false
  }

  /// Seeks to the position that the other machine's player has now, ahead by the measured delay of a seek.
  private func seek(_ id: String, _ player: Player, to kept: ShowState.Position, _ sight: PairSight) {
    let moment = MonotonicClock.seconds
    soughtAt[id] = moment
    let lead =
      kept.isPlaying ? player.snapshot.settings.rate * (moment - sight.time) + (seekDelays[id] ?? 0) : 0
    player.perform(.seek(kept.time + lead))
  }

  /// Logs why a command was refused.
  private var logRefusal: GraphChange.Refusal {
    { [log, other = link.options.other] fault in log.note("\(other): \(fault.description)", .warning) }
  }
}
