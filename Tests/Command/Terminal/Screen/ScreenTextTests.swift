import Engine
import Graphs
import Testing

@testable import visgraph

/// Whole screens, to the character.
@Suite struct ScreenTextTests {
  private func screen(
    _ stage: ShowStatus, _ columns: Int, _ rows: Int, _ style: TerminalStyle, after seconds: Double = 4
  ) -> [Line] {
    let (status, hints) = Stages.later(stage, seconds: seconds)
    return ScreenText(columns: columns, rows: rows, style: style).lines(status, hints: hints)
  }

  @Test func `the show of the design in colors, with unlit lamps`() {
    #expect(
      marked(screen(Stages.small, 80, 8, TerminalStyle(colors: .direct, glyphs: .full)))
        == """
        {s:Stereo sparks}   JACK "visgraph"  48000 Hz  256 samples  {d:xruns 0}             {d:1:02}
        {d:in}   {d:1} Kick   {d:<- }mixer:out_1  -12.4{d: dB} {g:███████}{w:███████}{ww:▍}{w:        }{h: }{hh:▎}{h:    }{d:  peak }{h: -3.1}
             {d:2} Snare  {W:nothing connected: jack_connect SOURCE visgraph:in_2}
        {d:out}  rig  127.0.0.1:7700  120{d:/s  held 0  failed 0}   {d:/visgraph/rig/1 0.57}



        {s:r}{d: reload}  {s:q}{d: quit}
        """)
  }

  @Test func `the show of the design in sixteen colors, before anything needs a hint`() {
    #expect(
      marked(screen(Stages.small, 80, 8, TerminalStyle(colors: .sixteen, glyphs: .full), after: 0))
        == """
        {s:Stereo sparks}   JACK "visgraph"  48000 Hz  256 samples  {d:xruns 0}             {d:1:02}
        {d:in}   {d:1} Kick   {d:<- }mixer:out_1  -12.4{d: dB} {g:███████}{w:███████▍}{d:░░░░░░░░░}{h:▎}{d:░░░░  peak }{h: -3.1}
             {d:2} Snare  {d:nothing connected}
        {d:out}  rig  127.0.0.1:7700  120{d:/s  held 0  failed 0}   {d:/visgraph/rig/1 0.57}



        {s:r}{d: reload}  {s:q}{d: quit}
        """)
  }

  @Test func `a terminal of ASCII alone`() {
    #expect(
      plain(screen(Stages.small, 80, 8, TerminalStyle(colors: .none, glyphs: .ascii)))
        == """
        Stereo sparks   JACK "visgraph"  48000 Hz  256 samples  xruns 0             1:02
        in   1 Kick   <- mixer:out_1  -12.4 dB ##############..........|....  peak  -3.1
             2 Snare  nothing connected: jack_connect SOURCE visgraph:in_2
        out  rig  127.0.0.1:7700  120/s  held 0  failed 0   /visgraph/rig/1 0.57



        r reload  q quit
        """)
  }

  @Test func `a control port and more keys`() {
    #expect(
      marked(screen(Stages.controlled, 80, 7, TerminalStyle(colors: .sixteen, glyphs: .console)))
        == """
        {s:Stereo sparks}   JACK "visgraph"  48000 Hz  256 samples  {d:xruns 0}             {d:1:02}
        {d:in}   {d:1} Kick   {d:<- }mixer:out_1  -12.4{d: dB} {g:███████}{w:███████▌}{d:░░░░░░░░░}{h:│}{d:░░░░  peak }{h: -3.1}
             {d:2} Snare  {W:nothing connected: jack_connect SOURCE visgraph:in_2}
        {d:out}  rig  127.0.0.1:7700  120{d:/s  held 0  failed 0}   {d:/visgraph/rig/1 0.57}


        {d:control }127.0.0.1:7770     {s:p}{d: pause}  {s:b}{d: blackout}  {s:r}{d: reload}  {s:q}{d: quit}
        """)
  }

  @Test func `the allowed senders have a row of their own if the keys leave too little room`() {
    #expect(
      marked(screen(Stages.open, 80, 8, TerminalStyle(colors: .sixteen, glyphs: .console)))
        == """
        {s:Stereo sparks}   JACK "visgraph"  48000 Hz  256 samples  {d:xruns 0}             {d:1:02}
        {d:in}   {d:1} Kick   {d:<- }mixer:out_1  -12.4{d: dB} {g:███████}{w:███████▌}{d:░░░░░░░░░}{h:│}{d:░░░░  peak }{h: -3.1}
             {d:2} Snare  {W:nothing connected: jack_connect SOURCE visgraph:in_2}
        {d:out}  rig  127.0.0.1:7700  120{d:/s  held 0  failed 0}   {d:/visgraph/rig/1 0.57}


        {d:control }0.0.0.0:7770 from 192.168.1.0/24
        {s:p}{d: pause}  {s:b}{d: blackout}  {s:r}{d: reload}  {s:q}{d: quit}
        """)
    // On a screen too low for that the first keys make room.
    func last(_ stage: ShowStatus, _ columns: Int, _ rows: Int, _ count: Int = 1) -> String {
      plain(screen(stage, columns, rows, TerminalStyle(colors: .none, glyphs: .full)).suffix(count))
    }
    #expect(
      last(Stages.open, 80, 7) == "control 0.0.0.0:7770 from 192.168.1.0/24     b blackout  r reload  q quit")
    #expect(last(Stages.open, 60, 7) == "control 0.0.0.0:7770 from 192.168.1.0/24     q quit")
    #expect(last(Stages.open, 40, 7) == "control 0.0.0.0:7770 from 19…     q quit")
    #expect(last(Stages.open, 100, 24).hasPrefix("control 0.0.0.0:7770 from 192.168.1.0/24     p pause"))
    var many = Stages.open
    many.control =
      "[::]:7770 from 192.168.1.0/24, 10.0.0.0/8, fd00::/8, 172.16.0.0/12, 192.0.2.7 with the key"
    #expect(
      last(many, 60, 24, 3) == """
        control [::]:7770 from 192.168.1.0/24, 10.0.0.0/8, fd00::/8,
                172.16.0.0/12, 192.0.2.7 with the key
        p pause  b blackout  r reload  q quit
        """)
    #expect(
      last(many, 60, 8, 2) == """
        control [::]:7770 from 192.168.1.0/24, 10.0.0.0/8, fd00::/8…
        p pause  b blackout  r reload  q quit
        """)
  }

  @Test func `the allowed senders are visible whatever else is shown`() {
    for stage in [Stages.open, Stages.large, Stages.wide(128, named: false)] {
      var stage = stage
      (stage.control, stage.keys) = (Stages.open.control, Stages.open.keys)
      let (status, hints) = Stages.later(stage)
      for columns in [60, 80, 100, 132] {
        for rows in [2, 3, 5, 7, 8, 12, 24] {
          let lines = ScreenText(columns: columns, rows: rows).lines(status, hints: hints)
          #expect(lines.count == rows, "\(columns)×\(rows)")
          #expect(
            lines.suffix(2).contains { $0.text.hasPrefix("control 0.0.0.0:7770 from 192.168.1.0/24") },
            "\(columns)×\(rows)")
        }
      }
    }
  }

  @Test func `everything at once, in colours`() {
    #expect(
      marked(screen(Stages.large, 100, 26, TerminalStyle(colors: .sixteen, glyphs: .full)))
        == """
        {s:Festival – große Bühne 大舞…}   JACK "visgraph"  48000 Hz  {W:xruns 3}  {W:merged 12}  {W:not finite 5}      {d:1:02}

        {d:in}   in   {d:1} Kick                  {d:<- }mixer:out_1               -12.4{d: dB} {g:████}{w:███▉}{d:░░░░░}{h:▎}{d:░░  peak }{h: -3.1}
                  {d:2} Snare top             {d:<- }mixer:out_2, mixer:out_3   -0.3{d: dB} {g:████}{w:█████████}{h:██▉}{d:  peak }{F: +0.4}
                  {d:3} 歌声メイン            {d:<- }system:capture_17         {d:   -∞ dB} {W:silence}
                  {d:4} A very long channel…  {W:nothing connected: jack_connect SOURCE visgraph:in_4}
                  {d:5} Room                  {d:<- }stage:room                -58.2{d: dB} {W:below gate}
             song {d:1} Left                  {d:<- }demo.flac {d:0:12 / 3:40}     -31.3{d: dB} {g:██▋}{d:░}{w:▎}{d:░░░░░░░░░░░  peak }{w:-24.0}
                  {d:2} Right                                               -6.0{d: dB} {g:████}{w:███████▌}{d:░}{h:▎}{d:░░  peak }{h: -2.5}
             tone {d:1}                       {d:<- }sine 440 Hz                -3.0{d: dB} {g:████}{w:█████████}{h:▋}{d:░░  peak }{h: -3.0}

        {d:out}  out    {d:-> }system:playback_1, system:playback_2
             rig    127.0.0.1:7700  120{d:/s  held 1234  failed 0}   {d:/visgraph/rig/1 0.57}
                    10.0.0.5:8000    30{d:/s  held    7  failed }{W:2}   {d:/visgraph/rig/1 0.57}
             lamps  {F:nobody listens on 127.0.0.1:7701}{d:  failed 60}

        {W:•} {W:in_3: digital silence from system:capture_17}
        {W:•} {W:in_5: -58.2 dB is below quiet, which opens at -50.0 dB}
        {d:•} in_1 connected to mixer:out_1
        {F:•} {F:sparks.yaml:12:5: error: there is no setting `realease` here; did you mean `release`?}
        {F: } {F:[unknown-setting]}
        {W:•} {W:the old graph stays}



        {s:r}{d: reload}  {s:q}{d: quit}
        """)
  }

  @Test func `everything on a wide terminal`() {
    #expect(
      plain(screen(Stages.large, 160, 24, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Festival – große Bühne 大舞台   JACK "visgraph"  48000 Hz  256 samples  xruns 3  merged 12  not finite 5                                                    1:02

        in   in   1 Kick                  <- mixer:out_1               -12.4 dB ███████████████████████████████▋░░░░░░░░░░░░░░░░░░░░░▎░░░░░░░░░░  peak  -3.1
                  2 Snare top             <- mixer:out_2, mixer:out_3   -0.3 dB ███████████████████████████████████████████████████████████████▎  peak  +0.4
                  3 歌声メイン            <- system:capture_17            -∞ dB digital silence from system:capture_17
                  4 A very long channel…  nothing connected: jack_connect SOURCE visgraph:in_4
                  5 Room                  <- stage:room                -58.2 dB below quiet, which opens at -50.0 dB
             song 1 Left                  <- demo.flac 0:12 / 3:40     -31.3 dB ██████████▋░░░░░▎░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  peak -24.0
                  2 Right                                               -6.0 dB █████████████████████████████████████████████▊░░░░░░░░░▎░░░░░░░░  peak  -2.5
             tone 1                       <- sine 440 Hz                -3.0 dB ██████████████████████████████████████████████████████▌░░░░░░░░░  peak  -3.0

        out  out    -> system:playback_1, system:playback_2
             rig    127.0.0.1:7700  120/s  held 1234  failed 0   /visgraph/rig/1 0.57
                    10.0.0.5:8000    30/s  held    7  failed 2   /visgraph/rig/1 0.57
             lamps  nobody listens on 127.0.0.1:7701  failed 60

        • in_1 connected to mixer:out_1
        • sparks.yaml:12:5: error: there is no setting `realease` here; did you mean `release`? [unknown-setting]
        • the old graph stays




        r reload  q quit
        """)
  }

  @Test func `everything in sixty columns`() {
    #expect(
      plain(screen(Stages.large, 60, 24, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Festival – große Bühne 大舞台                           1:02
        JACK "visgraph"  48000 Hz  xruns 3  merged 12  not finite 5

        in   in   1 Kick          <- mixer:out…  -12.4 dB █████░░░▎░
                  2 Snare top     <- mixer:… +1   -0.3 dB █████████▉
                  3 歌声メイン    <- system:ca…     -∞ dB silence
                  4 A very long…  not connected
                  5 Room          <- stage:room  -58.2 dB below gate
             song 1 Left          <- demo… 0:12  -31.3 dB █▋▎░░░░░░░
                  2 Right                         -6.0 dB ███████▏▎░
             tone 1               <- sine 440 …   -3.0 dB ████████▌░

        out  out    -> system:playback_1, system:playback_2
             rig    127.0.0.1:7700  120/s  held 1234  failed 0
                    10.0.0.5:8000    30/s  held    7  failed 2
             lamps  nobody listens on 127.0.0.1:7701  failed 60

        • in_3: digital silence from system:capture_17
        • in_4: nothing connected: jack_connect SOURCE visgraph:in_4
        • in_5: -58.2 dB is below quiet, which opens at -50.0 dB
        • sparks.yaml:12:5: error: there is no setting `realease`
          here; did you mean `release`? [unknown-setting]
        • the old graph stays
        r reload  q quit
        """)
  }

  @Test func `everything in forty columns`() {
    #expect(
      plain(screen(Stages.large, 40, 24, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Festival – große Bühne 大舞台       1:02
        JACK "visgraph"  xruns 3  merged 12

        in   in   1 Kick     -12.4 dB █████░░░▎░
                  2 Snare …   -0.3 dB █████████▉
                  3 歌声メ…     -∞ dB silence
                  4 A very…  not connected
                  5 Room     -58.2 dB below gate
             song 1 Left     -31.3 dB █▋▎░░░░░░░
                  2 Right     -6.0 dB ███████▏▎░
             tone 1           -3.0 dB ████████▌░

        out  out    -> system:playback_1 +1
             rig    127.0.0.1:7700  120/s
                    10.0.0.5:8000    30/s
             lamps  nobody listens on 127.0.0.1…

        • in_3: digital silence from
          system:capture_17
        • in_4: nothing connected: jack_connect
          SOURCE visgraph:in_4
        • the old graph stays

        r reload  q quit
        """)
  }

  @Test func `everything in eight rows`() {
    #expect(
      plain(screen(Stages.large, 80, 8, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Festival – große Büh…   JACK "visgraph"  xruns 3  merged 12  not finite 5   1:02
        in     in 1 -12.4 █████░░░▎░    in 4 not connected     song 2  -6.0 ███████▏▎░
               in 2  -0.3 █████████▉    in 5 -58.2 below gate  tone 1  -3.0 ████████▌░
               in 3    -∞ silence     song 1 -31.3 █▋▎░░░░░░░
        out  out    -> system:playback_1, system:playback_2
             3 more targets not shown
        • in_3: digital silence from system:capture_17
        r reload  q quit
        """)
  }

  @Test func `thirty-two channels on an ordinary terminal`() {
    #expect(
      plain(screen(Stages.wide(32), 80, 24, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Stereo sparks   JACK "visgraph"  48000 Hz  256 samples  xruns 0             1:02

        in    1 Channel 1      -2.0 ███████████▊▎  17 Channel 17    -34.0 █▉▎░░░░░░░░░░
              2 Channel 2      -4.0 ██████████▌░▎  18 Channel 18    -36.0 █▋░░░░░░░░░░░
              3 Channel 3      -6.0 █████████▎░▎░  19 Channel 19    -38.0 █▌░░░░░░░░░░░
              4 Channel 4      -8.0 ████████▎▎░░░  20 Channel 20    not connected
              5 Channel 5     not connected        21 Channel 21    -42.0 █▏░░░░░░░░░░░
              6 Channel 6     -12.0 ██████▋▎░░░░░  22 Channel 22    -44.0 █▎░░░░░░░░░░░
              7 Channel 7     -14.0 █████▉▎░░░░░░  23 Channel 23    -46.0 ▉▎░░░░░░░░░░░
              8 Channel 8     -16.0 █████▎▎░░░░░░  24 Channel 24    -48.0 ▉░░░░░░░░░░░░
              9 Channel 9     -18.0 ████▋▎░░░░░░░  25 Channel 25    not connected
             10 Channel 10    not connected        26 Channel 26    -52.0 ▋░░░░░░░░░░░░
             11 Channel 11    -22.0 ███▊▎░░░░░░░░  27 Channel 27    -54.0 ▋░░░░░░░░░░░░
             12 Channel 12    -24.0 ███▎░░░░░░░░░  28 Channel 28    -56.0 ▌░░░░░░░░░░░░
             13 Channel 13    -26.0 ██▉▎░░░░░░░░░  29 Channel 29    -58.0 ▌░░░░░░░░░░░░
             14 Channel 14    -28.0 ██▋▎░░░░░░░░░  30 Channel 30    not connected
             15 Channel 15    not connected        31 Channel 31    -62.0 ▍░░░░░░░░░░░░
             16 Channel 16    -32.0 ██▏░░░░░░░░░░  32 Channel 32    -64.0 ▎░░░░░░░░░░░░

        out  rig  127.0.0.1:7700  120/s  held 0  failed 0   /visgraph/rig/1 0.57

        • in_5 and 5 more of in: nothing connected: jack_connect SOURCE visgraph:in_5

        r reload  q quit
        """)
  }

  @Test func `more channels than any terminal holds`() {
    #expect(
      plain(screen(Stages.wide(128, named: false), 60, 16, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Stereo sparks                                           1:02
        JACK "visgraph"  48000 Hz  256 samples  xruns 0
        in     1  -2.0 ██████████████▍▎   10 not connected
               2  -4.0 ████████████▉░░▎   11 -22.0 ████▌▎░░░░░░░░░░
               3  -6.0 ███████████▌░▎░░   12 -24.0 ████▎░░░░░░░░░░░
               4  -8.0 ██████████▎░▎░░░   13 -26.0 ███▋▎░░░░░░░░░░░
               5 not connected            14 -28.0 ███▎░░░░░░░░░░░░
               6 -12.0 ████████▏▎░░░░░░   15 not connected
               7 -14.0 ███████▎▎░░░░░░░   16 -32.0 ██▌▎░░░░░░░░░░░░
               8 -16.0 ██████▍▎░░░░░░░░   17 -34.0 ██▎░░░░░░░░░░░░░
               9 -18.0 █████▊▎░░░░░░░░░   18 -36.0 ██▎░░░░░░░░░░░░░
             110 more channels not shown
        out  rig  127.0.0.1:7700  120/s  held 0  failed 0
        • in_5 and 24 more of in: nothing connected: jack_connect
          SOURCE visgraph:in_5
        r reload  q quit
        """)
  }

  @Test func `a run by the clock`() {
    #expect(
      plain(screen(Stages.clock, 80, 12, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        by the clock  44100 Hz                                                      1:02

        in   in   1 Kick   <- mixer:out_1      -12.4 dB no JACK
                  2 Snare  runs by the clock, without JACK: nothing can be connected
             song 1        <- demo.flac ended     -∞ dB ░░░░░░░░░░░░░░░░░░░░

        out  out  leads nowhere: no JACK

        • in_1: runs by the clock, without JACK: nothing can be connected
        • out: it is not heard: no JACK server answers; no other sound server was found:
          start JACK (qjackctl, or `jackd -d alsa`), then this again
        r reload  q quit
        """)
  }

  @Test func `a run that waits for its server`() {
    #expect(
      plain(screen(Stages.waiting, 80, 8, TerminalStyle(colors: .none, glyphs: .full)))
        == """
        Stereo sparks   JACK "visgraph" waiting for a server                        1:02

        in   1

        • no JACK server answers: start one (qjackctl, or jackd -d alsa), or quit and
          use --host clock

        r reload  q quit
        """)
  }

  @Test func `no size makes a line too wide or a screen too high`() {
    for stage in [
      Stages.small, Stages.large, Stages.clock, Stages.waiting, Stages.controlled, Stages.open,
      Stages.wide(1),
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
    let lines = screen(stage, 60, 20, TerminalStyle(colors: .none, glyphs: .ascii))
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
    for line in screen(stage, 120, 40, TerminalStyle()) {
      #expect(line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    }
  }
}
