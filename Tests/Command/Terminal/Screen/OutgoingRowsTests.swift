import Controls
import Graphs
import Testing

@testable import visgraph

/// What the screen shows of what leaves: levels of targets, master, emitters, gates.
@Suite struct OutgoingRowsTests {
  /// Two lights behind a gate, sparks, and the master half-way.
  private var stage: ShowStatus {
    var status = Stages.small
    status.sources = [.init(id: "in", feed: .jack, channels: [Stages.channel(1, "Kick", -12.4, peak: -3.1)])]
    status.targets[0].levels = [
      .init(number: 1, name: "Kick", value: 0.57), .init(number: 2, name: nil, value: 0),
    ]
    status.emitters = [.init(id: "sparks", alive: [312, 0])]
    status.gates = [
      .init(id: "door", channels: [.init(label: "Kick", isOpen: true), .init(label: "2", isOpen: false)])
    ]
    return status
  }

  private func screen(
    _ status: ShowStatus, _ columns: Int, _ rows: Int = 12, _ glyphs: TerminalStyle.Glyphs = .full,
    _ colors: TerminalStyle.ColorDepth = .none
  ) -> [Line] {
    ScreenText(columns: columns, rows: rows, style: TerminalStyle(colors: colors, glyphs: glyphs)).lines(
      status)
  }

  @Test func `levels, master, particles and gates fit 80 columns`() {
    var status = stage
    status.moment.master = 0.5
    #expect(
      plain(screen(status, 80))
        == """
        Stereo sparks   JACK "visgraph"  master 50 %  48000 Hz  256 samples         1:02
        in   1 Kick  <- mixer:out_1  -12.4 dB ██████████████▉░░░░░░░░░░▎░░░░  peak  -3.1
        out  rig     127.0.0.1:7700  120/s   Kick ██████▎░░░░ 0.57   2 ░░░░░░░░░░░ 0.00
             master  ████████░░░░░░░░ 50 %
        draw sparks     312 particles   1   312   2     0
        gate door    ● Kick   ○ 2   1 of 2 open





        r reload  q quit
        """)
  }

  @Test func `the same rows have colors at 120 columns`() {
    #expect(
      marked(screen(stage, 120, 16, .full, .direct))
        == """
        {s:Stereo sparks}   JACK "visgraph"  48000 Hz  256 samples  {d:xruns 0}                                                     {d:1:02}

        {d:in}   {d:1} Kick  {d:<- }mixer:out_1  -12.4{d: dB} {g:████████████████}{w:███████████████}{ww:▋}{w:                   }{h:  }{hh:▎}{h:          }{d:  peak }{h: -3.1}

        {d:out}  rig     127.0.0.1:7700  120{d:/s}   {d:Kick }{a:█████████}{al:▏}{l:      } 0.57   {d:2 }{l:                } {d:0.00}   {d:/visgraph/rig/1}

             master  {a:████████████████} {d:100 %}
        {d:draw} sparks     312{d: particles   1 }  312{d:   2     0}
        {d:gate} door    {g:●} Kick   {d:○ 2   1 of 2 open}






        {s:r}{d: reload}  {s:q}{d: quit}
        """)
  }

  @Test func `the same rows can be drawn in ASCII`() {
    #expect(
      plain(screen(stage, 80, 8, .ascii))
        == """
        Stereo sparks   JACK "visgraph"  48000 Hz  256 samples  xruns 0             1:02
        in   1 Kick  <- mixer:out_1  -12.4 dB ###############..........|....  peak  -3.1
        out  rig     127.0.0.1:7700  120/s   Kick ######..... 0.57   2 ........... 0.00
             master  ################ 100 %
        draw sparks     312 particles   1   312   2     0
        gate door    * Kick   - 2   1 of 2 open

        r reload  q quit
        """)
  }

  @Test func `many levels are a column each, and many gates a mark each`() {
    var status = stage
    status.targets[0].levels = (0..<70).map { .init(number: $0 + 1, value: Float($0 % 9) / 8) }
    status.gates[0].channels = (0..<70).map { .init(label: "\($0 + 1)", isOpen: $0 % 3 == 0) }
    status.emitters = []
    let text = plain(screen(status, 80))
    #expect(text.contains("120/s   ·▁▂▃▄▅▆▇█·▁▂▃▄▅▆▇█·▁▂▃▄▅▆▇█·▁▂▃▄▅▆▇█· +33"))
    #expect(text.contains("gate door    \(String(repeating: "●○○", count: 17))   24 of 70 open"))
    #expect(plain(screen(status, 80, 12, .ascii)).contains("120/s   012356789012"))
  }

  @Test func `a blackout shows in the levels and at the master`() {
    var status = stage
    status.moment.isBlackout = true
    status.targets[0].levels[0].value = 0
    let text = plain(screen(status, 80))
    #expect(text.contains("master  ░░░░░░░░░░░░░░░░ blackout"))
    #expect(text.contains("Kick ░░░░░░░░░░░ 0.00"))
  }

  @Test func `counts and levels with a unit are shown as numbers`() {
    var status = stage
    status.targets[0].levels = [
      .init(number: 1, value: 312, type: .number, unit: nil),
      .init(number: 2, value: 0.25, type: .number, unit: nil),
    ]
    #expect(plain(screen(status, 80)).contains("1 312   2 0.25"))
    status.targets[0].levels = [
      .init(number: 1, value: -12.4, type: .decibels, unit: .decibelsFullScale)
    ]
    #expect(plain(screen(status, 80)).contains("1 -12.4 dBFS"))
    status.targets[0].levels = [
      .init(number: 1, name: "bpm", value: 128.5, type: .number, unit: .beatsPerMinute)
    ]
    #expect(plain(screen(status, 80)).contains("bpm 128.50 bpm"))
  }

  @Test func `measures have a row for each node, with its unit`() {
    var status = stage
    status.gates = []
    status.emitters = []
    status.measurements = [
      .init(
        id: "loud",
        levels: [
          .init(number: 1, name: "momentary", value: -23, type: .decibels, unit: .loudness),
          .init(number: 1, name: "range", value: 7.25, type: .number, unit: .loudnessDifference),
        ]),
      .init(
        id: "bands",
        levels: [63, 250, 1000, 4000, 16_000].map {
          .init(number: $0, name: "\($0)", value: -30.5, type: .decibels, unit: .decibelsFullScale)
        }),
      .init(id: "hits", levels: (1...5).map { .init(number: $0, value: 1) }),
    ]
    let text = plain(screen(status, 80, 14))
    #expect(text.contains("hear loud    momentary -23.0 LUFS   range 7.25 LU\n"))
    #expect(text.contains("     bands   63 -30.5, 250 -30.5, 1000 -30.5, 4000 -30.5, 16000 -30.5 dBFS\n"))
    #expect(text.contains("     hits    █████\n"))
    #expect(plain(screen(status, 50, 14)).contains("     bands   63 -30.5, 250 -30.5 +3 dBFS\n"))
  }

  @Test func `no size of a terminal is too small`() {
    for columns in 1...130 {
      for rows in 1...14 {
        let lines = screen(stage, columns, rows)
        #expect(lines.count <= rows && lines.allSatisfy { $0.width <= columns })
      }
    }
  }
}
