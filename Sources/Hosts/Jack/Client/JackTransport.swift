import CJack
import Graphs
import Realtime
import Synchronization
import System

/// The callback's part in following the server's transport. [audio]
extension JackCallback {
  /// Notes for the players where the transport is in this cycle, before the cycle is run. [audio]
  @_noLocks
  borrowing func noteTransport() {
    // If nothing follows the transport, libjack is not asked. The position is cleared, so that a later follower finds
    // no outdated one.
    guard transport.pointee.isFollowed || transport.pointee.listeners.load(ordering: .relaxed) > 0 else {
      transport.pointee.noteNone()
      return
    }
    var frame: Int64 = 0
    var time = vg_jack_time()
    let state = vg_jack_transport_time(client, &frame, &time)
    transport.pointee.note(
      TransportTime(
        beats: time.beats, barBeats: time.bar_beats, beatsPerBar: time.beats_per_bar, tempo: time.tempo,
        ticksPerBeat: time.ticks_per_beat))
    // A start that was taken back must not shorten the wait of the next one.
    if state < 3 { syncTimeout.forget() }
    // JACK's states: 0 stopped, 1 rolling, 2 looping (rolls, and is obsolete), 3 starting, 4 starting on a network.
    switch state {
    case 0: transport.pointee.note(.stopped, at: frame)
    case 1, 2: transport.pointee.note(.rolling, at: frame)
    default: transport.pointee.note(.starting, at: frame)
    }
  }

  /// Whether the transport may roll from a position, in samples: followers are ready, or their timeout is over. JACK
  /// calls it in each cycle until it returns true. [audio]
  @_noLocks
  borrowing func mayRoll(from frame: Int64) -> Bool {
    transport.pointee.wanted.store(frame, ordering: .releasing)
    guard isOpen.load(ordering: .relaxed), !transport.pointee.isReady(for: frame) else {
      syncTimeout.forget()
      return true
    }
    if syncTimeout.lasts(at: frame) { return false }
    syncTimeout.forget()
    return true
  }

  /// `mayRoll` as a C function, for `jack_set_sync_callback`. [audio]
  static var sync: JackSyncCallback {
    { _, position, context in
      guard let position, let context else { return 1 }
      let callback = context.assumingMemoryBound(to: JackCallback.self)
      return callback.pointee.mayRoll(from: Int64(position.pointee.frame)) ? 1 : 0
    }
  }
}

extension JackClient {
  /// Makes the server's transport wait for this client before it rolls, or not. [jack]
  func waitForFollowers(_ isFollowed: Bool) {
    guard isFollowed != isWaitedFor else { return }
    isWaitedFor = isFollowed
    // The context stays the same, because a cycle that runs now may still call the function.
    jack_set_sync_callback(handle, isFollowed ? JackCallback.sync : nil, callback)
  }

  /// Sends a request to the server's transport. [any], under the host's gate.
  func lead(_ request: HostTransport.Request) {
    switch request {
    case .start: jack_transport_start(handle)
    case .stop: jack_transport_stop(handle)
    case .locate(let frame): jack_transport_locate(handle, UInt32(clamping: frame))
    }
  }
}
