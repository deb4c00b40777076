import System

/// What is to be played: everything besides the place that decides the samples of a generation.
struct Playlist: Equatable, Sendable {
  /// The list, in its own order.
  var files: [String]
  /// The tracks in the order in which they are played, by their place in the list.
  private(set) var order: [Int]
  /// The step of the order at which each track is played.
  private var steps: [Int]
  var loop: Loop
  var section: ClosedRange<Double>?
  /// Whether a section is played again and again; else once.
  var repeatsSection: Bool
  var again: PlayerCommand.RepeatMode
  var rate: Double
  var pitch: PlayerCommand.Pitch
  var assignments: [Int?]?
  var shuffle: UInt64?

  init(_ files: [String], _ settings: PlayerSettings) {
    self.files = files
    order = []
    steps = []
    loop = settings.loop
    section = settings.section.flatMap(Self.section)
    repeatsSection = settings.repeatsSection
    again = settings.again
    rate = Self.rate(settings.rate) ?? 1
    pitch = settings.pitch
    assignments = settings.assignments
    shuffle = settings.shuffle
    arrange(first: nil)
  }

  /// Puts the tracks in order; with a track that is heard, by chance, that one comes first.
  mutating func arrange(first: Int?) {
    order = Array(files.indices)
    steps = order
    guard let seed = shuffle else { return }
    var chance = RandomStream(seed: seed)
    for last in stride(from: order.count - 1, to: 0, by: -1) {
      order.swapAt(last, Int(chance.next() % UInt64(last + 1)))
    }
    if let first, let step = order.firstIndex(of: first) { order.swapAt(0, step) }
    for (step, track) in order.enumerated() { steps[track] = step }
  }

  /// The first track that is played.
  var first: Int { order.first ?? 0 }

  /// The file of a track.
  func path(_ track: Int) -> String { files.indices.contains(track) ? files[track] : "" }

  /// The track that is played so many steps after another; nil beyond the ends of the list.
  func track(_ steps: Int, after track: Int) -> Int? {
    guard self.steps.indices.contains(track) else { return order.first }
    let step = self.steps[track] + steps
    return order.indices.contains(step) ? order[step] : nil
  }

  /// What follows once a track has been played to its end; nil where all has been played.
  ///
  /// - Parameter leaves: whether the track cannot be played again.
  func next(after place: PlaylistPosition, leaves: Bool = false) -> PlaylistPosition? {
    if again == .one && !leaves { return PlaylistPosition(track: place.track, plays: place.plays) }
    if let next = track(1, after: place.track) { return PlaylistPosition(track: next, plays: place.plays) }
    let plays = place.plays + 1
    return again == .all || !loop.isOver(after: plays) ? PlaylistPosition(track: first, plays: plays) : nil
  }

  /// A rate within its range; nil for what is no number.
  static func rate(_ rate: Double) -> Double? { rate.isFinite ? max(0.5, min(2, rate)) : nil }

  /// A section that begins at 0 or later and lasts at least 20 ms; nil for what is none.
  static func section(_ section: ClosedRange<Double>) -> ClosedRange<Double>? {
    guard section.lowerBound.isFinite, section.upperBound > 0 else { return nil }
    let begin = max(0, section.lowerBound)
    return begin...max(begin + 0.02, section.upperBound)
  }
}

/// How often a file is played.
public enum Loop: Equatable, Sendable {
  /// So many times in all; 1 is once, and less than 1 counts as 1.
  case times(Int)
  /// Over and over until it is stopped.
  case forever

  /// Whether nothing follows once so many plays are done.
  func isOver(after plays: Int) -> Bool {
    switch self {
    case .times(let times): plays >= max(1, times)
    case .forever: false
    }
  }
}
