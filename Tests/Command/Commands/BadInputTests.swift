import Foundation
import TestSounds
import TestSupport
import Testing

/// What is wrong is said in whole sentences, with an exit code that says where the fault lies.
@Suite(.blocking) struct BadInputTests {
  private static func graph(_ song: String) -> String {
    """
    visgraph: 1
    nodes:
      song: { type: file-source, path: \(song) }
      meter: { type: meter }
    wires: [song -> meter]

    """
  }

  @Test func `audio files that cannot be played are faults of the graph`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("folder.wav"), withIntermediateDirectories: false)
    try folder.write(Data(), to: "empty.wav")
    try folder.write(Data("This is a letter, not a sound.\n".utf8), to: "letter.wav")
    try folder.write(Wave.header(channels: 2, dataBytes: 0), to: "silent.wav")
    for (song, code) in [
      ("missing.wav", "[audio-missing]"), ("folder.wav", "[audio-folder]"), ("empty.wav", "[audio-empty]"),
      ("letter.wav", "[audio-"),
    ] {
      let path = try folder.write(Self.graph(song), to: "graph.yaml")
      for command in [
        ["check", path], ["run", path, "--host", "clock", "--for", "1"],
        ["render", path, "-o", folder.file("a.csv")],
      ] {
        let ending = try Visgraph.run(command)
        #expect(ending.code == 2, "\(song): \(ending.notes)")
        #expect(ending.notes.hasPrefix("\(path):3:36: error: "), "\(ending.notes)")
        #expect(ending.notes.contains(code), "\(ending.notes)")
        #expect(ending.results == "")
      }
    }
    // No samples at all is a sound, a short one.
    let path = try folder.write(Self.graph("silent.wav"), to: "graph.yaml")
    let ending = try Visgraph.run("render", path, "-o", folder.file("silent.csv"), "--tail", "0.5")
    #expect(ending.code == 0 || ending.code == 2, "\(ending.notes)")
    if ending.code == 0 { #expect(LevelRows(folder.file("silent.csv"))["meter/1"].allSatisfy { $0 == -160 }) }
  }

  @Test func `a file without playable sound is a fault of the graph, in render, too`() throws {
    let folder = try TemporaryFolder()
    let sox = try Child(
      ["sox", "-R", "-n", "-r", "48000", "-b", "16", folder.file("whole.flac"), "synth", "1", "sine", "440"])
    #expect(sox.exitCode() == 0, "\(sox.notes)")
    var flac = bytes(of: folder.file("whole.flac"))
    // The head of a FLAC file that sox writes has 114 bytes; what follows is no frame any more.
    for index in 114..<flac.count { flac[index] = UInt8(truncatingIfNeeded: index &* 73) & 0x7F }
    try folder.write(Data(flac), to: "broken.flac")
    let path = try folder.write(Self.graph("broken.flac"), to: "graph.yaml")
    let ending = try Visgraph.run("render", path, "-o", folder.file("a.csv"), "--tail", "0")
    #expect(ending.code == 2)
    #expect(ending.notes.contains("song: the audio file '"), "\(ending.notes)")
    #expect(ending.notes.contains("ends too early (0 samples of 48000)"), "\(ending.notes)")
    #expect(ending.notes.contains("song: nothing of '"), "\(ending.notes)")
  }

  @Test func `a truncated file is played as far as it goes, and that is reported`() throws {
    let folder = try TemporaryFolder()
    let whole = Wave.bytes([[Float](repeating: 0.5, count: 96000)])
    try folder.write(whole.prefix(44 + 48000 * 4), to: "short.wav")
    let sox = try Child(
      [
        "sox", "-R", "-n", "-r", "48000", "-b", "16", folder.file("whole.flac"), "synth", "2", "whitenoise",
        "vol", "0.5",
      ])
    #expect(sox.exitCode() == 0, "\(sox.notes)")
    let flac = bytes(of: folder.file("whole.flac"))
    try folder.write(flac.prefix(flac.count / 2), to: "short.flac")
    for song in ["short.wav", "short.flac"] {
      let path = try folder.write(Self.graph(song), to: "graph.yaml")
      let out = folder.file(song + ".csv")
      let render = try Visgraph.run("render", path, "-o", out, "--tail", "1")
      #expect(render.code == 0, "\(song): \(render.notes)")
      #expect(render.notes.contains("visgraph: song: "), "\(song): \(render.notes)")
      let peaks = LevelRows(out)["meter.peak/1"]
      #expect(peaks.prefix(20).allSatisfy { abs($0 + 6.02) < 0.1 }, "\(song)")
      #expect((peaks.last ?? 0) < -40, "\(song)")
      let live = try Visgraph.run("run", path, "--host", "clock", "--for", "1.5", "--levels", out)
      #expect(live.code == 0, "\(song): \(live.notes)")
      #expect(live.notes.contains("visgraph: song: "), "\(song): \(live.notes)")
      #expect(LevelRows(out).count == 90)
    }
  }

  @Test func `samples that are not numbers count as 0, and are counted`() throws {
    let folder = try TemporaryFolder()
    var sound = [Float](repeating: 0.25, count: 48000)
    for i in stride(from: 100, to: 48000, by: 1000) { sound[i] = .nan }
    for i in stride(from: 200, to: 48000, by: 2000) { sound[i] = .infinity }
    for i in stride(from: 300, to: 48000, by: 2000) { sound[i] = -.infinity }
    let denormals = [Float](repeating: Float(bitPattern: 700), count: 48000)
    let huge = [Float](repeating: 3e38, count: 48000)
    try folder.write(Wave.bytes([sound, denormals, huge]), to: "bad.wav")
    let path = try folder.write(Self.graph("bad.wav"), to: "graph.yaml")
    let ending = try Visgraph.run(
      "run", path, "--host", "clock", "--for", "0.9", "-v", "--levels", folder.file("a.csv"))
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(
      ending.notes.contains("visgraph: song: ") && ending.notes.contains("are not finite and count as 0"),
      "\(ending.notes)")
    let rows = LevelRows(folder.file("a.csv"))
    #expect(rows.count == 54)
    #expect(rows["meter.peak/1"].allSatisfy { abs($0 + 12.0412) < 0.001 })
    #expect(rows["meter/1"].allSatisfy { abs($0 + 9.04) < 0.05 })
    #expect(rows["meter.peak/2"].allSatisfy { $0 == -160 })
    #expect(rows["meter.peak/3"].allSatisfy { $0 > 200 && $0 < 300 })
    let render = try Visgraph.run("render", path, "-o", folder.file("b.csv"), "--for", "0.9")
    #expect(render.code == 0)
    #expect(firstDifference(bytes(of: folder.file("a.csv")), bytes(of: folder.file("b.csv"))) == nil)
  }

  @Test func `missing receivers do not stop the show`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let closed = try OscReceiver.closedPort()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        rig:
          type: osc-output
          rate: 0
          repeat: 0.05
          to: [127.0.0.1:\(closed), "no-such-host.invalid:9000", 127.0.0.1:\(ear.port)]
      wires: [tone -> meter -> level -> rig]

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "1.5", "--levels", levels)
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(LevelRows(levels).count == 90)
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.messages.count > 10 })
    #expect(ending.notes.contains("127.0.0.1:\(closed)"), "\(ending.notes)")
    #expect(ending.notes.contains("no-such-host.invalid"), "\(ending.notes)")
  }
}
