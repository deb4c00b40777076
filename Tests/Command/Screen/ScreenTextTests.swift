import Graphs
import Testing

@testable import visgraph

/// Whole screens, to the character.
@Suite struct ScreenTextTests {
  private func screen(
    _ stage: ShowStatus, _ columns: Int, _ rows: Int, _ look: Look, after seconds: Double = 4
  ) -> [Line] {
    let (status, hints) = Stages.later(stage, seconds: seconds)
    return ScreenText(columns: columns, rows: rows, look: look).lines(status, hints: hints)
  }

  @Test func `the show of the design in colours, with unlit lamps`() {
    print("@@@0\n" + marked(screen(Stages.small, 80, 8, Look(colours: .direct, glyphs: .full))) + "\n@@@end")
  }

  @Test func `the show of the design in sixteen colours, before anything needs a hint`() {
    print(
      "@@@1\n" + marked(screen(Stages.small, 80, 8, Look(colours: .sixteen, glyphs: .full), after: 0))
        + "\n@@@end")
  }

  @Test func `a terminal of ASCII alone`() {
    print("@@@2\n" + plain(screen(Stages.small, 80, 8, Look(colours: .none, glyphs: .ascii))) + "\n@@@end")
  }

  @Test func `a control port and more keys`() {
    print(
      "@@@3\n" + marked(screen(Stages.controlled, 80, 7, Look(colours: .sixteen, glyphs: .console)))
        + "\n@@@end")
  }

  @Test func `everything at once, in colours`() {
    print(
      "@@@4\n" + marked(screen(Stages.large, 100, 26, Look(colours: .sixteen, glyphs: .full))) + "\n@@@end")
  }

  @Test func `everything on a wide terminal`() {
    print("@@@5\n" + plain(screen(Stages.large, 160, 24, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `everything in sixty columns`() {
    print("@@@6\n" + plain(screen(Stages.large, 60, 24, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `everything in forty columns`() {
    print("@@@7\n" + plain(screen(Stages.large, 40, 24, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `everything in eight rows`() {
    print("@@@8\n" + plain(screen(Stages.large, 80, 8, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `thirty-two channels on an ordinary terminal`() {
    print("@@@9\n" + plain(screen(Stages.wide(32), 80, 24, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `more channels than any terminal holds`() {
    print(
      "@@@10\n" + plain(screen(Stages.wide(128, named: false), 60, 16, Look(colours: .none, glyphs: .full)))
        + "\n@@@end")
  }

  @Test func `a run by the clock`() {
    print("@@@11\n" + plain(screen(Stages.clock, 80, 12, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `a run that waits for its server`() {
    print("@@@12\n" + plain(screen(Stages.waiting, 80, 8, Look(colours: .none, glyphs: .full))) + "\n@@@end")
  }

  @Test func `no size makes a line too wide or a screen too high`() {
    for stage in [
      Stages.small, Stages.large, Stages.clock, Stages.waiting, Stages.controlled, Stages.wide(1),
      Stages.wide(33),
      Stages.wide(200, named: false),
    ] {
      let (status, hints) = Stages.later(stage)
      for columns in [0, 1, 7, 20, 39, 40, 59, 80, 132, 250] {
        for rows in [0, 1, 2, 3, 5, 8, 12, 24, 60] {
          let lines = ScreenText(columns: columns, rows: rows).lines(status, hints: hints)
          let size: Comment = "\(columns)×\(rows)"
          #expect(lines.count <= rows && lines.allSatisfy { $0.width <= columns }, size)
          #expect(lines.allSatisfy { $0.width == DisplayedText.width($0.text) }, size)
          if columns >= 20, rows >= 2 { #expect(lines.last?.text.hasSuffix("q quit") == true, size) }
        }
      }
    }
  }

  @Test func `ASCII means ASCII`() {
    var stage = Stages.small
    stage.sources[0].channels[0].name = "A name that is much longer than its column"
    let lines = screen(stage, 60, 20, Look(colours: .none, glyphs: .ascii))
    #expect(lines.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func `names cannot move the cursor`() {
    var stage = Stages.large
    stage.name = "a\u{1B}[2Jb\nc"
    stage.sources[0].id = "x\ry"
    stage.sources[0].channels[0].name = "k\u{7}"
    stage.sources[0].channels[0].connections = ["m\u{9B}:1"]
    stage.targets[0].report.sample = "/a\u{8}"
    stage.messages = [.init(text: "b\u{1B}]0;t\u{7}")]
    for line in screen(stage, 120, 40, Look()) {
      #expect(line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    }
  }
}
