/// Extends a run of a playlist reader beyond its edges, where a run of another rate precedes or follows. [one]
///
/// A resampling filter that is given silence before and after a run hears a step there and rings. Here the signal is
/// extended by its point reflection in the first and the last sample (odd extension), which has neither a step nor a
/// corner.
final class ReflectionPadding: SampleSource {
  let channels: Int
  var fault: AudioError? { reader.fault }
  /// Samples per channel of the extension before the run.
  private(set) var lead = 0
  /// Samples of the run and of the extension before it; nil while the run goes on.
  private(set) var end: Int64?

  private let reader: PlaylistReader
  private let reach: Int
  private let room: PlanarBuffer
  /// The samples `next`…`ready` - 1 of `room` are still to be returned.
  private var next = 0
  private var ready = 0
  private var isFresh: Bool
  private var taken: Int64 = 0
  /// Valid samples at the end of `history`.
  private var kept = 0
  private let history: PlanarBuffer
  private var tail = 0

  /// - Parameters:
  ///   - leads: samples of the extension before the run; 0: none.
  ///   - reach: samples of the extension after the run, as many as a filter needs.
  init(_ reader: PlaylistReader, leads: Int, reach: Int) {
    self.reader = reader
    self.reach = reach
    channels = reader.channels
    lead = leads
    isFresh = leads > 0
    room = PlanarBuffer(channels: reader.channels, count: max(1, 2 * leads + 1))
    history = PlanarBuffer(channels: reader.channels, count: reach + 1)
  }

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    if isFresh { reflectBeginning() }
    var done = 0
    while done < count {
      let place = destination.dropFirst(done)
      if next < ready {
        let given = min(count - done, ready - next)
        room.copy(from: next, count: given, to: place)
        next += given
        done += given
      } else if end == nil {
        let given = reader.read(count - done, into: place)
        keep(place, given)
        taken += Int64(given)
        if given < count - done { endRun() }
        done += given
      } else if tail < reach, reader.followingRate != nil, kept > 0 {
        let given = min(count - done, reach - tail)
        for channel in 0..<channels {
          let from = history.samples[channel]
          let edge = 2 * from[reach]
          for i in 0..<given { place[channel][i] = edge - from[reach - min(tail + i + 1, kept - 1)] }
        }
        tail += given
        done += given
      } else {
        break
      }
    }
    return done
  }

  private func endRun() { end = Int64(lead) + taken }

  /// Reads the beginning of the run and writes its reflection before it.
  private func reflectBeginning() {
    isFresh = false
    let given = reader.read(lead + 1, into: room.samples.dropFirst(lead))
    keep(room.samples.dropFirst(lead), given)
    taken += Int64(given)
    if given < lead + 1 { endRun() }
    for channel in 0..<channels {
      let first = room.samples[channel] + lead
      for i in 1...lead { first[-i] = given > 0 ? 2 * first[0] - first[min(i, given - 1)] : 0 }
    }
    ready = lead + given
  }

  /// Appends samples of the run to `history`, which keeps the last `reach` + 1.
  private func keep(_ samples: PlanarSamples, _ count: Int) {
    let fresh = min(count, reach + 1)
    guard fresh > 0 else { return }
    for channel in 0..<channels {
      let to = history.samples[channel]
      to.update(from: to + fresh, count: reach + 1 - fresh)
      (to + (reach + 1 - fresh)).update(from: samples[channel] + (count - fresh), count: fresh)
    }
    kept = min(reach + 1, kept + fresh)
  }
}
