import Glibc
public import Realtime
import Synchronization
import System

/// Plays a list of files, with the functions of AVAudioPlayer: transport, loops, rate, volume and pan, without clicks.
/// [any]
///
/// The audio callback does not use it, but a `CrossfadeReader` of its `crossfade`. Live: call `prime`, then `start`,
/// and the player's own thread keeps the crossfade buffer full. Offline: call `fill` before each cycle.
public final class Player: Sendable {
  /// The buffer from which the audio callback plays.
  public let crossfade: CrossfadeBuffer

  /// The sample rate of the callback, in Hz.
  public let hostRate: Int
  /// Whether a thread of its own fills the sides.
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
  ///   - settings: its settings at the start.
  ///   - channels: its output channels.
  ///   - hostRate: the sample rate of the callback, in Hz.
  ///   - isRealTime: whether a thread of its own fills the sides; otherwise `fill` does.
  ///   - transport: the host's transport, which it follows or leads if its settings say so.
  ///   - timing: records or plays back its turns; nil: neither.
  ///   - former: the state of a player that this one replaces at another rate, and continues.
  /// - Throws: `AudioError` if no file can be played: that of the first.
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
    // Offline nothing can be late, so a short side is enough and stays in the cache.
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
    // The former player may rest or be over; whether its files can still be played shows when they are played.
    if let former {
      if former.isPlaying { shared.withLock { $0.play() } }
      return
    }
    guard hasSound else {
      throw shared.withLock { $0.firstSkipped } ?? AudioError(.missing, path: files[0])
    }
    // The host's transport decides itself whether it rolls.
    if settings.plays { shared.withLock { $0.play() } }
  }

  deinit { stopThread() }

  // MARK: - Commands and facts

  /// Its state, for a player that replaces it.
  public var handover: PlayerHandover { state.withLock { $0.handover } }

  /// Carries out a command at once, without waiting for a disk.
  public func perform(_ command: PlayerCommand) {
    state.withLock { $0.perform(command) }
    thread.withLock { $0 }?.wake()
  }

  /// Carries out a command whose file is open, at once.
  public func perform(_ opened: OpenedCommand) {
    state.withLock { $0.perform(opened) }
    thread.withLock { $0 }?.wake()
  }

  /// The commands that have the same effect in the current state but do not depend on it, for a control score: a seek
  /// to a time instead of a skip, for example.
  public func resolved(_ command: PlayerCommand) -> [PlayerCommand] {
    state.withLock { $0.resolved(command) }
  }

  /// Plays back a turn of a recorded show: prepares what the player was asked for, and lets it be heard as it was
  /// then. Decodes what that takes.
  public func take(_ turn: PlayerTurn) { worker.withLock { $0.take(turn) } }

  /// The audio server is gone.
  public func interruptionBegan() {
    state.withLock { state in
      guard !state.isInterrupted else { return }
      state.isInterrupted = true
      state.catchUp()
      state.log.report(.interruptionBegan)
    }
  }

  /// The audio server is back: playing goes on where it was, with a fade-in.
  public func interruptionEnded() {
    state.withLock { state in
      guard state.isInterrupted else { return }
      state.isInterrupted = false
      state.catchUp()
      crossfade.beginAgain()
      state.log.report(.interruptionEnded)
    }
  }

  /// The events after the one of a number, oldest first, each with its number from 1. The last 256 are kept.
  public func events(after number: Int) -> [(number: Int, event: PlayerEvent)] {
    state.withLock { state in
      state.catchUp()
      return state.log.after(number)
    }
  }

  /// The files in the order of the list.
  public var files: [String] { state.withLock { $0.playlist.files } }

  /// At most so many tracks that follow the one that is heard, in playing order; none if that one is repeated.
  public func coming(_ most: Int) -> [Int] {
    state.withLock { state in
      let track = state.snapshot.track
      guard state.playlist.settings.repeatMode != .one else { return [] }
      var coming: [Int] = []
      while coming.count < most, let next = state.playlist.track(1, after: coming.last ?? track) {
        coming.append(next)
      }
      return coming
    }
  }

  /// Its current state.
  public var snapshot: PlayerSnapshot { state.withLock { $0.snapshot } }

  /// The cover picture of a file; of the track that is heard if `path` is nil. Opens the file and waits for its disk.
  public func cover(of path: String? = nil) -> CoverPicture? {
    let path = path ?? state.withLock { $0.playlist.path($0.here.track) }
    return (try? opener(path))?.cover()
  }

  // MARK: - Delivering samples

  /// Prepares everything for the first cycle, and returns when it is ready.
  public func prime() {
    worker.withLock { worker in
      while !worker.isReady { if worker.step() != .more { break } }
    }
  }

  /// Starts the thread that keeps the crossfade buffer full; does nothing if it runs.
  ///
  /// - Returns: false if the system cannot create a thread.
  @discardableResult
  public func start() -> Bool {
    thread.withLock { thread in
      guard thread == nil else { return true }
      let eighth = max(5_000_000, Int64(crossfade.capacity) * 1_000_000_000 / Int64(hostRate) / 8)
      // A follower notices within 5 ms where the transport wants to be.
      let rest = follower == nil ? eighth : 5_000_000
      thread = DiskThread { [worker, crossfade] in
        // The capture keeps the crossfade buffer alive, into which the work writes.
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

  /// Ends the thread after the block that it decodes; the crossfade buffer keeps its contents.
  public func stopThread() {
    // Joins outside the lock, so that a thread that wakes it does not have to wait.
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.stop()
  }

  /// Fills the buffer for the next cycle, for a host that has no deadline.
  ///
  /// Afterwards there are `Cycle.longestSegment` samples, or the rest of what is played. A player with a thread of its
  /// own waits at most half a second for its disk.
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

  /// Whether the samples that are heard next are there, as far as known without waiting for a disk.
  private var isSupplied: Bool {
    state.withLock { state in
      guard state.wanted == nil, let heard = crossfade.heard else { return state.wanted == nil }
      let side = crossfade.side(heard.side)
      return side.end != nil || side.filled >= crossfade.enough
    }
  }

  /// The end of what is played, in samples of its generation; nil while it is not decoded.
  public var end: Int64? {
    state.withLock { state in state.isPlaying || state.isOver || isRealTime ? state.timelines.last?.end : 0 }
  }

  /// Number of files that could not be played or broke off, as far as that has been heard.
  public var errors: Int {
    state.withLock { state in
      state.catchUp()
      return state.errors
    }
  }

  /// Whether everything broke off before its first sample.
  public var gaveNothing: Bool { state.withLock { $0.brokenAtOnce != nil } }

  /// Whether what was heard last broke off before its end.
  public var hasBrokenOff: Bool { state.withLock { $0.timelines.first?.endedBy != nil } }
}
