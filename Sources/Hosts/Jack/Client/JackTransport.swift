import CJack
import Graphs
import Realtime
import Synchronization
import System

/// How the callback follows the server's transport. [audio]
extension JackCallback {
  /// Says in the words of the players where the transport is in this cycle; before the cycle is run. [audio]
  @_noLocks
  borrowing func noteTransport() {
    // Where nobody follows the library need not be asked, and a later follower should not find what is long past.
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
    // Beside those four there are one that rolls and was never used, and one that waits for machines of a network.
    switch state {
    case 0: transport.pointee.note(.stopped, at: frame)
    case 1, 2: transport.pointee.note(.rolling, at: frame)
    default: transport.pointee.note(.starting, at: frame)
    }
  }

  /// Whether the transport may roll from a place, as far as the followers are concerned; asked in each cycle until it
  /// may. [audio]
  @_noLocks
  borrowing func mayRoll(from frame: Int64) -> Bool {
    transport.pointee.wanted.store(frame, ordering: .releasing)
    guard isOpen.load(ordering: .relaxed), !transport.pointee.isReady(for: frame) else {
      patience.forget()
      return true
    }
    if patience.lasts(at: frame) { return false }
    patience.forget()
    return true
  }

  /// The C face of `mayRoll`, for `jack_set_sync_callback`. [audio]
  static var sync: JackSyncCallback {
    { _, position, context in
      guard let position, let context else { return 1 }
      let callback = context.assumingMemoryBound(to: JackCallback.self)
      return callback.pointee.mayRoll(from: Int64(position.pointee.frame)) ? 1 : 0
    }
  }
}

extension JackClient {
  /// Lets the server's transport wait for us before it rolls, or not. [jack]
  func waitForFollowers(_ isFollowed: Bool) {
    guard isFollowed != isWaitedFor else { return }
    isWaitedFor = isFollowed
    // The same context both times: a cycle that runs now may still call.
    jack_set_sync_callback(handle, isFollowed ? JackCallback.sync : nil, callback)
  }

  /// Asks the server's transport for something. [any], under the host's gate.
  func lead(_ request: HostTransport.Request) {
    switch request {
    case .start: jack_transport_start(handle)
    case .stop: jack_transport_stop(handle)
    case .locate(let frame): jack_transport_locate(handle, UInt32(clamping: frame))
    }
  }
}
