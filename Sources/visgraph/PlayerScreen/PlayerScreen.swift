import Controls
import Glibc
import Playback

/// The player on a terminal: draws how it stands and takes its keys. [control]
final class PlayerScreen: LiveView {
  private let terminal: Terminal
  private let style: TerminalStyle
  private let player: () -> Player?
  private var view: PlayerView
  private var last = -Double.infinity
  private var reported = 0
  private let tags = TagReader()
  /// The list whose tags are read.
  private var tagged = -1
  private var dice = SystemRandomNumberGenerator()

  /// Takes over the terminal; nil where there is none to draw on: stdout leads elsewhere, `TERM` is `dumb` or missing,
  /// or the process runs in the background.
  ///
  /// - Parameters:
  ///   - bell: who waits for keys is woken when it becomes readable.
  ///   - library: the tracks of the list.
  ///   - picks: whether it begins with the picker.
  ///   - player: the player, once there is one.
  init?(
    environment: [String: String], bell: Int32, library: [Track], picks: Bool, player: @escaping () -> Player?
  ) {
    guard Self.isPossible(environment), let terminal = Terminal() else { return nil }
    self.terminal = terminal
    terminal.bell = bell
    self.player = player
    style = TerminalStyle.detected(from: environment)
    view = PlayerView(library, picks: picks)
  }

  /// Whether there is a terminal to draw on.
  static func isPossible(_ environment: [String: String]) -> Bool {
    guard isatty(STDOUT_FILENO) == 1, let term = environment["TERM"] else { return false }
    return term != "dumb" && !term.isEmpty
  }

  /// Draws, unless that was done a moment ago.
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

  private var hints: [Hint] = []

  /// Lets tags be read, and takes what has been.
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

  /// What the keys ask for that were pressed, after at most until it is time to draw again.
  func asked() -> [ShowCommand] {
    let keys = terminal.keys(within: 1 / Screen.perSecond)
    guard !keys.isEmpty else { return [] }
    let size = terminal.size
    var commands: [ShowCommand] = []
    for key in keys {
      for request in view.press(key, rows: size.rows, columns: size.columns, seed: dice.next() >> 32) {
        switch request {
        case .player(let command): commands.append(.transport(node: nil, command))
        case .quit: commands.append(.quit)
        case .redraw: terminal.redraw()
        case .pick, .help: break
        }
      }
    }
    // What is typed is seen at once, not with the next look at the player.
    draw(hints)
    return commands
  }

  /// Whether the terminal has gone for good: its window was closed, the connection broke.
  var hasHungUp: Bool { terminal.hasHungUp }

  /// Puts the terminal back as it was.
  func close() { terminal.close() }
}
