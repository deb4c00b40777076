import Playback
import Testing

@testable import visgraph

@Suite struct PlayerKeysTests {
  private var keys = PlayerKeys()

  private mutating func request(_ key: Key, _ snapshot: inout PlayerSnapshot) -> PlayerBinding.Request? {
    keys.request(key, &snapshot, seed: 7)
  }

  @Test(arguments: [
    (Key.character(" "), PlayerCommand.toggle), (.character("s"), .stop), (.left, .skip(-5)),
    (.right, .skip(5)),
    (.pageUp, .skip(60)), (.pageDown, .skip(-60)), (.home, .seek(0)), (.up, .volume(0.85, fade: 0.05)),
    (.down, .volume(0.75, fade: 0.05)), (.character("n"), .next), (.character(">"), .next),
    (.character("b"), .previous), (.character("<"), .previous), (.character("["), .rate(0.95)),
    (.character("]"), .rate(1.05)), (.character("{"), .pitch(.kept)), (.character("}"), .pitch(.varispeed)),
    (.character("("), .pan(-0.1)), (.character(")"), .pan(0.1)), (.character("l"), .loop(.forever)),
    (.character("z"), .shuffle(seed: 7)), (.character("r"), .again(.all)), (.character("A"), .section(nil)),
  ])
  func `each key makes its request`(key: Key, command: PlayerCommand) {
    var keys = PlayerKeys()
    var snapshot = PlayerStages.snapshot { $0.settings.volume = 0.8 }
    #expect(keys.request(key, &snapshot, seed: 7) == .player(command))
  }

  @Test mutating func `keys pressed at once are added, and stop at the limits`() {
    var snapshot = PlayerStages.snapshot()
    for _ in 0..<3 { _ = request(.down, &snapshot) }
    #expect(request(.down, &snapshot) == .player(.volume(0.8, fade: 0.05)))
    for _ in 0..<40 { _ = request(.down, &snapshot) }
    #expect(request(.down, &snapshot) == .player(.volume(0, fade: 0.05)))
    for _ in 0..<40 { _ = request(.character("]"), &snapshot) }
    #expect(request(.character("]"), &snapshot) == .player(.rate(2)))
    for _ in 0..<40 { _ = request(.character("["), &snapshot) }
    #expect(request(.character("["), &snapshot) == .player(.rate(0.5)))
    for _ in 0..<40 { _ = request(.character(")"), &snapshot) }
    #expect(snapshot.settings.pan == 1)
    #expect(request(.character("l"), &snapshot) == .player(.loop(.forever)))
    #expect(request(.character("l"), &snapshot) == .player(.loop(.times(1))))
    #expect(request(.character("z"), &snapshot) == .player(.shuffle(seed: 7)))
    #expect(request(.character("z"), &snapshot) == .player(.shuffle(seed: nil)))
    #expect(request(.character("r"), &snapshot) == .player(.again(.all)))
    #expect(request(.character("r"), &snapshot) == .player(.again(.one)))
    #expect(request(.character("r"), &snapshot) == .player(.again(.off)))
  }

  @Test mutating func `a section begins, ends and goes with one key`() {
    var snapshot = PlayerStages.snapshot { $0.currentTime = 20 }
    #expect(request(.character("a"), &snapshot) == nil)
    #expect(keys.mark == 20)
    snapshot.currentTime = 10
    #expect(request(.character("a"), &snapshot) == .player(.section(10...20)))
    #expect(request(.character("a"), &snapshot) == .player(.section(nil)))
    _ = request(.character("a"), &snapshot)
    #expect(request(.character("a"), &snapshot) == nil)
    #expect(keys.mark == nil)
    _ = request(.character("a"), &snapshot)
    keys.update(snapshot, isAnotherTrack: true)
    #expect(keys.mark == nil)
  }

  @Test mutating func `a stop is distinguished from a pause until the player plays again`() {
    var snapshot = PlayerStages.snapshot()
    _ = request(.character("s"), &snapshot)
    snapshot.isPlaying = false
    keys.update(snapshot, isAnotherTrack: false)
    #expect(keys.hasStopped)
    snapshot.isPlaying = true
    keys.update(snapshot, isAnotherTrack: false)
    #expect(!keys.hasStopped)
  }

  @Test mutating func `other keys do nothing`() {
    var snapshot = PlayerStages.snapshot()
    for key in [Key.tab, .enter, .escape, .delete, .backspace, .end, .control("x"), .character("é")] {
      #expect(request(key, &snapshot) == nil)
    }
    #expect(request(.character("/"), &snapshot) == .pick)
    #expect(request(.character("?"), &snapshot) == .help)
    #expect(request(.character("q"), &snapshot) == .quit)
  }

  @Test func `pages open and close`() {
    let (snapshot, status, library) = PlayerStages.playing
    var view = PlayerView(library, startsInPicker: false)
    view.update(snapshot, status, files: [], events: [])
    func press(_ key: Key) -> [PlayerBinding.Request] { view.press(key, rows: 24, columns: 80, seed: 1) }
    let text = PlayerText(columns: 80, rows: 24)
    func first() -> String {
      plain(view.lines(text, hints: [])).split(separator: "\n").first.map(String.init) ?? ""
    }
    #expect(press(.character("?")) == [])
    #expect(first() == "  Keys")
    #expect(press(.character("x")) == [])
    #expect(press(.character("/")) == [])
    #expect(first().hasPrefix("  / ▏"))
    // There a q is a letter.
    #expect(press(.character("q")) == [])
    #expect(press(.escape) == [])
    #expect(first().hasPrefix("  Gymnopédie No. 1 "))
    _ = press(.character("/"))
    _ = press(.down)
    #expect(press(.enter) == [.player(.track(1)), .player(.play)])
    #expect(view.page == .player)
    #expect(press(.control("l")) == [.redraw])
    #expect(press(.character("q")) == [.quit])
  }

  @Test func `another list of as many files replaces the present one, though the same file plays`() {
    var (snapshot, status, library) = PlayerStages.playing
    var view = PlayerView(library, startsInPicker: true)
    view.update(snapshot, status, files: [], events: [])
    let others = [library[0].path, "/z/b.mp3", "/z/c.mp3"]
    view.update(snapshot, status, files: others, events: [])
    #expect(view.paths == library.map(\.path))
    snapshot.listNumber += 1
    view.update(snapshot, status, files: others, events: [])
    #expect(view.paths == others && view.list == 1)
    view.update(snapshot, status, files: [], events: [])
    #expect(view.paths == others && view.list == 1)
    #expect(plain(view.lines(PlayerText(columns: 80, rows: 24), hints: [])).contains("\n     b"))
  }

  @Test func `another list replaces the present one, and faults are kept`() {
    var (snapshot, status, library) = PlayerStages.playing
    var view = PlayerView(library, startsInPicker: true)
    view.update(
      snapshot, status, files: [],
      events: [.skipped(AudioError(.notAudio, path: library[1].path, reason: "x"))])
    let text = PlayerText(columns: 80, rows: 24)
    #expect(plain(view.lines(text, hints: [])).contains("\n   ! 02 Lent et triste"))
    (snapshot.tracks, snapshot.track, snapshot.path) = (2, 1, "/z/b.mp3")
    view.update(snapshot, status, files: ["/z/a.mp3", "/z/b.mp3"], events: [])
    let shown = plain(view.lines(text, hints: []))
    #expect(shown.contains("\n     a"))
    #expect(shown.contains("\n  ▸♪ b") || shown.contains("\n   ♪ b"))
    status.messages = []
  }
}
