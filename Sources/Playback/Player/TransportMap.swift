import Realtime
import Synchronization

/// Maps places of the host's transport to places of a playlist: the transport's beginning is that of the first track,
/// at rate 1. [one]
///
/// It opens each file once for its length, and again where the file has changed; one that cannot be opened, each time.
struct TransportMap {
  /// What is known of a file.
  private struct File {
    /// nil for a track of a CUE sheet, whose path is none of a file.
    let identity: FileIdentity?
    let rate: Int
    let frames: Int64
  }

  private let hostRate: Int
  private let open: PlaylistReader.Opener
  private var files: [String: File] = [:]
  /// The files that could not be opened for the last answer; none is tried twice for one.
  private var refused: Set<String> = []

  init(hostRate: Int, open: @escaping PlaylistReader.Opener) {
    self.hostRate = hostRate
    self.open = open
  }

  /// The place of the playlist at a sample of the transport; nil beyond the end.
  mutating func place(at sample: Int64, in playlist: Playlist) -> PlaylistPosition? {
    refused.removeAll()
    let order = playlist.settings.repeatMode == .one ? Array(playlist.order.prefix(1)) : playlist.order
    var total: Int64 = 0
    if let place = find(max(0, sample), in: order, playlist, total: &total) { return place }
    guard total > 0 else { return nil }
    let plays = max(0, sample) / total
    guard playlist.settings.repeatMode != .off || !playlist.settings.loop.isOver(after: Int(plays)) else {
      return nil
    }
    var place = find(max(0, sample) % total, in: order, playlist, total: &total)
    place?.plays = Int(plays)
    return place
  }

  /// The first sample of the transport at which a place is heard.
  mutating func sample(of place: PlaylistPosition, in playlist: Playlist) -> Int64 {
    refused.removeAll()
    var sample: Int64 = 0
    for track in playlist.order where track != place.track {
      sample += length(of: playlist.path(track))
      if playlist.track(1, after: track) == place.track { break }
    }
    if playlist.first == place.track { sample = 0 }
    let file = fileInfo(of: playlist.path(place.track))
    let frame = place.sample(rate: file.rate, beginning: 0)
    return sample + Resampler.length(of: frame, from: file.rate, to: hostRate)
  }

  private mutating func find(
    _ sample: Int64, in order: [Int], _ playlist: Playlist, total: inout Int64
  ) -> PlaylistPosition? {
    total = 0
    for track in order {
      let path = playlist.path(track)
      let length = length(of: path)
      if sample < total + length {
        let frame = Double(sample - total) * Double(fileInfo(of: path).rate) / Double(hostRate)
        return PlaylistPosition(track: track, offset: .sample(Int64(frame.rounded())))
      }
      total += length
    }
    return nil
  }

  /// The longest length of a track, in samples of the host: 2⁴⁵ are years, and the sum of the longest list still fits.
  private static var longest: Int64 { 1 << 45 }

  /// Length of a file in samples of the host; 0 if it cannot be opened or does not state it.
  private mutating func length(of path: String) -> Int64 {
    let file = fileInfo(of: path)
    return min(Self.longest, Resampler.length(of: file.frames, from: file.rate, to: hostRate))
  }

  private mutating func fileInfo(of path: String) -> (rate: Int, frames: Int64) {
    // Before it is opened: of a file that is replaced meanwhile the next answer has the new length.
    let identity = FileIdentity(path: path)
    if let known = files[path], known.identity == identity { return (known.rate, known.frames) }
    guard !refused.contains(path), let format = (try? open(path))?.format else {
      refused.insert(path)
      return (hostRate, 0)
    }
    let file = File(identity: identity, rate: format.rate, frames: min(format.frames ?? 0, 1 << 50))
    if files.count > 20_000 { files.removeAll() }
    files[path] = file
    return (file.rate, file.frames)
  }
}

/// The registration of a player as a follower of the host's transport; ends with this object. [any]
final class TransportFollower: Sendable {
  private let transport: HostTransport
  private let slot: Int?

  init(_ transport: HostTransport) {
    self.transport = transport
    slot = transport.shared.pointee.follow()
  }

  deinit { if let slot { transport.shared.pointee.leave(slot) } }

  /// Whether there is a transport to follow.
  var isThere: Bool {
    transport.shared.pointee.state.load(ordering: .acquiring) != HostTransportShared.State.none.rawValue
  }

  /// Whether the transport rolls in the running cycle.
  var isRolling: Bool {
    transport.shared.pointee.state.load(ordering: .acquiring) == HostTransportShared.State.rolling.rawValue
  }

  /// Number of times that the transport began to roll.
  var starts: UInt32 { transport.shared.pointee.starts.load(ordering: .acquiring) }

  /// Whether the transport rolls or is about to.
  var rolls: Bool { transport.rolls }

  /// The place, in samples, for which followers should be ready.
  var wanted: Int64 { transport.shared.pointee.wanted.load(ordering: .acquiring) }

  /// The place, in samples, at which the transport is in the running cycle.
  var sample: Int64 { transport.shared.pointee.sample.load(ordering: .acquiring) }

  /// The place from which the player should play: where the transport rolls, otherwise what it wants.
  var target: Int64 { isRolling ? sample : wanted }

  /// Reports that the player is ready to roll from a place; −1: it is not.
  func isReady(for place: Int64) {
    if let slot { transport.shared.pointee.ready[slot].store(place, ordering: .releasing) }
  }

  /// Whether the transport takes requests.
  var canAsk: Bool { transport.lead != nil }

  /// Sends a request to the transport, for a player that leads it.
  func ask(_ request: HostTransport.Request) { transport.ask(request) }
}
