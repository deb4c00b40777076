import Controls
import Glibc
import Playback

/// The player's screen on a terminal: draws its state and reads keys. [control]
final class PlayerScreen: LiveView {
  private let terminal: Terminal
  private let style: TerminalStyle
  private let player: () -> Player?
  private var view: PlayerView
  /// The time of the last drawing, in s.
  private var last = -Double.infinity
  /// The number of the last player event that was shown.
  private var reported = 0
  private let tags = TagReader()
  /// The number of the list whose tags are read.
  private var tagged = -1
  private var generator = SystemRandomNumberGenerator()

  /// Takes over the terminal. Nil without one: stdout is redirected, `TERM` is `dumb` or missing, or the process runs
  /// in the background.
  ///
  /// - Parameters:
  ///   - wakeDescriptor: a descriptor that becomes readable to end a wait for keys.
  ///   - library: the tracks of the list.
  ///   - picks: whether the picker is open at the start.
  ///   - player: returns the player, nil before there is one.
  init?(
    environment: [String: String], wakeDescriptor: Int32, library: [Track], picks: Bool,
    player: @escaping () -> Player?
  ) {
    guard Self.isPossible(environment), let terminal = Terminal() else { return nil }
    self.terminal = terminal
    terminal.wakeDescriptor = wakeDescriptor
    self.player = player
    style = TerminalStyle.detected(from: environment)
    view = PlayerView(library, startsInPicker: picks)
  }

  static func isPossible(_ environment: [String: String]) -> Bool {
    guard isatty(STDOUT_FILENO) == 1, let term = environment["TERM"] else { return false }
    return term != "dumb" && !term.isEmpty
  }

  /// Draws the status, at most `Screen.perSecond` times a second.
  func show(_ status: ShowStatus, hints: [Hint]) {
    guard status.time >= last + 0.9 / Screen.perSecond || status.time < last, let player = player() else {
      return
    }
    last = status.time
    let events = player.events(after: reported)
    reported = events.last?.number ?? reported
    view.update(
      player.snapshot, status, files: player.files, events: events.map(\.event), coming: player.coming(30))
    readTags(from: player.snapshot.track)
    draw(hints)
  }

  /// The hints that were drawn last.
  private var hints: [Hint] = []

  /// Requests tags, and takes those that were read.
  private func readTags(from track: Int) {
    if view.list != tagged {
      tagged = view.list
      tags.begin(view.paths, at: track)
    }
    view.learn(tags.take())
    let size = terminal.size
    tags.want(view.wanted(rows: size.rows, columns: size.columns))
  }

  private func draw(_ hints: [Hint]) {
    self.hints = hints
    let size = terminal.size
    let text = PlayerText(columns: size.columns, rows: size.rows, style: style)
    terminal.draw(view.lines(text, hints: hints), style.colors)
  }

  /// Returns the commands of pressed keys. Waits for a key until it is time to draw again.
  func takeCommands() -> [ShowCommand] {
    let keys = terminal.keys(within: 1 / Screen.perSecond)
    guard !keys.isEmpty else { return [] }
    let size = terminal.size
    var commands: [ShowCommand] = []
    for key in keys {
      for request in view.press(key, rows: size.rows, columns: size.columns, seed: generator.next() >> 32) {
        switch request {
        case .player(let command): commands.append(.transport(node: nil, command))
        case .quit: commands.append(.quit)
        case .redraw: terminal.redraw()
        case .pick, .help: break
        }
      }
    }
    // Draws at once, so that a key shows its effect without delay.
    draw(hints)
    return commands
  }

  /// Whether the terminal is gone: its window was closed, or the connection broke.
  var hasHungUp: Bool { terminal.hasHungUp }

  /// Restores the terminal.
  func close() { terminal.close() }
}
