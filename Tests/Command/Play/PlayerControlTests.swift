import OSC
import TestSounds
import TestSupport
import Testing

/// Players and sound banks of a running show, by OSC.
@Suite(.serialized, .waiting) struct PlayerControlTests {
  @Test func `the transport is controlled and reported by OSC`() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 30)), to: "\(name).wav")
    }
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: [one.wav, two.wav] }
        out: { type: jack-output }
      wires: [song -> out]

      """, to: "graph.yaml")
    let run = try SteppedRun(graph)
    func song(_ fact: String) -> [Argument]? { run.status("node/song/\(fact)") }
    try run.frames(15)
    #expect(song("currentTime") == [.double(0.25)], "\(run.notes)")
    #expect(run.status("players") == [.int(1)])
    #expect(song("playing") == [.int(1)])
    #expect(song("track") == [.int(1)] && song("tracks") == [.int(2)])
    #expect(song("numberOfChannels") == [.int(2)])
    #expect(song("duration") == [.double(30)])
    #expect(song("sampleRate") == [.int(48_000)])
    #expect(song("url") == [.string("file://\(folder.path)/one.wav")])
    #expect(song("deviceCurrentTime") == [.double(0.25)])
    try run.send([
      Message("/visgraph/node/song/transport/volume", .float(0.5)),
      Message("/visgraph/transport/pan", .int(-1)),
      Message("/visgraph/transport/loop", .int(2)), Message("/visgraph/transport/pause"),
      Message("/visgraph/transport/seek", .float(12.5)),
    ])
    try run.frames(2)
    #expect(song("currentTime") == [.double(12.5)] && song("playing") == [.int(0)])
    #expect(song("volume") == [.float(0.5)] && song("pan") == [.float(-1)])
    #expect(song("loop") == [.int(2)])
    try run.send("/visgraph/transport/toggle")
    try run.frames(15)
    guard case .double(let time)? = song("currentTime")?.first else {
      throw Child.Failure(description: "no time")
    }
    #expect(abs(time - 12.75) < 0.02, "\(time)")
    try run.send("/visgraph/transport/track", .int(2))
    try run.frames(5)
    try run.round()
    #expect(run.says("song plays \(folder.path)/two.wav (2 of 2)"), "\(run.notes)")
    #expect(song("track") == [.int(2)])
    try run.send("/visgraph/transport/track", .int(3))
    try run.send("/visgraph/transport/load", .string("/etc/hostname"))
    #expect(run.refusals.first == "there is no track 3; there are 2, counted from 1 [control-track]")
    #expect(run.codes == ["control-track", "control-file"])
    // A setting of the node changes while it plays on.
    try run.send("/visgraph/node/song/volume", .float(0.25))
    try run.frames(2)
    #expect(song("volume") == [.float(0.25)] && song("track") == [.int(2)])
    try run.send("/visgraph/transport/load", .string("one.wav"))
    try run.frames(2)
    #expect(song("tracks") == [.int(1)])
    #expect(run.end() == 0, "\(run.notes)")
  }

  @Test func `sounds are fired by OSC`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 1)), to: "clap.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        bank: { type: sound-bank, channels: 2, sounds: { clap: clap.wav } }
        out: { type: jack-output }
        rig: { type: osc-output, to: "127.0.0.1:9" }
        meter: { type: meter }
        level: { type: meter-table }
      wires: [bank -> out, bank -> meter -> level -> rig, bank.completed -> rig.events, bank.alert -> rig.events]

      """, to: "graph.yaml")
    let run = try SteppedRun(graph)
    try run.frames(10)
    #expect(run.last("/visgraph/rig/1") == 0, "\(run.notes)")
    try run.send("/visgraph/node/bank/alert", .string("clap"))
    try run.frames(30)
    // The bank plays from the next frame on; the sound's end comes a second later.
    let alerts = run.sent(to: "/visgraph/rig/bank/clap/1").map(\.frame)
    #expect(alerts == [11], "\(alerts)")
    #expect(run.floats("/visgraph/rig/1").max() ?? 0 > 0.5)
    try run.frames(40)
    #expect(run.sent(to: "/visgraph/rig/bank/clap/1").map(\.frame) == [11, 70])
    try run.send("/visgraph/node/bank/play", .string("clop"))
    #expect(run.refusals == ["nothing has a sound called clop [control-sound]"])
    #expect(run.end() == 0, "\(run.notes)")
  }
}
