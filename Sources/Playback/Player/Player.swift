import Glibc
public import Realtime
import Synchronization
import System

/// A player of a list of files, as AVAudioPlayer plays one: transport, loops, rate, volume, pan, without a click.
///
/// [any] The audio callback has a `CrossfadeReader` of its `crossfade` instead.
/// Live: `prime`, then `start`, and the player's own thread keeps the crossfade buffer full. Offline: `fill` before
/// each cycle.
public final class Player: Sendable {
  /// The end that the audio callback plays from.
  public let crossfade: CrossfadeBuffer

  /// Samples a second of the callback.
  public let hostRate: Int
  /// Whether it fills its sides on a thread of its own.
  public let isRealTime: Bool
  private let follower: TransportFollower?
  let state: Locked<PlayerState>
  private let worker: Locked<PlayerWorker>
  private let thread = Locked<DiskThread?>(nil)
  let opener: PlaylistReader.Opener

  /// Opens the first file that can be played.
  ///
  /// - Parameters:
  ///   - files: paths of audio files, at least one.
  ///   - settings: how it begins.
  ///   - channels: how many leave.
  ///   - hostRate: the rate of the callback, in Hz.
  ///   - isRealTime: whether it fills its sides on a thread of its own; else `fill` does.
  ///   - transport: what it follows or leads, where its settings say so.
  ///   - timing: how its turns are recorded or played back; nil: they are not.
  ///   - former: how a player stood that this one takes the place of, at another rate; it goes on where that one was.
  /// - Throws: `AudioError`, where no file can be played: that of the first.
  public convenience init(
    _ files: [String], settings: PlayerSettings = PlayerSettings(), channels: Int, hostRate: Int,
    isRealTime: Bool, transport: HostTransport, replacing former: PlayerHandover? = nil,
    timing: PlayerTiming? = nil
  ) throws(AudioError) {
    try self.init(
      files, settings: settings, channels: channels, hostRate: hostRate, isRealTime: isRealTime,
      transport: transport, replacing: former, timing: timing,
      open: { path throws(AudioError) in try openAudio(path) })
  }

  init(
    _ files: [String], settings: PlayerSettings, channels: Int, hostRate: Int, isRealTime: Bool,
    transport: HostTransport, replacing former: PlayerHandover? = nil, timing: PlayerTiming? = nil,
    open: @escaping PlaylistReader.Opener
  ) throws(AudioError) {
    guard AudioFormat.rateRange.contains(hostRate) else {
      throw AudioError(.rate, path: files.first ?? "", reason: "the host runs at \(hostRate) Hz")
    }
    guard !files.isEmpty else { throw AudioError(.missing, path: "") }
    let channels = max(1, min(channels, AudioFormat.channelRange.upperBound))
    // Offline nothing can come too late: a short side stays in the cache.
    let depth = isRealTime ? min(hostRate, (8 << 20) / channels) : 0
    let crossfade = CrossfadeBuffer(channels: channels, minimumCapacity: depth, fade: hostRate / 100)
    self.crossfade = crossfade
    self.hostRate = hostRate
    self.isRealTime = isRealTime
    let follower = settings.transport == .own ? nil : TransportFollower(transport)
    self.follower = follower
    opener = open
    var playlist = former?.playlist ?? Playlist(files, settings)
    playlist.settings.transport = settings.transport
    var state = PlayerState(playlist, follower: follower, crossfade: crossfade, hostRate: hostRate)
    state.perform(.volume(playlist.settings.volume, fade: 0))
    state.perform(.pan(playlist.settings.pan))
    if let former { state.takeOver(former) } else { state.jump(to: PlaylistPosition(track: playlist.first)) }
    let shared = Locked(state)
    self.state = shared
    worker = Locked(
      PlayerWorker(
        crossfade: crossfade, hostRate: hostRate, isRealTime: isRealTime, follower: follower, state: shared,
        timing: timing, open: open))
    let hasSound = worker.withLock { worker in
      _ = worker.begin()
      return worker.hasSound
    }
    // What it takes over may rest, or be over; whether its files can still be played it finds out by playing them.
    if let former {
      if former.isPlaying { shared.withLock { $0.play() } }
      return
    }
    guard hasSound else {
      throw shared.withLock { $0.firstSkipped } ?? AudioError(.missing, path: files[0])
    }
    // The transport of a host decides for itself whether it rolls.
    if settings.plays { shared.withLock { $0.play() } }
  }

  deinit { stopThread() }

  // MARK: - Commands and facts

  /// How it stands, for another that takes its place.
  public var handover: PlayerHandover { state.withLock { $0.handover } }

  /// Takes a command; it acts at once, and never waits for a disk.
  public func perform(_ command: PlayerCommand) {
    state.withLock { $0.perform(command) }
    thread.withLock { $0 }?.wake()
  }

  /// Takes a command whose file is open; it acts at once.
  public func perform(_ opened: OpenedCommand) {
    state.withLock { $0.perform(opened) }
    thread.withLock { $0 }?.wake()
  }

