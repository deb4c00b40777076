import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Players and sound banks of a running show, by OSC.
@Suite(.serialized, .blocking) struct PlayerControlTests {
  /// The newest answer of each address of the status.
  private static func status(_ peer: ControlPeer) throws -> [String: [Argument]] {
    let reported = try peer.status(with: "/visgraph/status/node/song/underruns").map {
      (String($0.address.dropFirst("/visgraph/status/".utf8.count)), $0.arguments)
    }
    return Dictionary(reported, uniquingKeysWith: { $1 })
  }

  private static func number(_ argument: [Argument]?) -> Double {
    switch argument?.first {
    case .double(let value): value
    case .float(let value): Double(value)
    case .int(let value): Double(value)
    default: .nan
    }
  }

  @Test func `the transport is led and told by OSC`() throws {
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
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "120")
    let peer = try ControlPeer(try child.controlPort())
    #expect(try poll(within: 20) { Self.number(try Self.status(peer)["node/song/currentTime"]) > 0.2 })
    let first = try Self.status(peer)
    #expect(first["players"] == [.int(1)])
    #expect(first["node/song/playing"] == [.int(1)])
    #expect(first["node/song/track"] == [.int(1)] && first["node/song/tracks"] == [.int(2)])
    #expect(first["node/song/numberOfChannels"] == [.int(2)])
    #expect(first["node/song/duration"] == [.double(30)])
    #expect(first["node/song/sampleRate"] == [.int(48_000)])
    #expect(first["node/song/url"] == [.string("file://\(folder.path)/one.wav")])
    #expect(Self.number(first["node/song/deviceCurrentTime"]) > 0)
    try peer.send("/visgraph/node/song/transport/volume", .float(0.5))
    try peer.send("/visgraph/transport/pan", .int(-1))
    try peer.send("/visgraph/transport/loop", .int(2))
    try peer.send("/visgraph/transport/pause")
    try peer.send("/visgraph/transport/seek", .float(12.5))
    #expect(try poll(within: 20) { Self.number(try Self.status(peer)["node/song/currentTime"]) == 12.5 })
    let second = try Self.status(peer)
    #expect(second["node/song/playing"] == [.int(0)])
    #expect(second["node/song/volume"] == [.float(0.5)] && second["node/song/pan"] == [.float(-1)])
    #expect(second["node/song/loop"] == [.int(2)])
    try peer.send("/visgraph/transport/toggle")
    #expect(try poll(within: 20) { Self.number(try Self.status(peer)["node/song/currentTime"]) > 12.6 })
    try peer.send("/visgraph/transport/track", .int(2))
    #expect(child.says("song plays \(folder.path)/two.wav (2 of 2)"), "\(child.notes)")
    #expect(try Self.status(peer)["node/song/track"] == [.int(2)])
    try peer.send("/visgraph/transport/track", .int(3))
    try peer.send("/visgraph/transport/load", .string("/etc/hostname"))
    #expect(poll(within: 20) { peer.refusals.count == 2 })
    #expect(peer.refusals.first == "there is no track 3; there are 2, counted from 1 [control-track]")
    #expect(peer.refusals.last?.hasSuffix("[control-file]") == true)
    // A setting of the node changes while it plays on.
    try peer.send("/visgraph/node/song/volume", .float(0.25))
    #expect(try poll(within: 20) { Self.number(try Self.status(peer)["node/song/volume"]) == 0.25 })
    #expect(try Self.status(peer)["node/song/track"] == [.int(2)])
    try peer.send("/visgraph/transport/load", .string("one.wav"))
    #expect(try poll(within: 20) { try Self.status(peer)["node/song/tracks"] == [.int(1)] })
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0, "\(child.notes)")
  }

  @Test func `sounds are fired by OSC`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 1)), to: "clap.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        bank: { type: sound-bank, channels: 2, sounds: { clap: clap.wav } }
        out: { type: jack-output }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
        meter: { type: meter }
        level: { type: meter-table }
      wires: [bank -> out, bank -> meter -> level -> rig, bank.completed -> rig.events, bank.alert -> rig.events]

      """, to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "120")
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { ear.floats("/visgraph/rig/1").count > 0 }, "\(child.notes)")
    try peer.send("/visgraph/node/bank/alert", .string("clap"))
    #expect(
      poll(within: 20) { ear.messages.contains { $0.address.contains("/rig/bank/clap") } }, "\(ear.messages)")
    #expect(poll(within: 20) { ear.floats("/visgraph/rig/1").max() ?? 0 > 0.5 })
    try peer.send("/visgraph/node/bank/play", .string("clop"))
    #expect(poll(within: 20) { peer.refusals == ["nothing has a sound called clop [control-sound]"] })
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0, "\(child.notes)")
  }
}
