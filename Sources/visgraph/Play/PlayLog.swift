import Playback

/// Turns how a player stands into log lines: each change once. [control]
struct PlayLog {
  /// A line, and how bad it is.
  typealias Line = (text: String, weight: ShowStatus.Message.Weight)

  private var told: PlayerSight.State?
  private var track = ""
  /// What there is to say since the last call.
  ///
  /// - Parameters:
  ///   - hasView: whether a screen shows the state anyway; then only what is amiss is told.
  mutating func update(_ sight: PlayerSight, events: [PlayerEvent], hasView: Bool) -> [Line] {
    var lines: [Line] = []
    // Files that are left out or break are told by the node.
    if events.contains(.finished(successfully: false)) { lines.append(("the last file broke off", .warning)) }
    if !hasView { lines += state(sight).map { ($0, .note) } }
    return lines.map { (DisplayedText.safe($0.text), $0.weight) }
  }

  private mutating func state(_ sight: PlayerSight) -> [String] {
    let facts = sight.facts
    guard sight.state != .loading else { return [] }
    let place = "\(facts.track) \(facts.path)"
    defer { (told, track) = (sight.state, place) }
    let isAnother = place != track
    guard sight.state != told || isAnother else { return [] }
    let time = Figures.time(facts.currentTime)
    switch sight.state {
    case .loading: return []
    case .playing: return [isAnother || told == .over ? "plays \(words(sight))" : "goes on at \(time)"]
    case .paused, .stopped: return [isAnother ? "holds \(words(sight))" : "pauses at \(time)"]
    case .interrupted: return ["interrupted at \(time)"]
    case .over: return ["all has been played"]
    }
  }

  private func words(_ sight: PlayerSight) -> String {
    let facts = sight.facts
    let place = facts.tracks > 1 ? "\(facts.track + 1) of \(facts.tracks): " : ""
    let credits = sight.credits(dash: " - ")
    return place + sight.title + (credits.isEmpty ? "" : ", \(credits)")
      + (facts.duration.map { ", \(Figures.time($0))" } ?? "") + " (\(facts.path))"
  }
}
