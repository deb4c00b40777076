import Testing

@testable import Graphs

/// Exact texts; the file around is always the same, so that only what is at fault stands in the table.
@Suite struct NodeFaultTests {
  @Test(arguments: [
    (
      "t: { type: tone, channels: 1.5 }",
      "3:28: error: t.channels is 1.5; it takes a whole number 1…64 [out-of-range]"
    ),
    ("t: { type: tone, gain: 21 }", "3:24: error: t.gain is 21; it takes a number -120…20 dB [out-of-range]"),
    (
      "t: { type: tone, gain: nan }",
      "3:24: error: t.gain is \"nan\"; it takes a number -120…20 dB [wrong-value]"
    ),
    (
      "t: { type: tone, gain: \"0,5\" }",
      "3:24: error: t.gain is \"0,5\"; it takes a number -120…20 dB [wrong-value]\n    = write a decimal point, not a comma"
    ),
    (
      "t: { type: tone, gain: 5 DB }",
      "3:24: error: t.gain has the unit \"DB\"; it takes a number -120…20 dB, in dB [unknown-unit]\n    = did you mean dB?"
    ),
    (
      "t: { type: tone, gain: [1] }",
      "3:24: error: t.gain is a list; it takes a number -120…20 dB [wrong-value]"
    ),
    (
      "t: { type: tone, gain: }",
      "3:24: error: t.gain has no value; it takes a number -120…20 dB [wrong-value]"
    ),
    (
      "t: { type: tone, names: Kick }",
      "3:25: error: t.names is \"Kick\"; it takes a list of 0 to 64, each text [wrong-value]"
    ),
    (
      "t: { type: tone, gian: 1 }",
      "3:18: error: tone has no setting \"gian\" [unknown-setting]\n    = did you mean gain?\n"
        + "    = known are type, like, each, channels, names, frequency, gain, path"
    ),
    (
      "t: { type: tone, <<: 1 }",
      "3:18: error: tone has no setting \"<<\" [unknown-setting]\n"
        + "    = to start a node from another's settings write like: ID\n"
        + "    = known are type, like, each, channels, names, frequency, gain, path"
    ),
    (
      "t: { type: gauge, release: 1, decay: 2 }",
      "3:31: error: release is given a second time as decay; the first is in line 3 [duplicate-key]\n"
        + "    = remove one of the two"
    ),
    (
      "t: { type: gauge, mode: lood }",
      "3:25: error: t.mode is \"lood\"; it takes one of peak, average [unknown-word]"
    ),
    (
      "t: { type: gauge, enabled: maybe }",
      "3:28: error: t.enabled is \"maybe\"; it takes true or false [wrong-value]"
    ),
    (
      "t: { type: sprinkler, x: 10 m }",
      "3:26: error: t.x has the unit \"m\"; it takes a number -1000000…1000000 pt, in pt, % [unknown-unit]"
    ),
    (
      "t: { type: sprinkler, cells: { a: { cells: { b: { birthRat: 1 } } } } }",
      "3:51: error: cell has no setting \"birthRat\" [unknown-setting]\n    = did you mean birthRate?\n"
        + "    = known are birthRate, lifetime, color, contents, cells"
    ),
    (
      "t: { type: sprinkler, drive: [{ from: [0, 1, 2] }] }",
      "3:39: error: t.drive.1.from has 3 values; it takes a list of 2, each a number -1000000…1000000 [wrong-count]"
    ),
    (
      "t: { type: postman, to: rig }",
      "3:25: error: t.to is \"rig\", which is not of the form it takes [wrong-text]\n"
        + "    = the form, as a regular expression: :[0-9]+$"
    ),
    (
      "t: { tpye: tone }",
      "3:1: error: t does not say its type [missing-type]\n"
        + "    = write type: TYPE, one of tone, gauge, curve, blend, sprinkler, speaker, postman, clicker\n"
        + "    = or like: ID of another node"
    ),
    (
      "t: { type: guage }",
      "3:12: error: there is no node type \"guage\" [unknown-type]\n    = did you mean gauge?\n"
        + "    = known are tone, gauge, curve, blend, sprinkler, speaker, postman, clicker"
    ),
    (
      "t: tone",
      "3:4: error: t is \"tone\"; it takes a map with type: and settings [wrong-value]\n    = write t: { type: tone }"
    ),
    ("t: note", "3:4: error: t is \"note\"; it takes a map with type: and settings [wrong-value]"),
    (
      "status: { type: tone }",
      "3:1: error: status cannot be an id: OSC addresses of visgraph itself begin with it [reserved-id]\n"
        + "    = reserved are node, transport, graph, status, error, subscribe, fader, master, blackout, identify"
    ),
    (
      "a.b: { type: tone }",
      "3:1: error: \"a.b\" cannot be an id; take 1 to 64 letters, digits, - and _ [wrong-id]"
    ),
    ("t: { like: u }", "3:12: error: there is no node \"u\" [unknown-node]\n    = known are t"),
    (
      "t: { like: t }",
      "3:12: error: like: goes round in a circle: t -> t [like-loop]\n    = one of them must say its settings itself"
    ),
    (
      "t: { type: gauge, each: { Vox: { hold: 1 } } }",
      "3:1: error: nothing is wired to t.audio [nothing-wired]\n    = it takes audio: write under wires: - ID -> t.audio"
    ),
    (
      "t: { type: tone, each: { Vox: { gain: 1 } } }",
      "3:26: error: t has no channel \"Vox\" [unknown-channel]\n    = its channels have no names; numbers 1…1"
    ),
    (
      "t: { type: tone, each: { 1: { channels: 1 } } }",
      "3:31: error: channels cannot differ from channel to channel [not-for-each]\n"
        + "    = those that can: frequency, gain"
    ),
    ("t: { type: tone, path: missing.wav }", "3:24: error: there is no file missing.wav [file-not-found]"),
    (
      "t: { type: tone, gain: \"${g}\" }",
      "3:24: error: there is no value \"g\" [unknown-value]\n    = the file has no values:\n"
        + "    = for the characters ${ themselves write $${"
    ),
  ])
  func `a fault in a node says what, where and what is allowed`(node: String, expected: String) {
    // Without the lines of the file: those are tested where they are made.
    let faults = check("visgraph: 1\nnodes:\n\(node.hasPrefix("  ") ? node : "  " + node)").faults
    let text = faults.map { fault in
      let place = fault.mark.map { "\($0.line):\($0.column - 2)" } ?? ""
      return ["\(place): error: \(fault.message) [\(fault.code)]"] + fault.notes.map { "    = \($0)" }
    }
    let first =
      (text.first { !$0[0].hasSuffix("[nothing-wired]") } ?? text.first)?.joined(separator: "\n")
      ?? "no fault"
    #expect(first == expected)
  }

  @Test func `a node like another starts from its settings`() throws {
    let checked = check(
      """
      visgraph: 1
      nodes:
        t: { type: tone, channels: 2 }
        c: { like: b, mode: peak }
        b: { like: a, release: 2 s }
        a: { type: gauge, release: 1 s, mode: rms, hold: 3, each: { 2: { release: 9 } } }
      wires: [t -> a, t -> b, t -> c]
      """)
    let graph = try #require(checked.graph)
    let c = try #require(settings(graph, "c", Gauge.self))
    #expect(c.all.release == 2 && c.all.mode == .peak && c.all.hold == 3)
    #expect(c[1].release == 9 && c[0].release == 2)
  }

  @Test func `a node like another cannot be of another type`() {
    #expect(
      said("visgraph: 1\nnodes:\n  a: { type: tone }\n  b: { type: curve, like: a }\n") == """
        graph.yaml:4:14: error: b is of type curve and cannot be like a, which is of type tone [like-other-type]
           4 |   b: { type: curve, like: a }
             |              ^^^^^
             = remove type: or like:

        """)
  }
}
