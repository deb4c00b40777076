import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// Control scores: what a show is asked for is recorded, and played back gives the same bytes.
@Suite(.serialized, .blocking) struct ControlScoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 6)), to: "song.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 4000)]), to: "kick.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 9000)]), to: "hat.wav")
  }

  /// All that can be asked for while a show runs: players, sounds, settings of both halves, what goes out to lights.
  private func graph(port: Int = 9) throws -> String {
    try folder.write(
      """
      visgraph: 1
      scenes:
        soft: { seconds: 0.2, gain.gain: -12 dB, low.frequency: 900, rig.rate: 20 }
        full: { gain.gain: 3 dB, off: [pads] }
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        pads: { type: sound-bank, channels: 2, sounds: { kick: kick.wav, hat: { path: hat.wav, alert: true } } }
        gain: { type: gain }
        low: { type: filter, frequency: 3000 }
        meter: { type: meter, release: 0.2 s }
        slow: { type: meter, window: 0.3 s, reference: rms }
        level: { type: range, from: [-60, 0], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:\(port)", rate: 30, repeat: 0.5 s }
      wires:
        - song -> gain
        - pads -> gain
        - gain -> low -> meter -> level -> rig
        - low -> slow
        - pads.alert -> rig.events

      """, to: "graph.yaml")
  }

  private typealias Entry = (seconds: Double, address: String, arguments: [Argument])

  /// A score made by hand, as another program might write it.
  private func write(_ entries: [Entry]) throws -> String {
    let path = folder.file("hand.osc")
    let score = try ScoreWriter(path: path, replacing: true)
    for entry in entries {
      let packet = try Message(entry.address, arguments: entry.arguments).packet()
      packet.withUnsafeBytes { score.write($0, at: entry.seconds) }
    }
    try score.finish()
    return path
  }

  private func render(_ graph: String, control: String, to name: String, _ options: String...) throws
    -> String
  {
    let ending = try Visgraph.run(
      [
        "render", graph, "--control", control, "-o", folder.file("\(name).csv"), "-o",
        folder.file("\(name).osc"), "--force",
      ] + options)
    #expect(ending.code == 0, "\(ending.notes)")
    return ending.notes
  }

  @Test func `a score made by hand acts from the start of the next frame, at any cycle length`() throws {
    let graph = try graph()
    let entries: [Entry] = [
      (0.5, "/visgraph/node/gain/gain", [.float(-160)]),
      (0.501, "/visgraph/node/level/to", [.float(0), .float(0.5)]),
      (1, "/visgraph/node/gain/gain", [.float(0), .float(0.5)]),
      (1.2, "/visgraph/transport/seek", [.float(3.3)]),
      (1.4, "/visgraph/node/pads/play", [.string("hat")]),
      (1.5, "/visgraph/blackout", [.int(1)]),
      (1.6, "/visgraph/blackout", [.int(0)]),
      (1.7, "/visgraph/master", [.float(0.25), .float(0.1)]),
      (1.75, "/visgraph/scene", [.string("soft"), .float(0.1)]),
      (1.8, "/visgraph/node/slow/window", [.string("50 ms")]),
      (1.9, "/visgraph/subscribe", []),
      (2.3, "/visgraph/scene/next", [.int(0)]),
    ]
    let score = try write(entries)
    for cycle in ["32", "1024", "4096"] {
      let notes = try render(graph, control: score, to: cycle, "--for", "2.5", "--cycle", cycle)
      #expect(notes == "", "\(notes)")
    }
    for cycle in ["32", "4096"] {
      for kind in ["csv", "osc"] {
        let other = bytes(of: folder.file("\(cycle).\(kind)"))
        #expect(firstDifference(bytes(of: folder.file("1024.\(kind)")), other) == nil, "\(cycle) \(kind)")
      }
    }
    let rows = LevelRows(folder.file("1024.csv"))
    // Frame 31 begins at 0.5 s: the gain falls within it, and from then on the meter falls by its release, 5 dB a
    // frame.
    let peaks = rows["meter.peak/1"]
    #expect(peaks[29] == peaks[28], "\(peaks[28...33])")
    for frame in 31...50 { #expect(abs(peaks[frame] - peaks[frame - 1] + 5) < 1e-3, "\(frame)") }
    #expect(rows["level/2"][28] > 0.5 && rows["level/2"][31...].allSatisfy { $0 <= 0.5 })
    // The scene soft is there after 0.1 s, at -12 dB; the next at once, 3 dB above what the nodes say.
    let others = entries.filter { !$0.address.hasPrefix("/visgraph/scene") }
    _ = try render(graph, control: try write(others), to: "plain", "--for", "2.5")
    let plain = LevelRows(folder.file("plain.csv"))
    let usualPeaks = plain["meter.peak/1"]
    #expect(peaks[..<105] == usualPeaks[..<105])
    #expect(abs(peaks[118] - usualPeaks[118] + 12) < 1, "\(peaks[118]) \(usualPeaks[118])")
    let (loud, usual) = (rows["slow/1"][149], plain["slow/1"][149])
    #expect(abs(loud - usual - 3) < 0.05, "\(loud) \(usual)")
    let heard = try Score(folder.file("1024.osc")).entries
    let dark = heard.filter { $0.seconds > 1.5 && $0.seconds < 1.6 && $0.address.hasPrefix("/visgraph/rig/") }
    #expect(!dark.isEmpty && dark.allSatisfy { $0.values == [.float(0)] }, "\(dark)")
    #expect(heard.contains { $0.address == "/visgraph/rig/pads/hat/2" && abs($0.seconds - 1.4) < 0.05 })
  }

  @Test func `a recorded performance gives the same pictures in a film, at any cycle length`() throws {
    let graph = try folder.write(
      """
      visgraph: 1
      stage: { size: 160x90 }
      main: calm
      scenes:
        calm: { sparks.palette: ["#3050FF"], sparks.cells.spark.birthRate: 20 }
        storm: { seconds: 0.2, sparks.palette: [orangered], sparks.cells.spark.birthRate: 300 }
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        gain: { type: gain }
        meter: { type: meter }
        level: { type: meter-table }
        sparks: { type: emitter, cells: { spark: { lifetime: 1, velocity: 60, emissionRange: 360 deg } } }
      wires: [song -> gain -> meter -> level -> sparks]

      """, to: "sparks.yaml")
    let score = folder.file("live.osc")
    // The end has 0.2 s for the score, which a busy machine may exceed.
    let notes = try lastOf(4) { () -> String? in
      let child = try Child([
        Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--record-control", score,
      ])
      let peer = try ControlPeer(try child.controlPort())
      try peer.send("/visgraph/scene", .string("storm"))
      try peer.send("/visgraph/node/gain/gain", .float(-12), .float(0.1))
      #expect(child.says("scene storm"), "\(child.notes)")
      _ = stays(for: 0.5) { true }
      child.signal(SIGTERM)
      return child.exitCode() == 0 ? nil : child.notes
    }
    #expect(notes == nil)
    // A busy machine may ask for the scene seconds after the start. The score has the settings of the scene instead.
    let asked = try #require(
      try Score(score).entries.last { $0.address.hasPrefix("/visgraph/node/sparks/") })
    let begin = Int(asked.seconds)
    let times = ["\(begin).25", "\(begin).75", "\(begin + 1).5"]
    for cycle in ["32", "1024"] {
      for time in times {
        let film = try Visgraph.run(
          "render", graph, "--control", score, "--cycle", cycle, "--for", "\(begin + 2)", "--at", time, "-o",
          folder.file("\(cycle)-\(time).png"))
        #expect(film.code == 0, "\(film.notes)")
      }
    }
    for time in times {
      let other = bytes(of: folder.file("1024-\(time).png"))
      #expect(firstDifference(bytes(of: folder.file("32-\(time).png")), other) == nil)
    }
    // They are of the performance.
    #expect(
      try Visgraph.run("render", graph, "--at", times[2], "-o", folder.file("plain.png")).code == 0)
    #expect(
      firstDifference(bytes(of: folder.file("plain.png")), bytes(of: folder.file("32-\(times[2]).png")))
        != nil)
  }

  @Test func `commands that a score cannot carry out are reported, and the others act`() throws {
    let graph = try graph()
    let score = try write([
      (0.1, "/visgraph/node/gone/gain", [.float(-6)]),
      (0.2, "/visgraph/node/gain/gain", [.string("loud")]),
      (0.3, "/visgraph/graph/load", [.string("/etc/passwd")]),
      (0.31, "/visgraph/graph/reload", []),
      (0.32, "/visgraph/graph/save", []),
      (0.33, "/visgraph/graph/reload", []),
      (0.4, "/visgraph/node/gain/gain", [.float(-160)]),
    ])
    let notes = try render(graph, control: score, to: "a", "--for", "1")
    #expect(notes.contains("at 0.1 s: /visgraph/node/gone/gain: "), "\(notes)")
    #expect(notes.contains("at 0.2 s: /visgraph/node/gain/gain: "), "\(notes)")
    // Once for each address.
    let left = notes.split(separator: "\n").filter { $0.hasSuffix("saves a graph; this is left out") }
    #expect(left.count == 2, "\(notes)")
    #expect(notes.contains("s: /visgraph/graph/reload: a score neither reads, loads nor saves"), "\(notes)")
    #expect(LevelRows(folder.file("a.csv"))["meter.peak/1"][55] < -100)
  }

  @Test func `a file that is no control score is an error with the reason`() throws {
    let graph = try graph()
    let good = bytes(of: try write([(1, "/visgraph/master", [.float(0.5)])]))
    let early = bytes(of: try write([(0.5, "/visgraph/master", [.float(0.5)])]))
    let cases: [(Data, String)] = [
      (Data(good.dropLast(3)), "it ends within an entry"),
      (Data("RIFF and so on, which is a sound".utf8), "an entry of 1380533830 bytes"),
      (Data([0, 0, 0, 20]) + Data(repeating: 0x41, count: 20), "an entry that breaks OSC"),
      (Data(good + early), "times must not decrease"),
      (Data("x".utf8), "it ends within an entry"),
    ]
    for (bytes, reason) in cases {
      let path = folder.file("bad.osc")
      try bytes.write(to: URL(filePath: path))
      let ending = try Visgraph.run("render", graph, "--control", path, "-o", folder.file("no.csv"))
      #expect(ending.code == 2 && ending.notes.contains(reason), "\(reason): \(ending.notes)")
      let live = try Visgraph.run("run", graph, "--host", "clock", "--for", "1", "--control-score", path)
      #expect(live.code == 2 && live.notes.contains(reason), "\(live.notes)")
    }
    // One that a crash has torn off is played as far as it is whole, and reported.
    let late = bytes(of: try write([(2, "/visgraph/master", [.float(0.5)])]))
    try (good + late.dropLast(3)).write(to: URL(filePath: folder.file("cut.osc")))
    let torn = try render(graph, control: folder.file("cut.osc"), to: "torn", "--for", "0.1")
    #expect(
      torn.hasSuffix(
        "cut.osc: byte \(good.count): it ends within an entry; what is whole counts, until 1 s\n"), "\(torn)"
    )
    // The packets of a rig are no commands.
    let rig = try write([(1, "/visgraph/rig/1", [.float(0.5)])])
    let foreign = try Visgraph.run("render", graph, "--control", rig, "-o", folder.file("no.csv"))
    #expect(foreign.code == 2 && foreign.notes.contains("/visgraph/rig/1 at 1 s is no message"), "\(foreign)")
    // A gigabyte without a byte in it, a folder, and nothing.
    let huge = folder.file("huge.osc")
    _ = FileManager.default.createFile(atPath: huge, contents: nil)
    #expect(truncate(huge, 1 << 30) == 0)
    for (path, reason) in [(huge, "more than 32 MB"), (folder.path, "folder"), ("/nowhere/a.osc", "No such")]
    {
      let ending = try Visgraph.run("render", graph, "--control", path, "-o", folder.file("no.csv"))
      #expect(ending.code == 2 && ending.notes.contains(reason), "\(reason): \(ending.notes)")
    }
  }

  @Test func `options that exclude each other are wrong usage`() throws {
    let graph = try graph()
    for options in [
      ["--record-control", "a.osc", "--control-score", "b.osc"], ["--record-control", "a.txt"],
      ["--record-control", "a.osc", "--state", "s"],
    ] {
      let ending = try Visgraph.run(["run", graph, "--host", "clock"] + options)
      #expect(ending.code == 64, "\(options): \(ending.notes)")
    }
  }

  // MARK: - Live

  /// Seconds of a performance: some in the tests, 60 where it is measured.
  private var length: Int {
    ProcessInfo.processInfo.environment["VISGRAPH_PERFORMANCE"].flatMap(Int.init) ?? 3
  }

  /// Something that a performer may ask for.
  private func move(_ dice: inout Dice) -> (address: String, arguments: [Argument]) {
    func number(_ range: ClosedRange<Float>) -> Argument { .float(Float.random(in: range, using: &dice)) }
    switch Int.random(in: 0..<22, using: &dice) {
    case 0: return ("/visgraph/node/gain/gain", [number(-20...6)])
    case 1: return ("/visgraph/node/gain/gain", [number(-20...6), number(0.05...0.4)])
    case 2: return ("/visgraph/node/gain/2/gain", [number(-20...6)])
    case 3: return ("/visgraph/fader/low/frequency", [number(0...1)])
    case 4: return ("/visgraph/node/low/frequency", [number(100...9000), number(0.05...0.4)])
    case 5: return ("/visgraph/node/meter/release", [number(0.05...1)])
    case 6: return ("/visgraph/node/level/to", [number(0...0.3), number(0.5...1)])
    case 7: return ("/visgraph/node/pads/play", [.string("kick")])
    case 8: return ("/visgraph/node/pads/play", [.string("hat")])
    case 9: return ("/visgraph/node/pads/alert", [.string("kick")])
    case 10: return ("/visgraph/node/pads/stop", [])
    case 11: return ("/visgraph/transport/toggle", [])
    case 12: return ("/visgraph/transport/play", [])
    case 13: return ("/visgraph/transport/seek", [number(0...5.9)])
    case 14: return ("/visgraph/transport/skip", [number(-2...2)])
    case 15: return ("/visgraph/node/song/transport/volume", [number(0...1), number(0...0.4)])
    case 16: return ("/visgraph/node/song/transport/pan", [number(-1...1)])
    case 17: return ("/visgraph/master", [number(0...1), number(0...0.3)])
    case 18: return ("/visgraph/scene/next", [])
    case 19: return ("/visgraph/scene", [.string("soft"), number(0...0.5)])
    case 20: return ("/visgraph/blackout", [.int(Int32.random(in: 0...1, using: &dice))])
    default: return ("/visgraph/node/slow/window", [number(0.02...0.5)])
    }
  }

  /// What was performed does not come to what is rendered of it.
  private enum Fault: Equatable {
    case differs(String)
    case tooSlow(String)
  }

  /// Performs live, recorded, and renders the recording: gives what differs, or that the machine was too slow.
  private func perform(_ name: String, seed: UInt64, _ options: [String]) throws -> (fault: Fault?, String) {
    let ear = try OscReceiver()
    let graph = try graph(port: Int(ear.port))
    let (score, live) = (folder.file("\(name)-score.osc"), folder.file("\(name)-live.csv"))
    let child = try Child(
      [
        Visgraph.path, "run", graph, "-v", "--for", "\(length)", "--record-control", score, "--levels", live,
      ] + options)
    let peer = try ControlPeer(try child.controlPort())
    _ = poll(within: 20) { !ear.messages.isEmpty }
    var dice = Dice(seed)
    let began = now()
    var asked = 0
    while now() - began < Double(length) - 0.4 {
      // Sometimes several at once, sometimes none for a while.
      for _ in 0...Int.random(in: 0...2, using: &dice) {
        let move = move(&dice)
        try peer.send(move.address, arguments: move.arguments)
        asked += 1
      }
      let pause = Double.random(in: 0.01...0.2, using: &dice)
      _ = stays(for: pause) { true }
    }
    guard child.exitCode(within: Double(length) + 20) == 0 else { return (.differs(child.notes), "") }
    let recorded = try Score(score).entries.count
    let report = "\(asked) messages asked for, \(recorded) recorded; \(child.notes.suffix(160))"
    // Where a cycle or a frame was missed nothing can be the same.
    guard child.missedNothing, !child.notes.contains("runs no cycles")
    else { return (.tooSlow(child.notes), report) }
    let notes = try render(graph, control: score, to: name, "--for", "\(length)", "--cycle", "1000")
    let rendered = bytes(of: folder.file("\(name).csv"))
    if let place = firstDifference(rendered, bytes(of: live)) {
      return (.differs("levels at \(place): \(report) \(notes)"), report)
    }
    let expected = try Score(folder.file("\(name).osc")).entries.map { "\($0.address) \($0.values)" }
    _ = poll(within: 1) { ear.messages.count >= expected.count }
    let heard = ear.messages.map { "\($0.address) \($0.values)" }
    guard let place = zip(heard, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return (
        heard.count == expected.count ? nil : .differs("\(heard.count) and \(expected.count) packets"), report
      )
    }
    return (.differs("packet \(place) is \(heard[place]), not \(expected[place])"), report)
  }

  @Test func `a score played back live gives the levels of its rendering`() throws {
    let graph = try graph()
    let score = try write([
      (0.5, "/visgraph/node/gain/gain", [.float(-20)]),
      (0.51, "/visgraph/node/meter/release", [.float(0.5)]),
      (0.8, "/visgraph/node/pads/play", [.string("hat")]),
      (1, "/visgraph/node/gain/gain", [.float(0)]),
      (1.3, "/visgraph/transport/pause", []),
      (1.5, "/visgraph/transport/play", []),
      (1.6, "/visgraph/node/low/frequency", [.float(400)]),
    ])
    _ = try render(graph, control: score, to: "a", "--for", "2")
    // A machine that is too busy is late for a frame.
    let fault = try lastOf { () -> String? in
      let live = folder.file("live.csv")
      let ending = try Visgraph.run(
        "run", graph, "--host", "clock", "--cycle", "64", "--for", "2", "--control-score", score, "--levels",
        live)
      #expect(ending.code == 0, "\(ending.notes)")
      return firstDifference(bytes(of: folder.file("a.csv")), bytes(of: live))
    }
    #expect(fault == nil)
  }

  @Test func `a score that waits for a sound server uses no CPU time`() throws {
    let child = try Child(
      [
        Visgraph.path, "run", try graph(), "--host", "jack", "--server", "visgraph-nobody", "--for", "600",
        "--control-score", try write([(0.01, "/visgraph/master", [.float(0.5)])]),
      ], variables: ["JACK_NO_START_SERVER": "1"])
    _ = try child.controlPort()
    /// How often the main thread has gone to sleep so far.
    func rests() throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(child.identity)/status", encoding: .utf8)
      let count = try #require(status.firstMatch(of: #/\nvoluntary_ctxt_switches:\s+(\d+)/#))
      return try #require(Int(count.1))
    }
    // Some a second; a thousand where it looks at the score all the time.
    let fault = try lastOf { () -> String? in
      let (before, began) = (try rests(), now())
      _ = stays(for: 1) { true }
      let rate = Double(try rests() - before) / (now() - began)
      return rate < 100 ? nil : "\(rate) times a second"
    }
    #expect(fault == nil)
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 60) == 0, "\(child.notes)")
  }

  @Test(arguments: [32, 1024])
  func `a performance by the timer is rendered to the same bytes`(cycle: Int) throws {
    try judge {
      try perform("clock-\(cycle)", seed: UInt64(cycle), ["--host", "clock", "--cycle", "\(cycle)"]).fault
    }
  }

  @Test(.blockingInJack, arguments: [32, 1024])
  func `a performance under JACK is rendered to the same bytes`(period: Int) throws {
    var settings = JackServer.Settings()
    settings.period = period
    let server = try JackServer(settings)
    try judge {
      let (fault, report) = try perform(
        "jack-\(period)", seed: UInt64(period + 1),
        ["--host", "jack", "--server", server.name])
      if length > 10 { print("period \(period): \(report)") }
      return fault
    }
  }

  /// Performs again until it comes to what is rendered. Only where every performance was too slow nothing was compared.
  private func judge(_ perform: () throws -> Fault?) rethrows {
    var differs = false
    let fault = try lastOf(4) { () -> Fault? in
      let fault = try perform()
      if case .differs? = fault { differs = true }
      return fault
    }
    if case .tooSlow(let notes)? = fault, !differs { return noteTooBusy(notes) }
    #expect(fault == nil)
  }
}