  /// What a command comes to as the player stands now, said so that it comes to the same whenever it is asked for in a
  /// played-back show: a place in the place of a way, for one.
  public func resolved(_ command: PlayerCommand) -> [PlayerCommand] {
    state.withLock { $0.resolved(command) }
  }

  /// Lets a player of a played-back show be heard as it was asked to, as it was when that was recorded. Decodes what that
  /// takes.
  public func take(_ turn: PlayerTurn) { worker.withLock { $0.take(turn) } }

  /// The server of the callback went away.
  public func interruptionBegan() {
    state.withLock { state in
      guard !state.isInterrupted else { return }
      state.isInterrupted = true
      state.catchUp()
      state.log.report(.interruptionBegan)
    }
  }

  /// The server is back: playing goes on where it was, along a ramp.
  public func interruptionEnded() {
    state.withLock { state in
      guard state.isInterrupted else { return }
      state.isInterrupted = false
      state.catchUp()
      crossfade.beginAgain()
      state.log.report(.interruptionEnded)
    }
  }

  /// What has happened after the event of a number, oldest first; each with its number, from 1. The last 256 are kept.
  public func events(after number: Int) -> [(number: Int, event: PlayerEvent)] {
    state.withLock { state in
      state.catchUp()
      return state.log.after(number)
    }
  }

  /// The files of the list, in their own order.
  public var files: [String] { state.withLock { $0.playlist.files } }

  /// The tracks that follow the one that is heard, in the order in which they are played, by chance or not; at most so
  /// many, and none where the one is repeated.
  public func coming(_ most: Int) -> [Int] {
    state.withLock { state in
      let track = state.snapshot.track
      guard state.playlist.settings.again != .one else { return [] }
      var coming: [Int] = []
      while coming.count < most, let next = state.playlist.track(1, after: coming.last ?? track) {
        coming.append(next)
      }
      return coming
    }
  }

  /// How it stands now.
  public var snapshot: PlayerSnapshot { state.withLock { $0.snapshot } }

  /// The picture of a file, or of the track that is heard where none is named. Opens it, and waits for its disk.
  public func cover(of path: String? = nil) -> CoverPicture? {
    let path = path ?? state.withLock { $0.playlist.path($0.here.track) }
    return (try? opener(path))?.cover()
  }

  // MARK: - Delivering samples

  /// Has everything ready for the first cycle; returns when it is so.
  public func prime() {
    worker.withLock { worker in
      while !worker.isReady { if worker.step() != .more { break } }
    }
  }

  /// Starts the thread that keeps the crossfade buffer full; a second call does nothing.
  ///
  /// - Returns: false if the system gives no thread.
  @discardableResult
  public func start() -> Bool {
    thread.withLock { thread in
      guard thread == nil else { return true }
      let eighth = max(5_000_000, Int64(crossfade.capacity) * 1_000_000_000 / Int64(hostRate) / 8)
      // Who follows sees within 5 ms where the transport wants to be.
      let rest = follower == nil ? eighth : 5_000_000
      thread = DiskThread { [worker, crossfade] in
        // Kept alive by the capture: the work writes into the crossfade buffer.
        withExtendedLifetime(crossfade) {
          switch worker.withLock({ $0.step() }) {
          case .more: 0
          case .soon: 2_000_000
          case .nothing: rest
          }
        }
      }
      return thread != nil
    }
  }

  /// Ends the thread once the block in hand is decoded; what is in the crossfade buffer stays there.
  public func stopThread() {
    // Joined outside the lock, so that nobody who wakes it has to wait.
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.stop()
  }

  /// Delivers what the next cycle needs, for a host that has no cycle to miss.
  ///
  /// Afterwards `Cycle.longestSegment` samples, or the rest of what is played, are there; of a player with a thread of
  /// its own only where its disk does not take longer than half a second.
  public func fill() {
    guard let running = thread.withLock({ $0 }) else {
      return worker.withLock { worker in
        guard !worker.isReady else { return }
        while worker.step() == .more {}
      }
    }
    for _ in 0..<500 where !isSupplied {
      running.wake()
      usleep(1000)
    }
  }

  /// Whether what is heard next is there, as far as that can be known without waiting for a disk.
  private var isSupplied: Bool {
    state.withLock { state in
      guard state.wanted == nil, let heard = crossfade.heard else { return state.wanted == nil }
      let side = crossfade.side(heard.side)
      return side.end != nil || side.filled >= crossfade.enough
    }
  }

  /// Where what is played ends, in samples of its generation; nil as long as that is not decoded.
  public var end: Int64? {
    state.withLock { state in state.isPlaying || state.isOver || isRealTime ? state.timelines.last?.end : 0 }
  }

  /// How many files could not be played, or broke off, as far as that has been heard.
  public var errors: Int {
    state.withLock { state in
      state.catchUp()
      return state.errors
    }
  }

  /// Whether all that was to be played broke off before its first sample.
  public var gaveNothing: Bool { state.withLock { $0.brokenAtOnce != nil } }

  /// Whether what was heard last broke off before its end.
  public var hasBrokenOff: Bool { state.withLock { $0.timelines.first?.endedBy != nil } }
}
