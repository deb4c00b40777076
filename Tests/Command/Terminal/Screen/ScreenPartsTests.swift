import Graphs
import Testing

@testable import visgraph

@Suite struct ScreenPartsTests {
  @Test func `text is measured in columns, and cut where it is too wide`() {
    #expect(DisplayedText.width("Kick") == 4)
    #expect(DisplayedText.width("歌声") == 4)
    #expect(DisplayedText.width("e\u{301}") == 1)
    #expect(DisplayedText.width("🥁") == 2)
    #expect(DisplayedText.width("⭐⭐ ✅ ❌") == 10)
    #expect(DisplayedText.fitted("⭐⭐⭐", 5, ellipsis: "…") == "⭐⭐…")
    #expect(DisplayedText.fitted("Kick drum", 5, ellipsis: "…") == "Kick…")
    #expect(DisplayedText.fitted("歌声メイン", 6, ellipsis: "…") == "歌声…")
    #expect(DisplayedText.fitted("Kick", 4, ellipsis: "…") == "Kick")
    #expect(DisplayedText.fitted("Kick", 0, ellipsis: "…") == "")
  }

  @Test func `no text of a name can move the cursor`() {
    #expect(DisplayedText.safe("a\u{1B}[2Jb\nc\u{9B}d\u{202E}e\u{200D}f") == "a [2Jb c def")
  }

  @Test func `long text is broken at spaces, and in words that are too long`() {
    #expect(DisplayedText.wrapped("one two three", 7) == ["one two", "three"])
    #expect(DisplayedText.wrapped("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"])
    #expect(DisplayedText.wrapped("", 3) == [])
  }

  @Test(
    arguments: [
      (-12.44, "-12.4"), (0, "0.0"), (0.04, "0.0"), (0.25, "+0.3"), (-0.04, "0.0"), (-99.94, "-99.9"),
      (-120.4, "-120"), (-160, "-inf"), (-.infinity, "-inf"), (.nan, "-inf"),
    ] as [(Float, String)])
  func `levels are read in five columns`(level: Float, text: String) {
    #expect(NumberFormat.level(level, nothing: "-inf") == text)
  }

