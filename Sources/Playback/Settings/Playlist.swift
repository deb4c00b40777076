import System

/// What is to be played: everything besides the place that decides the samples of a generation.
struct Playlist: Equatable, Sendable {
  /// The list, in its own order.
  var files: [String]
  /// The tracks in the order in which they are played, by their place in the list.
  private(set) var order: [Int]
  /// The step of the order at which each track is played.
  private var steps: [Int]
  /// How it is to be played.
  var settings: PlayerSettings

  init(_ files: [String], _ settings: PlayerSettings) {
    self.files = files
    order = []
    steps = []
    self.settings = settings
    self.settings.section = settings.section.flatMap(Self.section)
    let usual = PlayerSettings()
    self.settings.rate = PlayerParameters.rate.clamped(settings.rate) ?? usual.rate
    self.settings.volume = PlayerParameters.volume.clamped(settings.volume) ?? usual.volume
    self.settings.pan = PlayerParameters.pan.clamped(settings.pan) ?? usual.pan
    arrange(first: nil)
  }

  /// Puts the tracks in order; with a track that is heard, by chance, that one comes first.
  mutating func arrange(first: Int?) {
    order = Array(files.indices)
    steps = order
    guard let seed = settings.shuffle else { return }
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
    if settings.again == .one && !leaves { return PlaylistPosition(track: place.track, plays: place.plays) }
    if let next = track(1, after: place.track) { return PlaylistPosition(track: next, plays: place.plays) }
    let plays = place.plays + 1
    return settings.again == .all || !settings.loop.isOver(after: plays)
      ? PlaylistPosition(track: first, plays: plays) : nil
  }

  /// A section that begins at 0 or later and lasts at least 20 ms; nil for what is none.
  static func section(_ section: ClosedRange<Double>) -> ClosedRange<Double>? {
    guard section.lowerBound.isFinite, section.upperBound > 0 else { return nil }
    let begin = max(0, section.lowerBound)
    return begin...max(begin + 0.02, section.upperBound)
  }
}
