import Controls
import Graphs
import Nodes
import Playback
import Testing

@testable import visgraph

/// What the keys of the screen ask for.
@Suite struct ScreenKeysTests {
  private static func theatre(_ keys: [ShowStatus.KeyHelp] = ScreenKey.allCases.map { .init($0) })
    -> ShowStatus
  {
    var status = Stages.small
    status.keys = keys
    status.sounds = ["1": .init(bank: "effects", sound: "bell"), "k": .init(bank: "effects", sound: "knock")]
    return status
  }

  private func asked(_ keys: [Key], _ status: ShowStatus = theatre()) -> [ScreenKeys.Request?] {
    var (state, status) = (ScreenKeys(), status)
    return keys.map { state.request($0, &status) }
  }

  @Test func `every key of the screen has its word, and makes its request`() {
    #expect(ScreenKey.characters == "b g n p q r v")
    let asks: [(Key, ScreenKeys.Request?)] = [
      (.character("q"), .show(.quit)), (.character("r"), .show(.reload)),
      (.character("b"), .show(.blackout(true))),
      (.character("v"), .view), (.character("p"), .show(.transport(node: nil, .toggle))),
      (.character("n"), .show(.scene(.next))), (.character("g"), .show(.cue(.go))),
      (.backspace, .show(.cue(.back))), (.escape, .show(.cue(.stop))), (.enter, nil),
      (.control("l"), .redraw),
      (.character("1"), .show(.sound(node: "effects", .play("bell")))), (.character("x"), nil),
    ]
    for (key, request) in asks { #expect(asked([key]) == [request], "\(key)") }
    #expect(Set(ScreenKey.allCases.map(\.word)).count == ScreenKey.allCases.count)
  }

  @Test func `keys that are not offered do nothing, and are not used by sounds either`() {
    var status = Self.theatre([.init(.quit)])
    status.sounds["g"] = .init(bank: "effects", sound: "gong")
    for key in [Key.character("g"), .character("n"), .character("b"), .backspace, .escape, .enter] {
      #expect(asked([key], status) == [nil], "\(key)")
    }
    #expect(asked([.character("q")], status) == [.show(.quit)])
  }

  @Test func `keys pressed in one moment add up`() {
    #expect(
      asked([.character("b"), .character("b")]) == [.show(.blackout(true)), .show(.blackout(false))])
  }

  @Test func `the number of a cue is typed between two Enters, and other keys do what they always do`() {
    func typed(_ text: String) -> [Key] { text.map { .character($0) } }
    let number = CueNumber("12.5")!
    #expect(
      asked([.enter] + typed("12.5") + [.enter]).last == .some(.show(.cue(.number(number)))))
    // A figure that is the key of a sound plays none meanwhile, and does again afterwards.
    #expect(
      asked([.enter] + typed("1") + [.escape] + typed("1"))
        == [nil, nil, nil, .show(.sound(node: "effects", .play("bell")))])
    #expect(
      asked([.enter] + typed("13") + [.backspace] + typed("2.5") + [.enter]).last
        == .some(.show(.cue(.number(number)))))
    // Nothing typed: Backspace leaves it, and the next one is that of the cue before.
    #expect(asked([.enter, .backspace, .backspace]) == [nil, nil, .show(.cue(.back))])
    #expect(asked([.enter, .character("b")]) == [nil, .show(.blackout(true))])
    for wrong in ["", ".", "1.", "123456"] {
      #expect(asked([.enter] + typed(wrong) + [.enter]).last == .some(nil))
    }
  }

  @Test func `cues have a row of their own, with labels and the time that is left`() {
    var status = Stages.small
    func row(_ columns: Int = 80, _ rows: Int = 24) -> String {
      plain(ScreenText(columns: columns, rows: rows).lines(status)).split(separator: "\n").map(String.init)
        .first { $0.hasPrefix("cue ") } ?? "-"
    }
    #expect(row() == "-")
    func name(_ number: String, _ label: String) -> CueProgress.Name {
      CueProgress.Name(number: CueNumber(number)!, label: label)
    }
    status.moment.cue = CueProgress.Fact(cue: nil, next: name("1", "House to half"), left: nil)
    #expect(row() == "cue -   next 1 House to half")
    status.moment.cue = CueProgress.Fact(
      cue: name("1", "House to half"), next: name("2.5", "Storm"), left: 11.2)
    #expect(row() == "cue 1 House to half   next 2.5 Storm in 12 s")
    status.moment.cue = CueProgress.Fact(cue: name("2.5", "Storm"), next: nil, left: nil)
    #expect(row() == "cue 2.5 Storm   next none")
    let long = String(repeating: "long ", count: 20)
    status.moment.cue = CueProgress.Fact(cue: name("1", long), next: name("2", long), left: 3)
    for columns in [30, 40, 80] {
      #expect(row(columns).count <= columns && row(columns).hasSuffix(" in 3 s"), "\(row(columns))")
      #expect(row(columns).contains("next 2 lo"), "\(row(columns))")
    }
    // Where there is no room for a row it stands with the figures.
    #expect(row(120, 6) == "-")
    #expect(plain(ScreenText(columns: 120, rows: 6).lines(status)).contains("-> 2 in 3 s"))
    status.typedCue = "2."
    #expect(plain(ScreenText(columns: 80, rows: 24).lines(status)).contains("go to cue 2."))
  }
}
