import Testing

@testable import Graphs

/// Settings written back into the text of a graph file.
@Suite struct SettingWriterTests {
  /// The text with settings written into it. Settings that cannot be written precede it, each after a `!`.
  private func written(_ text: String, _ sets: String..., given: [String] = []) -> String {
    let writer = SettingWriter(Checker(testCatalogue), given: given.compactMap(Override.init))
    let result = writer.write(
      sets.compactMap(Override.init), into: SourceText(path: "graph.yaml", text: text))
    let left = result.left.isEmpty ? "" : "!\(result.left.joined(separator: " "))\n"
    return left + String(decoding: result.source.bytes, as: UTF8.self)
  }

  @Test func `a value replaces the one in the file, and all else stays`() {
    #expect(
      written(
        """
        # A show.
        visgraph: 1   # the format

        nodes:
          t:  { type: tone,   gain: -6 dB, channels: 2 }  # loud
          g:                       # measures
            decay: 300 ms          # as it was in May
            type: gauge
          s: { type: speaker }
        wires: [ t -> g,  t -> s ]   # both

        """, "t.gain=-12 dB", "g.release=1.5", "t.gain=-20") == """
          # A show.
          visgraph: 1   # the format

          nodes:
            t:  { type: tone,   gain: -20 dB, channels: 2 }  # loud
            g:                       # measures
              decay: 1500 ms          # as it was in May
              type: gauge
            s: { type: speaker }
          wires: [ t -> g,  t -> s ]   # both

          """)
  }

  @Test func `a setting that the file lacks is added after the type, or at the end of a map in braces`() {
    #expect(
      written(
        "visgraph: 1\nnodes:\n  t:\n    # high\n    type: tone   # a source\n    gain: 3\n\n  u: { type: tone, names: [A] }\n",
        "t.frequency=880 Hz", "u.gain=-3", "u.each.1.gain=-9", "t.each.1.gain=1") == """
          visgraph: 1
          nodes:
            t:
              # high
              type: tone   # a source
              each: { 1: { gain: 1 dB } }
              frequency: 880 Hz
              gain: 3

            u: { type: tone, names: [A], gain: -3 dB, each: { 1: { gain: -9 dB } } }

          """)
  }

  @Test func `a nested setting is found by its path, with dotted and older names`() {
    let text = """
      visgraph: 1
      nodes:
        t: { type: tone }
        g: { type: gauge }
        c: { type: curve }
        s:
          type: sprinkler
          emitterCells:
            a.b: { birthRate: 5, lifetime: 1 }   # sparks
            c:
              lifetime: 2 s   # long
              cells: { d: { birthRate: 1 } }
      wires: [t -> g -> c -> s]

      """
    #expect(
      written(
        text, "s.cells.a.b.birthRate=7", "s.cells.c.cells.d.lifetime=3", "s.cells.c.color=red", "s.x=10")
          == """
          visgraph: 1
          nodes:
            t: { type: tone }
            g: { type: gauge }
            c: { type: curve }
            s:
              type: sprinkler
              x: 10 pt
              emitterCells:
                a.b: { birthRate: 7, lifetime: 1 }   # sparks
                c:
                  lifetime: 2 s   # long
                  color: red
                  cells: { d: { birthRate: 1, lifetime: 3 s } }
          wires: [t -> g -> c -> s]

          """)
  }

  @Test func `lists, quoted words, multi-byte characters and line ends of Windows are handled`() {
    #expect(
      written(
        "visgraph: 1\r\nname: Größe\r\nnodes:\r\n  t:\r\n    type: tone  # é\r\n    names:\r\n    - Ä\r\n    - b  # two\r\n    channels: 2\r\n",
        "t.names=[\"x: y\", z]", "t.gain=-1")
        == "visgraph: 1\r\nname: Größe\r\nnodes:\r\n  t:\r\n    type: tone  # é\r\n    gain: -1 dB\r\n    names:\r\n      [\"x: y\", z]  # two\r\n    channels: 2\r\n"
    )
    #expect(
      written("visgraph: 1\nnodes: { t: {type: tone,} }\n", "t.path=a b.wav")
        == "visgraph: 1\nnodes: { t: {type: tone, path: a b.wav,} }\n")
    #expect(
      written("visgraph: 1\nnodes: { t: { type: tone, path: } }\n", "t.path=\"a: b\"")
        == "visgraph: 1\nnodes: { t: { type: tone, path:  \"a: b\"} }\n")
  }

  @Test(arguments: [
    ("release: 300 ms", "0.245", "245 ms"), ("release: 1 min", "45", "0.75 min"),
    ("release: 1 min", "7", "7 s"),
    ("release: 30 frames", "2", "120 frames"), ("release: 0.5", "0.245", "0.245"),
    ("release: 2 s", "0.5 min", "0.5 min"),
    ("release: 300ms", "0.0125", "12.5 ms"), ("hold: 2 s", "0.039", "0.039 s"),
  ])
  func `a bare number takes the unit of the old value, or the default unit`(
    old: String, new: String, written: String
  ) {
    let text = "visgraph: 1\nnodes: { t: { type: tone }, g: { type: gauge, \(old) } }\nwires: [t -> g]\n"
    let name = String(old.prefix { $0 != ":" })
    #expect(
      self.written(text, "g.\(name)=\(new)") == text.replacing(old, with: "\(name): \(written)"))
  }

  @Test func `a setting without a place in the file is left out, and so is one of the command line`() {
    let text =
      "visgraph: 1\nvalues: { level: \"-6\" }\nnodes:\n  t: { type: tone, gain: \"${level}\" }\n  u: { like: t }\n"
    #expect(
      written(text, "t.gain=-9", "u.frequency=20")
        == text
        .replacing("\"${level}\"", with: "-9 dB").replacing("like: t }", with: "like: t, frequency: 20 }"))
    #expect(written(text, "t.gain=-9", given: ["t.frequency=50"]).contains("gain: -9"))
    #expect(written(text, "nobody.gain=1") == "!nobody.gain\n" + text)
    let broken = "visgraph: 1\nnodes: { t: { type: tone, gain: loud } }\n"
    #expect(written(broken, "t.frequency=20") == "!t.frequency\n" + broken)
  }

  @Test func `any settings in any order give the intended graph, or are left out`() {
    let text =
      "visgraph: 1\nnodes:\n  a: { type: tone, channels: 2 }\n  b:\n    type: tone\n    each:\n      1: { gain: 3 }\n"
    let checker = Checker(testCatalogue)
    let all = [
      "a.gain=-3", "a.each.1.gain=4", "b.each.1.gain=5", "b.frequency=30", "a.channels=3", "b.gain=1",
    ]
    for shift in all.indices {
      let sets = (all[shift...] + all[..<shift]).compactMap(Override.init)
      let source = SourceText(path: "graph.yaml", text: text)
      let result = SettingWriter(checker, given: []).write(sets, into: source)
      #expect(result.left == [])
      let wanted = checker.check(source, overrides: sets).graph
      let got = checker.check(result.source).graph
      #expect(wanted != nil && got != nil)
      for (a, b) in zip(wanted?.nodes ?? [], got?.nodes ?? []) {
        let (one, other) = (a.settings(of: Tone.self), b.settings(of: Tone.self))
        #expect(one?.all.gain == other?.all.gain && one?.all.frequency == other?.all.frequency)
        #expect(one?[0].gain == other?[0].gain && one?.all.channels == other?.all.channels)
      }
    }
  }
}
