import Foundation
import TestSounds
import TestSupport
import Testing

/// Exit codes and sentences of everything that is wrong with the command line and the files it names.
@Suite(.blocking) struct BadUsageTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    graph = try folder.write(
      "visgraph: 1\nnodes:\n  tone: { type: tone-source }\n  meter: { type: meter }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
  }

  @Test func `wrong usage ends with 64 and the allowed arguments`() throws {
    let long = String(repeating: "x", count: 64)
    let wrong: [([String], String)] = [
      (["run", graph, "--nonsense"], "Error: Unknown option '--nonsense'"),
      (["run"], "Error: Missing expected argument '<graph>'"),
      (["dance"], "Error: there is no command dance (commands: run, play, "),
      (["run", graph, "--client", long], "it takes 1 to 63 bytes and no colon, this has 64 bytes"),
      (["run", graph, "--client", "a:b"], "it takes 1 to 63 bytes and no colon"),
      (["run", graph, "--for", "0"], "--for takes a time above 0"),
      (["run", graph, "--for", "nan"], "--for takes a time above 0"),
      (["run", graph, "--control", "0.0.0.0:7770"], "nothing says who may; add --allow"),
      (["run", graph, "--control", "[::]:7770"], "--allow any for all machines [control-open]"),
      (["run", graph, "--control", "nowhere"], "The value 'nowhere' is invalid for '--control"),
      (["run", graph, "--allow", "10.0.0.0/33"], "The value '10.0.0.0/33' is invalid for '--allow"),
      (["run", graph, "--cycle", "9000"], "--cycle takes 1…8192 samples"),
      (["run", graph, "--levels", "levels.txt"], "--levels levels.txt: the name ends in .csv or .jsonl"),
      (["run", graph, "--set", "nonsense"], "--set nonsense: write NAME=VALUE or ID.SETTING=VALUE"),
      (["run", graph, "--host", "coreaudio"], "The value 'coreaudio' is invalid for '--host <host>'"),
      (["render", graph], "Error: Missing expected argument '--output <output> ...'"),
      (["render", graph, "-o", "a.wav"], "-o a.wav: the name ends in"),
      (["render", graph, "-o", "a.csv", "--rate", "10"], "--rate takes 1000…768000 Hz"),
      (["render", graph, "-o", "a.csv", "--input", "song"], "--input song: write ID=AUDIO"),
      (["render", graph, "-o", "a.csv", "--input", "in=a.wav"], "the graph has no jack-input called in"),
      (["nodes", "oscillator"], "there is no node type oscillator; there are: file-source, "),
      (["check", graph, "--format", "xml"], "The value 'xml' is invalid for '--format <format>'"),
    ]
    for (words, message) in wrong {
      let ending = try Visgraph.run(words)
      #expect(ending.code == 64, "\(words): \(ending.notes)")
      #expect(ending.notes.contains(message), "\(words): \(ending.notes)")
      #expect(ending.results == "", "\(words)")
    }
  }

  @Test func `a file given to the wrong command, or to none, is reported with the right one`() throws {
    let song = try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 4800)]), to: "song.wav")
    let list = try folder.write("song.wav\n", to: "list.m3u")
    let emitter = try folder.write("visgraph-emitter: 1\n", to: "emitter.yaml")
    for command in [["run", song], ["check", song], ["render", song, "-o", folder.file("a.csv")]] {
      let ending = try Visgraph.run(command)
      #expect(ending.code == 2)
      #expect(
        ending.notes
          == "\(song): error: this is an audio file, not a graph [not-a-graph]\n    = to hear it: visgraph play \(song)\n"
      )
    }
    #expect(try Visgraph.run("run", list).notes.contains("this is a playlist, not a graph"))
    let play = try Visgraph.run("play", graph, "--host", "clock", "--control", "off")
    #expect(play.code == 2)
    #expect(
      play.notes
        == "visgraph: '\(graph)' is a graph, not an audio file; to run it: visgraph run \(graph)\n")
    let both = try Visgraph.run("play", emitter, song, "--host", "clock", "--control", "off")
    #expect(both.code == 0 && both.notes.contains("plays song"), "\(both.notes)")
    #expect(
      both.notes.hasPrefix("visgraph: '\(emitter)' is an emitter file, which a graph names, not an audio"))
    for (word, message) in [
      (graph, "\(graph) is a graph, and a command comes first: visgraph run \(graph)"),
      (song, "\(song) is an audio file, and a command comes first: visgraph play \(song)"),
      (folder.path, "\(folder.path) is a folder, and a command comes first: visgraph play \(folder.path)"),
      ("plya", "there is no command plya; did you mean play? (commands: run, play, "),
      ("foo", "there is no command foo (commands: run, play, "),
    ] {
      let ending = try Visgraph.run([word, "--shuffle"])
      #expect(ending.code == 64)
      #expect(ending.notes.hasPrefix("Error: \(message)"), "\(ending.notes)")
    }
  }

  @Test func `check prints the size of a graph on request, and render the files that it wrote`() throws {
    #expect(try Visgraph.run("check", graph, "-v").results == "fine: 2 nodes, 1 wire\n")
    #expect(try Visgraph.run("check", graph).results == "")
    let (levels, score, picture) = (folder.file("w.csv"), folder.file("w.osc"), folder.file("w.png"))
    let ending = try Visgraph.run(
      "render", graph, "-o", levels, "-o", score, "-o", picture, "--for", "1.5s", "--at", "0:01", "--size",
      "64x36")
    #expect(ending.code == 0, "\(ending.notes)")
    // A graph without an emitter has a black picture, and that is all there is to say.
    #expect(ending.notes.hasPrefix("visgraph: nothing is to be seen: "), "\(ending.notes)")
    #expect(ending.notes.split(separator: "\n").count == 1, "\(ending.notes)")
    #expect(
      ending.results == """
        wrote \(levels): 90 frames of 2 levels, 1.5 s
        wrote \(score): 0 packets, 1.5 s
        wrote \(picture): 64x36, as it is at 1 s

        """)
    #expect(LevelRows(levels).count == 90)
  }

  @Test func `a graph at standard input is checked, rendered and run like a file`() throws {
    func piped(_ text: String, _ words: String...) throws -> Child {
      let path = try folder.write(text, to: "piped.yaml")
      return try Child(["sh", "-c", "cat '\(path)' | '\(Visgraph.path)' \(words.joined(separator: " "))"])
    }
    let text = String(decoding: bytes(of: graph), as: UTF8.self)
    let fine = try piped(text, "check - -v")
    #expect(fine.exitCode() == 0 && fine.notes == "" && fine.results == "fine: 2 nodes, 1 wire\n")
    let wrong = try piped("visgraph: 1\nnodes: { a: { type: tone-sauce } }\n", "check -")
    #expect(wrong.exitCode() == 2)
    #expect(wrong.notes.hasPrefix("<stdin>:2:21: error: there is no node type"), "\(wrong.notes)")
    let empty = try piped("", "check -")
    #expect(empty.exitCode() == 2 && empty.notes.hasPrefix("<stdin>: error: the file is empty"))
    let set = try piped(text, "check - --set tone.levle=1")
    #expect(set.exitCode() == 2 && set.notes.contains("did you mean level?"))
    let out = folder.file("piped.csv")
    let render = try piped(text, "render - --for 1s -o '\(out)'")
    #expect(render.exitCode() == 0, "\(render.notes)")
    #expect(LevelRows(out).count == 60)
    let run = try piped(text, "run - --host clock --for 100ms --control off --watch")
    #expect(run.exitCode() == 0, "\(run.notes)")
  }

  @Test func `a render that cannot begin leaves no file that would block the next`() throws {
    let levels = folder.file("levels.csv")
    let score = folder.file("score.osc")
    let endless = try Visgraph.run("render", graph, "-o", levels, "-o", score)
    #expect(endless.code == 2)
    #expect(endless.notes.contains("say how long with --for"), "\(endless.notes)")
    #expect(!FileManager.default.fileExists(atPath: levels))
    #expect(!FileManager.default.fileExists(atPath: score))
    // One that was there already is left alone.
    _ = try folder.write("mine", to: "levels.csv")
    #expect(try Visgraph.run("render", graph, "-o", score, "-o", levels, "--for", "1").code == 1)
    #expect(try String(contentsOfFile: levels, encoding: .utf8) == "mine")
    #expect(!FileManager.default.fileExists(atPath: score))
  }

  @Test func `more ports than a host has are a fault of the graph, in one sentence`() throws {
    let wide = try folder.write(
      "visgraph: 1\nnodes:\n"
        + ["a", "b", "c", "d", "e"].map { "  \($0): { type: jack-input, channels: 512 }\n" }.joined()
        + "  meter: { type: meter }\nwires: [a -> meter]\n", to: "wide.yaml")
    for command in [
      ["run", wide, "--host", "clock", "--for", "1"],
      ["render", wide, "-o", folder.file("x.csv"), "--for", "1"],
    ] {
      let ending = try Visgraph.run(command)
      #expect(ending.code == 2, "\(ending.notes)")
      #expect(ending.notes.contains("visgraph: the graph asks for 2560 ports"), "\(ending.notes)")
      #expect(ending.notes.contains("[too-many-ports]"), "\(ending.notes)")
    }
  }

  @Test func `two channels with one address are a fault of the graph`() throws {
    let double = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 2 }
        meter: { type: meter }
        rig: { type: osc-output, to: "127.0.0.1:7700", address: "/x/{source}" }
      wires: [tone -> meter -> rig]
      """, to: "double.yaml")
    for command in [
      ["run", double, "--host", "clock", "--for", "1"],
      ["render", double, "-o", folder.file("x.csv"), "--for", "1"],
    ] {
      let ending = try Visgraph.run(command)
      #expect(ending.code == 2, "\(ending.notes)")
      #expect(
        ending.notes.contains("error: channels 1 and 2 would both be sent to /x/{source}; put {channel}"),
        "\(ending.notes)")
    }
  }

  @Test func `graphs that cannot be read end with 2 and one fault`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("d.yaml"), withIntermediateDirectories: false)
    _ = try folder.write("", to: "empty.yaml")
    _ = try folder.write("visgraph: 1\nnodes: [\n", to: "torn.yaml")
    _ = try folder.write("visgraph: 2\nnodes: {}\n", to: "newer.yaml")
    for (name, words) in [
      ("missing.yaml", "there is no file"), ("d.yaml", "is a folder, not a graph file"),
      ("empty.yaml", "empty"),
      ("torn.yaml", "error"), ("newer.yaml", "newer version of visgraph"),
    ] {
      let path = folder.file(name)
      for command in [
        ["check", path], ["run", path, "--host", "clock", "--for", "1"],
        ["render", path, "-o", folder.file("x.csv")],
      ] {
        let ending = try Visgraph.run(command)
        #expect(ending.code == 2, "\(name): \(ending.notes)")
        #expect(ending.notes.hasPrefix(path), "\(ending.notes)")
        #expect(ending.notes.lowercased().contains(words.lowercased()), "\(name): \(ending.notes)")
        #expect(ending.notes.components(separatedBy: "error:").count == 2, "\(ending.notes)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("x.csv")))
  }

  @Test func `files that cannot be written end with 1 and one line`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.csv"), withDestinationPath: "/dev/full")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.osc"), withDestinationPath: "/dev/full")
    let there = try folder.write("mine\n", to: "there.csv")
    let nowhere = folder.file("no/where.csv")
    let score = try folder.write(
      "visgraph: 1\nnodes:\n  tone: { type: tone-source }\n  meter: { type: meter }\n"
        + "  rig: { type: osc-output, to: 127.0.0.1:9 }\nwires: [tone -> meter -> rig]\n", to: "score.yaml")
    let wrong: [([String], String)] = [
      (["render", graph, "--for", "1", "-o", nowhere], "visgraph: \(nowhere): No such file or directory\n"),
      (
        ["render", graph, "--for", "1", "-o", there],
        "visgraph: \(there): File exists; --force writes over it\n"
      ),
      (
        ["render", graph, "--for", "1", "--force", "-o", folder.file("full.csv")],
        "visgraph: \(folder.file("full.csv")): No space left on device\n"
      ),
      (
        ["render", graph, "--for", "60", "--force", "-o", folder.file("full.csv")],
        "visgraph: \(folder.file("full.csv")): No space left on device\n"
      ),
      (
        ["run", graph, "--host", "clock", "--for", "0.1", "--levels", nowhere],
        "visgraph: \(nowhere): No such file or directory\n"
      ),
      (
        ["run", graph, "--host", "clock", "-q", "--for", "0.1", "--levels", folder.file("full.csv")],
        "visgraph: \(folder.file("full.csv")): No space left on device\n"
      ),
    ]
    for (words, line) in wrong {
      let ending = try Visgraph.run(words)
      #expect(ending.code == 1, "\(words): \(ending.notes)")
      // A run also says how much is missing, and a slow one that it waits for room.
      let lines = ending.notes.split(separator: "\n").map { note in
        String(note).replacing(/; .*(missing|room)$/, with: "") + "\n"
      }
      #expect(Set(lines) == [line], "\(words): \(ending.notes)")
    }
    #expect(bytes(of: there) == Data("mine\n".utf8))
    #expect(try Visgraph.run("render", graph, "--for", "1", "--force", "-o", there).code == 0)
    #expect(LevelRows(there).count == 60)
    let full = try Visgraph.run("render", score, "--for", "1", "--force", "-o", folder.file("full.osc"))
    #expect(full.code == 1, "\(full.notes)")
    #expect(
      full.notes.contains("full.osc") && full.notes.contains("No space left on device"), "\(full.notes)")
  }

  @Test func `a graph without an end needs a length`() throws {
    let ending = try Visgraph.run("render", graph, "-o", folder.file("a.csv"))
    #expect(ending.code == 2)
    #expect(
      ending.notes
        == "visgraph: nothing in this graph ends by itself: say how long with --for, or play files into "
        + "its inputs with --input ID=AUDIO\n")
  }

  @Test func `JACK without a server ends with one line and no word of the library`() throws {
    let name = "visgraph-nobody-\(getpid())"
    let child = try Child([Visgraph.path, "run", graph, "--host", "jack", "--no-wait", "--server", name])
    #expect(child.exitCode() == 1)
    #expect(
      child.notes == "visgraph: no JACK server named \"\(name)\" answers. Start one (jackd, or qjackctl), "
        + "leave out --no-wait to wait for it, or use --host clock\n")
    #expect(child.results == "")
    let auto = try Visgraph.runProgram(["run", graph, "--server", name, "--for", "0.1"])
    #expect(auto.code == 0)
    #expect(
      auto.notes.hasPrefix(
        "visgraph: no JACK server answers: a timer runs the engine at 48000 Hz until one does\n"),
      "\(auto.notes)")
  }
}
