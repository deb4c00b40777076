import Playback
import Testing

@testable import visgraph

@Suite struct PlayerKeysTests {
  private var keys = PlayerKeys()

  private mutating func wish(_ key: Key, _ facts: inout PlayerFacts) -> PlayerKeys.Wish? {
    keys.wish(key, &facts, seed: 7)
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
  func `a key asks for what it says`(key: Key, command: PlayerCommand) {
    var keys = PlayerKeys()
    var facts = PlayerStages.facts { $0.volume = 0.8 }
    #expect(keys.wish(key, &facts, seed: 7) == .player(command))
  }

  @Test mutating func `keys of one moment add up, and stop at the ends`() {
    var facts = PlayerStages.facts()
    for _ in 0..<3 { _ = wish(.down, &facts) }
    #expect(wish(.down, &facts) == .player(.volume(0.8, fade: 0.05)))
    for _ in 0..<40 { _ = wish(.down, &facts) }
    #expect(wish(.down, &facts) == .player(.volume(0, fade: 0.05)))
    for _ in 0..<40 { _ = wish(.character("]"), &facts) }
    #expect(wish(.character("]"), &facts) == .player(.rate(2)))
    for _ in 0..<40 { _ = wish(.character("["), &facts) }
    #expect(wish(.character("["), &facts) == .player(.rate(0.5)))
    for _ in 0..<40 { _ = wish(.character(")"), &facts) }
    #expect(facts.pan == 1)
    #expect(wish(.character("l"), &facts) == .player(.loop(.forever)))
    #expect(wish(.character("l"), &facts) == .player(.loop(.times(1))))
    #expect(wish(.character("z"), &facts) == .player(.shuffle(seed: 7)))
    #expect(wish(.character("z"), &facts) == .player(.shuffle(seed: nil)))
    #expect(wish(.character("r"), &facts) == .player(.again(.all)))
    #expect(wish(.character("r"), &facts) == .player(.again(.one)))
    #expect(wish(.character("r"), &facts) == .player(.again(.off)))
  }

  @Test mutating func `a section begins, ends and goes with one key`() {
    var facts = PlayerStages.facts { $0.currentTime = 20 }
    #expect(wish(.character("a"), &facts) == nil)
    #expect(keys.mark == 20)
    facts.currentTime = 10
    #expect(wish(.character("a"), &facts) == .player(.section(10...20)))
    #expect(wish(.character("a"), &facts) == .player(.section(nil)))
    _ = wish(.character("a"), &facts)
    #expect(wish(.character("a"), &facts) == nil)
    #expect(keys.mark == nil)
    _ = wish(.character("a"), &facts)
    keys.look(facts, isAnotherTrack: true)
    #expect(keys.mark == nil)
  }

  @Test mutating func `a stop is told from a pause until it plays again`() {
    var facts = PlayerStages.facts()
    _ = wish(.character("s"), &facts)
    facts.isPlaying = false
    keys.look(facts, isAnotherTrack: false)
    #expect(keys.hasStopped)
    facts.isPlaying = true
    keys.look(facts, isAnotherTrack: false)
    #expect(!keys.hasStopped)
  }

  @Test mutating func `other keys do nothing`() {
    var facts = PlayerStages.facts()
    for key in [Key.tab, .enter, .escape, .delete, .backspace, .end, .control("x"), .character("é")] {
      #expect(wish(key, &facts) == nil)
    }
    #expect(wish(.character("/"), &facts) == .pick)
    #expect(wish(.character("?"), &facts) == .help)
    #expect(wish(.character("q"), &facts) == .quit)
  }

  @Test func `pages open and close`() {
    let (facts, status, library) = PlayerStages.playing
    var view = PlayerView(library, picks: false)
    view.look(facts, status, files: [], events: [])
    func press(_ key: Key) -> [PlayerKeys.Wish] { view.press(key, rows: 24, columns: 80, seed: 1) }
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

  @Test func `another list is taken over, and faults are remembered`() {
    var (facts, status, library) = PlayerStages.playing
    var view = PlayerView(library, picks: true)
    view.look(
      facts, status, files: [], events: [.skipped(AudioFault(.notAudio, path: library[1].path, reason: "x"))])
    let text = PlayerText(columns: 80, rows: 24)
    #expect(plain(view.lines(text, hints: [])).contains("\n   ! 02 Lent et triste"))
    (facts.tracks, facts.track, facts.path) = (2, 1, "/z/b.mp3")
    view.look(facts, status, files: ["/z/a.mp3", "/z/b.mp3"], events: [])
    let shown = plain(view.lines(text, hints: []))
    #expect(shown.contains("\n     a"))
    #expect(shown.contains("\n  ▸♪ b") || shown.contains("\n   ♪ b"))
    status.messages = []
  }
}
