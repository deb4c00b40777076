import Realtime
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// A player whose crossfade reader a test calls, in cycles of any size, on its own thread.
final class PlayerRig {
  let player: Player
  let transport: HostTransport
  private let hand: SteppedReader
  /// All samples played so far, channel by channel.
  private(set) var recorded: [[Float]]

  init(
    _ files: [String], settings: PlayerSettings = PlayerSettings(), channels: Int = 1, rate: Int = 48000,
    isRealTime: Bool = false, transport: HostTransport = HostTransport(),
    open: @escaping PlaylistReader.Opener = { path throws(AudioError) in try openAudio(path) }
  ) throws {
    self.transport = transport
    player = try Player(
      files, settings: settings, channels: channels, hostRate: rate, isRealTime: isRealTime,
      transport: transport,
      open: open)
    hand = SteppedReader(player.crossfade, follows: settings.transport == .own ? nil : transport.shared)
    recorded = Array(repeating: [], count: channels)
    player.prime()
  }

  deinit { player.stopThread() }

  /// Samples of the timeline so far.
  var sample: Int64 { hand.sample }

  /// Renders `count` samples in cycles of at most `size`. Returns those of each channel.
  @discardableResult
  func play(_ count: Int, by size: Int = 256, streams: Bool = true) -> [[Float]] {
    let before = recorded[0].count
    var left = count
    while left > 0 {
      if streams { player.fill() }
      let n = min(size, left)
      hand.render(n)
      if transport.shared.pointee.state.load(ordering: .relaxed) == HostTransportShared.State.rolling.rawValue
      {
        _ = transport.shared.pointee.sample.wrappingAdd(Int64(n), ordering: .relaxed)
      }
      left -= n
      for channel in recorded.indices {
        recorded[channel] += UnsafeBufferPointer(start: hand.buffers[channel], count: n)
      }
    }
    return recorded.map { Array($0[before...]) }
  }

  /// The report of the reader for the frame.
  func finish() -> (isSounding: Bool, endings: UInt32) { hand.reader.pointee.finish() }
}
