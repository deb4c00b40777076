import Engine
import Playback
import Testing

@testable import visgraph

@Suite struct PlayerTextTests {
  private func model(
    _ levels: [(average: Float, peak: Float)] = [(-12.4, -3.1), (-14, -6)],
    _ change: (inout PlayerSnapshot) -> Void = { _ in }
  ) -> PlayerScreenModel {
    var model = PlayerScreenModel(
      snapshot: PlayerStages.snapshot(change), status: PlayerStages.status(levels))
    model.coming = ["02 Lent et triste", "Gnossienne No. 1"]
    return model
  }

  private func lines(
    _ columns: Int, _ rows: Int, _ model: PlayerScreenModel, _ style: TerminalStyle = TerminalStyle()
  ) -> [Line] {
    PlayerText(columns: columns, rows: rows, style: style).lines(model)
  }

  private func text(
    _ columns: Int, _ rows: Int, _ model: PlayerScreenModel, _ style: TerminalStyle = TerminalStyle()
  ) -> String {
    plain(lines(columns, rows, model, style)).split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
      }.joined(separator: "\n")
  }

  @Test func `a usual terminal shows everything`() {
    #expect(
      text(80, 24, model()) == """

          Gymnopédie No. 1                                                      1 of 3
          Erik Satie — Trois Gymnopédies
          01 Lent et douloureux.flac · 44100 Hz · stereo · 912 kbit/s · FLAC, 16 bit

          ▶  1:23 ━━━━━━━━━━━━━━━━━━───────────────────────────────────────────── 4:56
          playing   volume 100 %   rate 1.00   repeat off   shuffle off   pan centre

          L -12.4 dB  █████████████████████████▊                 ▎          peak  -3.1
          R -14.0 dB  ███████████████████████▌             ▎                peak  -6.0

          next  02 Lent et triste
                Gnossienne No. 1









          JACK "visgraph"  48000 Hz  256 samples                control 127.0.0.1:7770
          space pause  ←→ 5 s  ↑↓ volume  n next  b back  / choose  ? keys  q quit
        """)
  }

  @Test func `colors mark what is important`() {
    #expect(
      marked(Array(lines(48, 12, model()).prefix(6)))
        == """
          {s:Gymnopédie No. 1}                      {d:1 of 3}
          Erik Satie — Trois Gymnopédies
          {d:01 Lent et douloureux.flac · 44100 Hz}

          {a:▶}  1:23 {a:━━━━━━━━╸}{d:──────────────────────} {d:4:56}
          playing   {d:volume 100 %}   {d:rate 1.00}
        """)
  }

  @Test func `a small terminal shows the most important rows`() {
    #expect(
      text(30, 8, model()) == """
        Gymnopédie No. 1        1 of 3
        Erik Satie — Trois Gymnopédies
        01 Lent et douloureux.flac
        ▶  1:23 ━━━━━──────────── 4:56
        playing   volume 100 %
        L -12.4 dB  ████████▉      ▎
        R -14.0 dB  ████████▏   ▎
        space pause  ? keys  q quit
        """)
    #expect(
      text(24, 5, model()) == """
        Gymnopédie No. 1  1 of 3
        ▶  1:23 ━━━──────── 4:56
        L -12.4 dB  █████▉    ▎
        R -14.0 dB  █████▍  ▎
        ? keys  q quit
        """)
    #expect(text(20, 2, model()) == "▶ 1:23 Gymnopédie N…\n? keys  q quit")
    #expect(text(12, 1, model()) == "▶ 1:23 Gymn…")
  }

  @Test func `without colors and in ASCII all of it can be read`() {
    let low = model([(-20, -10), (-160, -160)]) {
      $0.settings.section = 10...150
      $0.isPlaying = false
      $0.settings.rate = 1.25
      $0.settings.volume = 0.8
      $0.settings.pan = -0.3
      $0.settings.loop = .forever
      $0.settings.shuffle = 3
    }
    #expect(
      text(100, 12, low, TerminalStyle(colors: .none, glyphs: .ascii)) == """
          Gymnopedie No. 1                                                                          1 of 3
          Erik Satie - Trois Gymnopedies
          01 Lent et douloureux.flac | 44100 Hz | stereo | 912 kbit/s | FLAC, 16 bit

          || 1:23 ==[=====================------------------]---------------------------------------- 4:56
          paused   volume 80 %   rate 1.25 pitch kept   A-B 0:10-2:30   loop forever   repeat off

          L -20.0 dB  #######################.................|...............................  peak -10.0
          R  -inf dB  ........................................................................  peak  -inf

          JACK "visgraph"  48000 Hz  256 samples                                    control 127.0.0.1:7770
          space play  arrows seek, volume  n next  b back  / choose  ? keys  q quit
        """)
  }

  @Test func `the row of allowed senders is visible if the server's rows leave too little room`() {
    var open = model()
    open.status?.control = "0.0.0.0:7770 from 192.168.1.0/24"
    #expect(
      text(80, 24, open).hasSuffix(
        """

          control 0.0.0.0:7770 from 192.168.1.0/24
          JACK "visgraph"  48000 Hz  256 samples
          space pause  ←→ 5 s  ↑↓ volume  n next  b back  / choose  ? keys  q quit
        """))
    #expect(text(80, 24, open).split(separator: "\n", omittingEmptySubsequences: false).count == 24)
    // On a low screen it comes before the server, the file and the settings.
    for rows in 8...12 {
      #expect(text(60, rows, open).contains("  control 0.0.0.0:7770 from 192.168.1.0/24"), "\(rows)")
    }
    #expect(!text(60, 8, open).contains("JACK"))
    open.status?.control = "127.0.0.1:7770"
    #expect(!text(60, 8, open).contains("control"))
  }

  @Test func `many channels stand side by side`() {
    let many = (0..<64).map { (channel: Int) -> (average: Float, peak: Float) in
      (average: Float(-10 - channel), peak: Float(-5 - channel))
    }
    let shown = text(100, 24, model(many))
    #expect(shown.contains("  in    1 -10.0 █"))
    #expect(shown.contains(" 64 -73.0 "))
    #expect(!shown.contains("not shown"))
  }

  @Test(arguments: [
    ("loading", PlayerScreenModel.State.loading, "…"), ("playing", .playing, "▶"), ("paused", .paused, "▮▮"),
    ("stopped", .stopped, "■"), ("interrupted", .interrupted, "!"), ("played to the end", .over, "■"),
  ])
  func `every state has its word and its sign`(word: String, state: PlayerScreenModel.State, sign: String) {
    var model = model {
      $0.isPlaying = state == .playing
      $0.isOver = state == .over
      $0.isInterrupted = state == .interrupted
      if state == .loading { $0.format = nil }
    }
    model.wasStopped = state == .stopped
    #expect(model.state == state)
    #expect(text(80, 24, model).contains("  \(word)   volume"))
    #expect(text(80, 24, model).contains("\n  \(sign)"))
  }

  @Test func `a track without tags is called by its list or its file`() {
    var plain = model {
      $0.tags = AudioTags()
      $0.tracks = 1
    }
    #expect(text(80, 10, plain).hasPrefix("  01 Lent et douloureux\n  01 Lent et douloureux.flac"))
    plain.listTitle = "Slow"
    #expect(text(80, 10, plain).hasPrefix("  Slow\n"))
  }

  @Test func `a file without a stated length has no progress bar`() {
    let endless = model {
      $0.duration = nil
      $0.currentTime = 4000
    }
    #expect(text(60, 12, endless).contains("▶  1:06:40 ──────"))
    let long = model {
      $0.duration = 36_000
      $0.currentTime = 35_999
    }
    #expect(text(60, 12, long).contains("9:59:59 ━"))
  }

  @Test func `tags and names cannot move the cursor or break the columns`() {
    let nasty = model {
      $0.tags.title = "a\u{1B}[2Jb\u{202E}c\nd\u{7}"
      $0.tags.artist = String(repeating: "初音ミク", count: 30)
      $0.path = "x/\u{1B}]0;t\u{7}.mp3"
    }
    for columns in [1, 7, 20, 47, 48, 80, 133] {
      for rows in 1...30 {
        let lines = lines(columns, rows, nasty)
        #expect(lines.count <= rows)
        for line in lines {
          #expect(line.width <= columns)
          #expect(
            !line.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E || $0.value == 0x7F })
        }
      }
    }
    #expect(text(80, 24, nasty).contains("  a [2Jbc d"))
  }

  @Test func `faults are shown`() {
    var ill = model()
    let message = LogLine(text: "'b.mp3' is not an audio file", weight: .warning)
    ill.status?.messages = [message, LogLine(text: "reloaded"), message]
    ill.status?.host = Stages.jack(.lost)
    let shown = text(80, 24, ill)
    #expect(shown.split(separator: "\n").filter { $0 == "  • 'b.mp3' is not an audio file" }.count == 1)
    #expect(!shown.contains("reloaded"))
    #expect(shown.contains("the JACK server has gone"))
  }

  @Test func `the progress bar shows the section`() {
    func bar(
      _ position: Double, _ section: ClosedRange<Double>?, mark: Double? = nil, _ duration: Double? = 100
    ) -> String {
      PositionBar.line(
        position: position, duration: duration, section: section, mark: mark, width: 10,
        TerminalStyle(colors: .none, glyphs: .ascii)
      ).text
    }
    #expect(bar(0, nil) == "----------")
    #expect(bar(100, nil) == "==========")
    #expect(bar(50, nil) == "=====-----")
    #expect(bar(50, 20...80) == "==[==---]-")
    #expect(bar(50, 90...1000) == "=====----[")
    #expect(bar(50, nil, mark: 30) == "===[=-----")
    #expect(bar(50, nil, mark: 30, nil) == "----------")
    #expect(bar(.nan, nil) == "----------")
    #expect(bar(1e300, nil, .infinity) == "----------")
  }

  @Test func `the keys are listed in as many columns as fit`() {
    let tall = plain(PlayerHelp.lines(PlayerText(columns: 80, rows: 24)))
    #expect(tall.contains("  a            begin a section here; end it here; all again"))
    #expect(tall.contains("  q            quit"))
    #expect(tall.contains("  ←  →         5 s back, on\n  PgUp PgDn    a minute on, back"))
    #expect(tall.contains("  ^L           draw all anew\n  ?  h         this page"))
    let low = PlayerHelp.lines(PlayerText(columns: 80, rows: 14))
    #expect(plain(low).contains("  s            stop                     l            loop all"))
    #expect(low.count == 14)
    for rows in 1...5 { #expect(PlayerHelp.lines(PlayerText(columns: 20, rows: rows)).count == rows) }
  }
}