  @Test func `times are minutes and seconds, with hours from one on`() {
    #expect(
      [0, 62.9, 3599, 3600, 360_000, -1, .nan].map(NumberFormat.time) == [
        "0:00", "1:02", "59:59", "1:00:00", "100:00:00", "0:00", "0:00",
      ])
  }

  @Test func `a bar is green to a quarter, yellow to four fifths, red above`() {
    let line = LevelBar.line(average: 0, peak: 0, width: 20, TerminalStyle())
    #expect(marked([line]) == "{g:█████}{w:███████████}{h:████}")
    #expect(
      marked([LevelBar.line(average: nil, peak: nil, width: 20, TerminalStyle())])
        == "{g:     }{w:           }{h:    }")
  }

  @Test func `a bar has eighths, halves or whole characters, and a tick at the peak`() {
    func bar(_ style: TerminalStyle) -> String {
      marked([LevelBar.line(average: -20, peak: -6, width: 10, style)])
    }
    #expect(bar(TerminalStyle(colors: .sixteen)) == "{g:███}{w:▎}{d:░░░}{w:▎}{d:░░}")
    #expect(bar(TerminalStyle(colors: .sixteen, glyphs: .console)) == "{g:███}{d:░░░░}{w:│}{d:░░}")
    #expect(bar(TerminalStyle(colors: .none, glyphs: .ascii)) == "{g:###}{d:....}{w:|}{d:..}")
  }

  @Test func `a held peak goes up at once, stays, and falls by 20 dB a second`() {
    var peak = PeakHold()
    #expect(peak.sinceSound(at: 5) == nil)
    peak.take(-6, at: 10)
    peak.take(-40, at: 11.5)
    #expect(peak.level == -6)
    peak.take(-40, at: 12)
    #expect(peak.level == -16)
    peak.take(-3, at: 12.1)
    #expect(peak.level == -3)
    peak.take(-160, at: 30)
    #expect(peak.level == -160)
    #expect(peak.sinceSound(at: 31) == 31 - 12.1)
  }

  @Test func `the rate of a target is that of the last second`() {
    var rates = SendRates()
    func rate(_ sent: UInt64, _ time: Double) -> Double? {
      rates.update([Stages.target(sent: sent).report], at: time)[0].perSecond
    }
    #expect(rate(1000, 0) == nil)
    #expect(rate(1060, 0.5) == 120)
    #expect(rate(1120, 1) == 120)
    #expect(rate(1120, 2) == 0)
    #expect(rate(5, 2.5) == nil)
  }

  @Test func `keys are distinguished from escape sequences of other keys`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: Array("rq".utf8)) == [.character("r"), .character("q")])
    #expect(decoder.keys(in: Array("\u{1B}[15~\u{1B}OPq".utf8)) == [.character("q")])
    #expect(decoder.keys(in: Array("\u{1B}[200~q\u{1B}xz".utf8)) == [.character("q"), .character("z")])
    #expect(decoder.keys(in: Array("\u{1B}[[Aq".utf8)) == [.character("q")])
    #expect(decoder.keys(in: Array("\u{1B}[1;5".utf8)) == [])
    #expect(decoder.keys(in: Array("Bq".utf8)) == [.down, .character("q")])
    #expect(decoder.keys(in: [0x72, 12, 0xC3]) == [.character("r"), .control("l")])
    #expect(decoder.keys(in: [0xA9]) == [.character("é")])
  }

  @Test func `arrows and the keys beside them are recognized in all their encodings`() {
    var decoder = KeyDecoder()
    #expect(
      decoder.keys(in: Array("\u{1B}[A\u{1B}OB\u{1B}[1;2C\u{1B}[D".utf8)) == [.up, .down, .right, .left])
    #expect(
      decoder.keys(in: Array("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~".utf8)) == [
        .home, .end, .home, .end, .home, .end,
      ])
    #expect(decoder.keys(in: Array("\u{1B}[5~\u{1B}[6~\u{1B}[3~".utf8)) == [.pageUp, .pageDown, .delete])
    #expect(decoder.keys(in: [13, 10, 9, 127, 8]) == [.enter, .enter, .tab, .backspace, .backspace])
    #expect(
      decoder.keys(in: Array(("\u{1B}[" + String(repeating: "1", count: 99) + "~q").utf8)) == [
        .character("q")
      ])
  }

  @Test func `an escape is a key where nothing follows it`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: [0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.timedOut() == [.escape])
    #expect(decoder.timedOut() == [])
    #expect(decoder.keys(in: [0x1B]) == [])
    #expect(decoder.keys(in: Array("[C".utf8)) == [.right])
    #expect(decoder.keys(in: [0x1B, 0x1B]) == [.escape])
    #expect(decoder.timedOut() == [.escape])
  }

  @Test(arguments: ["[", "O", "[["])
  func `a bracket or a letter with Alt delays no later key`(sequence: String) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: [0x1B] + Array(sequence.utf8)) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.timedOut() == [])
    #expect(decoder.keys(in: Array("1A".utf8)) == [.character("1"), .character("A")])
  }

  @Test func `a letter that breaks off gives nothing to the next one`() {
    var decoder = KeyDecoder()
    #expect(decoder.keys(in: [0xC3, 0x61, 0xA4, 0xC3, 0xA4]) == [.character("a"), .character("ä")])
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"], TerminalStyle(colors: .indexed, glyphs: .full)),
    (
      ["TERM": "xterm", "COLORTERM": "truecolor", "LANG": "C.utf8"],
      TerminalStyle(colors: .direct, glyphs: .full)
    ),
    (["TERM": "linux", "LC_ALL": "de_DE.UTF-8"], TerminalStyle(colors: .sixteen, glyphs: .console)),
    (["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"], TerminalStyle(colors: .sixteen, glyphs: .ascii)),
    (
      ["TERM": "xterm-256color", "NO_COLOR": "1", "LANG": "C.UTF-8"],
      TerminalStyle(colors: .none, glyphs: .full)
    ),
    (["TERM": "xterm", "NO_COLOR": ""], TerminalStyle(colors: .sixteen, glyphs: .ascii)),
    (["TERM": "dumb", "COLORTERM": "truecolor"], TerminalStyle(colors: .none, glyphs: .ascii)),
    ([:], TerminalStyle(colors: .none, glyphs: .ascii)),
  ])
  func `the environment states what a terminal supports`(environment: [String: String], style: TerminalStyle)
  {
    #expect(TerminalStyle.detected(from: environment) == style)
  }

  @Test func `inks are escape sequences in as many colors as there are`() {
    var line = Line("a", .strong)
    line.add("b", .hot)
    line.add(" ", on: .hot)
    #expect(line.escaped(.none) == "\u{1B}[1ma\u{1B}[0mb ")
    #expect(line.escaped(.sixteen) == "\u{1B}[1ma\u{1B}[0m\u{1B}[31mb\u{1B}[0m ")
    #expect(
      line.escaped(.indexed) == "\u{1B}[1ma\u{1B}[0m\u{1B}[38;5;203mb\u{1B}[0m\u{1B}[48;5;236m \u{1B}[0m")
  }
}
