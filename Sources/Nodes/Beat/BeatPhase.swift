/// The count of beats that a beat node outputs, where its bars begin, and the phases in the beat and in the bar.
/// [frame]
///
/// The count and the tracker's own beats differ: `multiply` changes the factor between them, and the count goes on when a
/// new grid begins.
struct BeatPhase {
  /// The count of beats at the end of the last frame, and that end in samples of the timeline; nil without a grid.
  var last: (count: Double, sample: Int64)?
  /// The count of beats was `base` when the tracker's own count was `from`.
  private var base = 0.0
  private var from = 0.0
  /// The number of beats counted for one beat of the tracker: 0.25…4.
  private(set) var factor = 1.0
  /// The value that `factor` takes with the next beat.
  private var nextFactor = 1.0
  /// The count at a downbeat, the first beat of a bar.
  private var downbeat = 0.0
  /// Beats in a bar.
  var barLength = 4.0
  /// The probability that `downbeat` is right, 0…1.
  var barConfidence = 0.0
  /// Whether an event has set `downbeat`.
  private(set) var isByHand = false

  /// Returns the phase in the beat at a count of beats, 0 ≤ phase < 1.
  func inBeat(_ count: Double) -> Double { count - count.rounded(.down) }

  /// Returns the phase in the bar at a count of beats, 0 ≤ phase < 1.
  func inBar(_ count: Double) -> Double {
    let bars = (count - downbeat) / barLength
    return bars - bars.rounded(.down)
  }

  /// Whether a bar begins with a beat, given by its count.
  func isDownbeat(_ beat: Double) -> Bool { inBar(beat) == 0 }

  /// Whether each counted beat is one of the tracker's. After an odd number of doubled beats, the counted beats lie
  /// between them.
  var countsTrackedBeats: Bool { factor == 1 && from == from.rounded() }

  /// Returns the count of beats when the tracker has counted `beats`.
  func count(of beats: Double) -> Double { base + (beats - from) * factor }

  /// Returns the count of beats at the end of a frame, when the tracker has counted `beats`. It never goes back.
  mutating func advance(to beats: Double) -> Double {
    if last == nil {
      // A new grid: the count goes on with the next whole beat.
      (base, from, factor) = (base.rounded(.up), beats.rounded(.down), nextFactor)
      (downbeat, isByHand, barConfidence) = (base, false, 0)
    }
    var count = count(of: beats)
    if nextFactor != factor, let last, count.rounded(.down) > last.count.rounded(.down) {
      let beat = count.rounded(.down)
      let start = from + (beat - base) / factor
      (base, from, factor) = (beat, start, nextFactor)
      downbeat = beat
      count = self.count(of: beats)
    }
    // The count must not go back: a grid that slows down, or a smaller `nudge`, may put it before the last one.
    return max(count, last?.count ?? count)
  }

  /// Doubles (`change` 2) or halves (0.5) the tempo with the next beat.
  mutating func multiply(by change: Double) { nextFactor = max(0.25, min(4, factor * change)) }

  /// Counts each beat of the tracker once.
  mutating func forgetFactor() { (factor, nextFactor) = (1, 1) }

  /// Sets the downbeat to a beat of the tracker's count, where `countsTrackedBeats`.
  mutating func setDownbeat(tracked beat: Double) { downbeat = base + beat - from }

  /// Sets the downbeat by hand, to the beat nearest to the end of the last frame.
  mutating func setDownbeat() {
    guard let last else { return }
    downbeat = last.count.rounded()
    isByHand = true
  }
}
