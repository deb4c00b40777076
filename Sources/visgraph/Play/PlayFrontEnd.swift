import Controls
import Engine
import Graphs
import Hosts
import Nodes
import Playback

/// The front end of `visgraph play`: the player's screen, its log lines, and the end after the last track. [control]
final class PlayFrontEnd: RunFrontEnd {
  private let library: [Track]
  /// Whether the picker is open at the start.
  private let picks: Bool
  private var log = PlayerStateLog()
  /// The number of the last player event that was logged.
  private var reported = 0
  /// The first commands to the player.
  private var beginning: [PlayerCommand]

  /// `library`: the tracks of the list. `picks`: whether the picker is open at the start. `beginning`: the first
  /// commands to the player.
  init(_ library: [Track], picks: Bool, beginning: [PlayerCommand] = []) {
    self.library = library
    self.picks = picks
    self.beginning = beginning
  }

  func view(of show: Show, _ environment: [String: String], wakeDescriptor: Int32) -> (any LiveView)? {
    PlayerScreen(environment: environment, wakeDescriptor: wakeDescriptor, library: library, picks: picks) {
      Self.player(of: show)
    }
  }

  func poll(_ show: Show, log: Log, hasView: Bool) -> [ShowCommand] {
    guard let player = Self.player(of: show) else { return [] }
    let snapshot = player.snapshot
    let events = player.events(after: reported)
    reported = events.last?.number ?? reported
    var model = PlayerScreenModel(snapshot: snapshot, status: nil)
    if library.indices.contains(snapshot.track), library[snapshot.track].path == snapshot.path {
      model.listTitle = library[snapshot.track].title
    }
    for line in self.log.update(model, events: events.map(\.event), hasView: hasView) {
      log.note(line.text, line.weight)
    }
    if !beginning.isEmpty {
      defer { beginning = [] }
      return beginning.map { .transport(node: nil, $0) }
    }
    // With a screen the run goes on: the user may play the list again.
    // Without one it ends, unless a paused player was only moved to the end.
    return snapshot.isOver && snapshot.isStopped && !hasView ? [.quit] : []
  }

  private static func player(of show: Show) -> Player? { show.players.first?.player }
}

/// Log lines of the player's state, one for each change. [control]
struct PlayerStateLog {
  typealias Line = (text: String, weight: LogLine.Weight)

  private var reported: PlayerScreenModel.State?
  private var track = ""
  /// Returns the lines for what has changed since the last call.
  ///
  /// - Parameters:
  ///   - hasView: whether a screen shows the state; then only faults are logged.
  mutating func update(_ model: PlayerScreenModel, events: [PlayerEvent], hasView: Bool) -> [Line] {
    var lines: [Line] = []
    // The node reports files that are skipped or break off.
    if events.contains(.finished(successfully: false)) { lines.append(("the last file broke off", .warning)) }
    if !hasView { lines += state(model).map { ($0, .note) } }
    return lines.map { (DisplayedText.safe($0.text), $0.weight) }
  }

  private mutating func state(_ model: PlayerScreenModel) -> [String] {
    let snapshot = model.snapshot
    guard model.state != .loading else { return [] }
    let place = "\(snapshot.track) \(snapshot.path)"
    defer { (reported, track) = (model.state, place) }
    let isAnother = place != track
    guard model.state != reported || isAnother else { return [] }
    let time = NumberFormat.time(snapshot.currentTime)
    switch model.state {
    case .loading: return []
    case .playing: return [isAnother || reported == .over ? "plays \(words(model))" : "goes on at \(time)"]
    case .paused, .stopped: return [isAnother ? "holds \(words(model))" : "pauses at \(time)"]
    case .interrupted: return ["interrupted at \(time)"]
    case .over: return ["all has been played"]
    }
  }

  private func words(_ model: PlayerScreenModel) -> String {
    let snapshot = model.snapshot
    let place = snapshot.tracks > 1 ? "\(snapshot.track + 1) of \(snapshot.tracks): " : ""
    let credits = model.credits(dash: " - ")
    return place + model.title + (credits.isEmpty ? "" : ", \(credits)")
      + (snapshot.duration.map { ", \(NumberFormat.time($0))" } ?? "") + " (\(snapshot.path))"
  }
}
