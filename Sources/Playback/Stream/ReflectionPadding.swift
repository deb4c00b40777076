/// One run of a playlist reader with what a filter must see beyond its edges, where another rate precedes or follows.
///
/// [one] A filter that is given nothing before and after a run hears a step there
/// and rings. Here the run goes on beyond its edges as its own reflection in its last point, without a step or a corner.
final class ReflectionPadding: SampleSource {
  let channels: Int
  var fault: AudioError? { reader.fault }
  /// Samples of reflection before the run; known after the first read.
  private(set) var lead = 0
  /// Samples of the run with those before it; nil as long as it is not over.
  private(set) var end: Int64?

  private let reader: PlaylistReader
  private let reach: Int
  private let room: PlanarBuffer
  /// How many samples at the beginning of `room` are still to be given, and from where on.
  private var next = 0
  private var ready = 0
  private var isFresh: Bool
  private var taken: Int64 = 0
  /// How many samples of the run `history` ends with.
  private var kept = 0
  private let history: PlanarBuffer
  private var tail = 0

  /// - Parameters:
  ///   - leads: how many samples of reflection precede the run; 0: it begins as it is.
  ///   - reach: how many samples a filter sees beyond the end.
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

  /// Reads the beginning of the run and puts its reflection before it.
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

  /// Keeps the last samples of the run at the end of `history`.
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
