import System

/// The files and settings of a player: with the starting place, they determine all samples of a generation.
struct Playlist: Equatable, Sendable {
  /// The files in the order of the list.
  var files: [String]
  /// A number that grows each time that other files are loaded.
  private(set) var number = 0
  /// The indices of the tracks in playing order.
  private(set) var order: [Int]
  /// The step of each track in `order`.
  private var steps: [Int]
  /// The settings, clamped to their ranges.
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

  /// Replaces the files, in their order or shuffled anew.
  mutating func load(_ files: [String]) {
    self.files = files
    number += 1
    arrange(first: nil)
  }

  /// Sets the playing order. When shuffled, the track `first`, the one that is heard, comes first.
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

  /// The path of a track; empty for an index beyond the list.
  func path(_ track: Int) -> String { files.indices.contains(track) ? files[track] : "" }

  /// The track so many steps after another in playing order; nil beyond the ends.
  func track(_ steps: Int, after track: Int) -> Int? {
    guard self.steps.indices.contains(track) else { return order.first }
    let step = self.steps[track] + steps
    return order.indices.contains(step) ? order[step] : nil
  }

  /// What follows the end of a track; nil if all has been played.
  ///
  /// - Parameter leaves: whether the track cannot be repeated.
  func next(after place: PlaylistPosition, leaves: Bool = false) -> PlaylistPosition? {
    if settings.repeatMode == .one && !leaves {
      return PlaylistPosition(track: place.track, plays: place.plays)
    }
    if let next = track(1, after: place.track) { return PlaylistPosition(track: next, plays: place.plays) }
    let plays = place.plays + 1
    return settings.repeatMode == .all || !settings.loop.isOver(after: plays)
      ? PlaylistPosition(track: first, plays: plays) : nil
  }

  /// A section clamped to begin at 0 or later and to last at least 20 ms; nil for an invalid one.
  static func section(_ section: ClosedRange<Double>) -> ClosedRange<Double>? {
    guard section.lowerBound.isFinite, section.upperBound > 0 else { return nil }
    let begin = max(0, section.lowerBound)
    return begin...max(begin + 0.02, section.upperBound)
  }
}
