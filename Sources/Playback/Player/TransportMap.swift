import Realtime
import Synchronization

/// Where in a list a place of the host's transport is: its beginning is the first track's, at rate 1.
///
/// [one] Looks at files once each.
struct TransportMap {
  private let hostRate: Int
  private let open: PlaylistReader.Opener
  private var files: [String: (rate: Int, frames: Int64)] = [:]

  init(hostRate: Int, open: @escaping PlaylistReader.Opener) {
    self.hostRate = hostRate
    self.open = open
  }

  /// The place of a list at a sample of the transport; nil beyond the end.
  mutating func place(at sample: Int64, in playlist: Playlist) -> PlaylistPosition? {
    let order = playlist.settings.again == .one ? Array(playlist.order.prefix(1)) : playlist.order
    var total: Int64 = 0
    if let place = find(max(0, sample), in: order, playlist, total: &total) { return place }
    guard total > 0 else { return nil }
    let plays = max(0, sample) / total
    guard playlist.settings.again != .off || !playlist.settings.loop.isOver(after: Int(plays)) else {
      return nil
    }
    var place = find(max(0, sample) % total, in: order, playlist, total: &total)
    place?.plays = Int(plays)
    return place
  }

  /// The sample of the transport where a place is heard for the first time.
  mutating func sample(of place: PlaylistPosition, in playlist: Playlist) -> Int64 {
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

  /// The longest that a track is believed to be, in samples of the host: years, and the longest list adds up.
  private static var longest: Int64 { 1 << 45 }

  /// In samples of the host; 0 of a file that cannot be opened or does not say.
  private mutating func length(of path: String) -> Int64 {
    let file = fileInfo(of: path)
    return min(Self.longest, Resampler.length(of: file.frames, from: file.rate, to: hostRate))
  }

  private mutating func fileInfo(of path: String) -> (rate: Int, frames: Int64) {
    if let known = files[path] { return known }
    let format = (try? open(path))?.format
    let file = (rate: format?.rate ?? hostRate, frames: min(format?.frames ?? 0, 1 << 50))
    if files.count > 20_000 { files.removeAll() }
    files[path] = file
    return file
  }
}

/// A player's place among those that follow the host's transport.
///
/// [any] Gives the place back when it goes.
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

  /// Whether it rolls, or will.
  var rolls: Bool { transport.rolls }

  /// The place that followers should be ready for, in samples.
  var wanted: Int64 { transport.shared.pointee.wanted.load(ordering: .acquiring) }

  /// Says that it is ready to roll from a place.
  func isReady(for place: Int64) {
    if let slot { transport.shared.pointee.ready[slot].store(place, ordering: .releasing) }
  }

  /// Whether anybody can ask the transport for something.
  var canAsk: Bool { transport.lead != nil }

  /// Asks the transport for something, for a player that leads it.
  func ask(_ request: HostTransport.Request) { transport.ask(request) }
}
