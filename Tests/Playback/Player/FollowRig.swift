import Realtime
import Synchronization
import System
import TestSupport

@testable import Playback

/// The worker of a player that follows a transport which rolls; a test makes its steps, and the cycles between them.
final class FollowRig {
  /// What happens while a file is opened.
  final class Opening: @unchecked Sendable {
    var action: () -> Void = {}
  }

  let transport = HostTransport()
  let opening = Opening()
  private let crossfade = CrossfadeBuffer(channels: 1, minimumCapacity: 0, fade: 480)
  private let worker: PlayerWorker
  private let hand: SteppedReader
  /// All samples rendered so far.
  private(set) var recorded: [Float] = []

  /// Makes a player of one file, and a transport that rolls from a sample on.
  init(_ path: String, from sample: Int64) {
    transport.shared.pointee.note(.rolling, at: sample)
    var settings = PlayerSettings()
    settings.transport = .follow
    let follower = TransportFollower(transport)
    var state = PlayerState(
      Playlist([path], settings), follower: follower, crossfade: crossfade, hostRate: 48_000)
    state.jump(to: PlaylistPosition())
    worker = PlayerWorker(
      crossfade: crossfade, hostRate: 48_000, isRealTime: false, follower: follower, state: Locked(state),
      timing: nil
    ) { [opening] path throws(AudioError) in
      opening.action()
      return try openAudio(path)
    }
    hand = SteppedReader(crossfade, follows: transport.shared)
  }

  /// Does a step of the worker.
  func step() { _ = worker.step() }

  /// Renders a cycle, with which the transport goes on.
  func render(_ count: Int) {
    hand.render(count)
    recorded += UnsafeBufferPointer(start: hand.buffers[0], count: count)
    let sample = transport.shared.pointee.sample.load(ordering: .relaxed)
    transport.shared.pointee.note(.rolling, at: sample + Int64(count))
  }
}
