import Synchronization

/// What an emitter tells of its particles, by channel: written after every frame of theirs, read by any thread.
final class SceneCounts: @unchecked Sendable {
  private struct Channel: ~Copyable {
    let live = Atomic<Int>(0)
    let births = Atomic<Int>(0)
    let dropped = Atomic<Int>(0)
    let limit = Atomic<Int>(0)
  }

  private let channels: UnsafeMutableBufferPointer<Channel>

  init(channels count: Int) {
    channels = .allocate(capacity: count)
    for index in 0..<count { channels.initializeElement(at: index, to: Channel()) }
  }

  deinit {
    channels.deinitialize()
    channels.deallocate()
  }

  /// Notes a frame of a channel; of births without a place no more than four billion are counted a frame, so that
  /// sums of them fit into a number whatever a graph asks for. [scene]
  func note(_ channel: Int, live: Int, births: Int, dropped: UInt64, limit: Int) {
    channels[channel].limit.store(limit, ordering: .relaxed)
    channels[channel].live.store(live, ordering: .relaxed)
    channels[channel].births.store(births, ordering: .relaxed)
    channels[channel].dropped.add(Int(min(dropped, 1 << 32)), ordering: .relaxed)
  }

  /// Particles alive.
  func live(_ channel: Int) -> Int { channels[channel].live.load(ordering: .relaxed) }
  /// Particles alive, by channel.
  var all: [Int] { channels.indices.map(live) }
  /// Particles born in the last frame.
  func births(_ channel: Int) -> Int { channels[channel].births.load(ordering: .relaxed) }
  /// The most that may be alive, as of the last frame.
  func limit(_ channel: Int) -> Int { channels[channel].limit.load(ordering: .relaxed) }
  /// Births that the limit did not allow since the last time somebody asked. [control]
  func takeDropped() -> [Int] {
    channels.indices.map { channels[$0].dropped.exchange(0, ordering: .relaxed) }
  }
}
