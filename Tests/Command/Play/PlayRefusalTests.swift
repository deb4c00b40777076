import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Files that cannot be played, loaded into a running show by every way there is: they are refused, and what plays goes
/// on.
@Suite(.serialized, .waiting) struct PlayRefusalTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 480_000)]), to: "song.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 480_000)]), to: "quiet.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 480_000)], rate: 500), to: "rate.wav")
    try folder.write(Wave.bytes([[Float]](repeating: [0.5, 0.5], count: 1200)), to: "wide.wav")
    try folder.write(Wave.bytes([[Float]()]), to: "none.wav")
    _ = try folder.write("no sound at all", to: "garbage.wav")
    _ = try folder.write("", to: "empty.wav")
    _ = try folder.write("gone.wav\ngarbage.wav\n", to: "bad.m3u")
    _ = try folder.write("gone.wav\ngarbage.wav\nquiet.wav\n", to: "list.m3u")
    try #require(mkdir(folder.file("nothing"), 0o700) == 0)
  }

  /// The lights show the peak: 1 for the song, 0.5 for the quiet one, 0 for a gap.
  private func graph(_ more: String = "", list: String = "song.wav") throws -> String {
    try folder.write(
      """
      visgraph: 1
      \(more)
      nodes:
        song: { type: file-source, path: \(list), channels: 1, loop: forever }
        pads: { type: sound-bank, channels: 1, sounds: { kick: song.wav } }
        meter: { type: meter, release: 0 s }
        level: { type: range, from: [-18.06, -6.02], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0, change: 0, repeat: 0.05 s }
      wires: [song -> meter.in, pads -> meter.in, meter.peak -> level -> rig]

      """, to: "graph.yaml")
  }

  private var levels: [Float] { ear.floats("/visgraph/rig/1") }

  /// Runs the graph by the clock until its lights are on.
  private func start(_ graph: String, _ options: String...) throws -> (child: Child, peer: ControlPeer) {
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "600"] + options)
    let peer = try ControlPeer(try child.controlPort())
    try #require(poll(within: 20) { (levels.last ?? 0) > 0.99 }, "\(child.notes)")
    return (child, peer)
  }

  private func codes(_ peer: ControlPeer) -> [String] {
    peer.refusals.map { String($0[$0.lastIndex(of: "[")!...].dropFirst().dropLast()) }
  }

  /// Runs the graph half a second, with its lights on.
  private func stepped(_ graph: String) throws -> SteppedRun {
    let run = try SteppedRun(graph)
    try run.frames(30)
    try #require(run.last(light) ?? 0 > 0.99, "\(run.notes)")
    return run
  }

  private let light = "/visgraph/rig/1"

  @Test func `the sender gets the reason why a file is not played, and the song goes on without a gap`()
    throws
  {
    let run = try stepped(graph())
    let before = run.frame
    let cases: [(path: String, code: String)] = [
      ("garbage.wav", "audio-format"), ("empty.wav", "audio-empty"), ("none.wav", "audio-empty"),
      ("rate.wav", "audio-rate"), ("wide.wav", "audio-channels"), ("nothing", "list-empty"),
      ("bad.m3u", "audio-format"), ("gone.wav", "control-file"), ("/dev/zero", "control-file"),
    ]
    for (number, (path, code)) in cases.enumerated() {
      let address = number % 2 == 0 ? "/visgraph/transport/load" : "/visgraph/node/song/transport/load"
      try run.send(address, .string(path))
      #expect(run.codes.count == number + 1 && run.codes.last == code, "\(path): \(run.refusals)")
      try run.frames(2)
    }
    #expect(
      run.refusals.first
        == "'\(folder.path)/garbage.wav' is not an audio file that can be decoded (it is text): "
        + "use WAV, AIFF, CAF, FLAC, Ogg, Opus, MP3, AAC or M4A; what plays goes on [audio-format]"
    )
    // By settings, which are checked with the graph.
    for (address, path) in [("song/path", "garbage.wav"), ("pads/sounds/kick/path", "empty.wav")] {
      try run.send("/visgraph/node/\(address)", .string(path))
    }
    #expect(run.refusals.count == cases.count + 2, "\(run.refusals)")
    try run.frames(30)
    #expect(run.status("healthy") == [.int(1)])
    #expect(run.status("node/song/url") == [.string("file://\(folder.path)/song.wav")])
    #expect(run.status("node/song/playing") == [.int(1)] && run.status("node/song/fault") == nil)
    let levels = run.floats(light, from: before)
    #expect(!levels.isEmpty && levels.allSatisfy { $0 > 0.99 }, "\(levels)")
    #expect(run.end() == 0)
  }

  @Test func `playable files of a list are played, and skipped ones are in the log and the status`()
    throws
  {
    let run = try stepped(graph())
    try run.send("/visgraph/transport/load", .string("list.m3u"))
    try run.frames(10)
    #expect(abs((run.last(light) ?? 0) - 0.5) < 0.01, "\(run.notes)")
    try run.frames(60)
    #expect(run.refusals == [])
    #expect(run.says("garbage.wav' is not an audio file") && run.says("list.m3u:1: there is no file"))
    let fault = try #require(run.status("node/song/fault"))
    #expect("\(fault)".contains("garbage.wav"))
    #expect(run.status("node/song/url") == [.string("file://\(folder.path)/quiet.wav")])
    #expect(run.status("node/song/tracks") == [.int(2)])
    // No way back over what cannot be played, nor by its number.
    let before = run.frame
    try run.send("/visgraph/transport/track", .int(1))
    #expect(run.codes == ["audio-format"], "\(run.refusals)")
    try run.frames(30)
    let levels = run.floats(light, from: before)
    #expect(!levels.isEmpty && levels.allSatisfy { abs($0 - 0.5) < 0.01 }, "\(levels)")
    #expect(run.end() == 0)
  }

  @Test(.blocking) func `pages, cues and next are refused as well`() throws {
    let head = "cues: { 1: { do: /visgraph/transport/load garbage.wav } }"
    let (child, peer) = try start(
      try graph(head, list: "[song.wav, garbage.wav, empty.wav]"), "--view", "on")
    let before = levels.count
    let page = try ViewPeer(
      try child.viewPort(), sends: [(#"{"send": ["/visgraph/transport/load", "none.wav"]}"#, nil)])
    #expect(page.hears("audio-empty"), "\(page.lines)")
    try peer.send("/visgraph/transport/next")
    #expect(poll(within: 20) { codes(peer) == ["audio-format"] }, "\(peer.refusals)")
    #expect(peer.refusals[0].hasPrefix("none of 2 files can be played; the first: "))
    try peer.send("/visgraph/cue/go")
    #expect(poll(within: 20) { codes(peer) == ["audio-format", "audio-format"] }, "\(peer.refusals)")
    // A busy machine may read the song too late for some samples.
    let address = "/visgraph/status/node/song/underruns"
    let missed = try peer.status(with: address).last { $0.address == address }?.arguments
    let later = levels[before...]
    #expect(later.allSatisfy { $0 > 0.99 } || missed != [.int(0)], "\(later.min() ?? -1)")
  }

  @Test(.blocking) func `a desktop that opens a file without sound changes nothing`() throws {
    let bus = try MessageBus()
    // So long that a busy machine does not come to its end.
    try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 4_800_000)], rate: 8000), to: "song.wav")
    let child = try Child(
      [Visgraph.path, "play", folder.file("song.wav"), "--host", "clock", "--control", "off"],
      variables: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let playing = { (try? bus.run(["playerctl", "status"]).text) == "Playing" }
    try #require(poll(within: 20, until: playing), "\(child.notes)")
    try bus.run(["playerctl", "open", "file://\(folder.path)/garbage.wav"])
    #expect(child.says("garbage.wav' is not an audio file that can be decoded"))
    #expect(playing())
    #expect(try bus.run(["playerctl", "metadata", "title"]).text == "song")
  }

  @Test func `a score that loads a file without sound gets the refusal, and its song goes on`() throws {
    let path = folder.file("score.osc")
    let score = try ScoreWriter(path: path, replacing: true)
    for (seconds, file) in [(0.2, "garbage.wav"), (0.4, "quiet.wav")] {
      try Message("/visgraph/transport/load", .string(file)).packet().withUnsafeBytes {
        score.write($0, at: seconds)
      }
    }
    try score.finish()
    let ending = try Visgraph.run(
      "render", graph(), "--control", path, "--for", "0.6", "-o", folder.file("levels.csv"))
    #expect(ending.code == 0)
    #expect(ending.notes.contains("at 0.2 s: /visgraph/transport/load: '\(folder.path)/garbage.wav' is not"))
    let rows = LevelRows(folder.file("levels.csv"))["level/1"]
    #expect(rows[2..<24].allSatisfy { $0 > 0.99 } && abs(rows[30] - 0.5) < 0.01, "\(rows)")
  }
}
