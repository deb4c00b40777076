import Engine
import Graphs
import Nodes
import Playback
import Realtime
import TestSounds
import TestSupport
import Testing

/// The player as a node.
@Suite struct FileSourceTests {
  private static func noise(_ count: Int) -> [Float] {
    var state: UInt64 = 1
    return [Float](count: count) { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int16(truncatingIfNeeded: Int(state >> 40))) / 32768
    }
  }

  private static func graph(_ settings: String) -> String {
    """
    nodes: { song: { type: file-source, \(settings) }, out: { type: jack-output } }
    wires: [song -> out]
    """
  }

  @Test(arguments: [1, 64, 127, 1000, 4096])
  func `a list is played without a gap, and its end is reported in the frame where it ends`(cycle: Int) throws
  {
    let folder = try TemporaryFolder()
    let sound = Self.noise(5000)
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [Array(sound[..<3000])])
    writeSound("\(folder.path)/b.wav", rate: 48_000, channels: [Array(sound[3000...])])
    let rig = try GraphRig(Self.graph("path: [a.wav, nothing.wav, b.wav]"), folder: folder.path)
    let recorded = try rig.play(8000, cycle: cycle, outputs: ["out_1"])[0]
    let expected = sound + [Float](repeating: 0, count: 3000)
    #expect(recorded == expected)
    let finished = rig.frames.flatMap(\.events).filter { $0.name == "finished" }
    #expect(finished.map(\.sample) == [5600])
    #expect(rig.frames.flatMap(\.events).filter { $0.name == "error" }.count == 1)
    #expect(rig.plan.players.map(\.id) == ["song"])
    let news = rig.plan.streams[0].takeMessages()
    #expect(news.count == 1 && news[0].hasPrefix("song: there is no audio file"))
  }

  @Test func `a change of the loop acts on the track that plays`() throws {
    let folder = try TemporaryFolder()
    let sound = Self.noise(20_000)
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [sound])
    let rig = try GraphRig(Self.graph("path: a.wav"), folder: folder.path)
    var recorded = try rig.play(4000, outputs: ["out_1"])[0]
    try rig.load(Self.graph("path: a.wav, numberOfLoops: 1, volume: 1"))
    recorded += try rig.play(40_000, outputs: ["out_1"])[0]
    let expected = sound + sound + Array(repeating: 0, count: 4000)
    #expect(zip(recorded, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(rig.plan.players[0].player.snapshot.isOver)
  }

  @Test
  func `off fades a file-source out from its player's volume, and does not change that volume`()
    throws
  {
    let folder = try TemporaryFolder()
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [Array(repeating: 1, count: 48_000)])
    let rig = try GraphRig(Self.graph("path: a.wav"), folder: folder.path)
    let off = try #require(everyNode.first { $0.name == "file-source" }?.off)
    let player = rig.plan.players[0].player
    player.perform(.volume(0.5, fade: 0))
    #expect(try rig.play(8000, outputs: ["out_1"])[0].last == 0.5)
    var recorded: [Float] = []
    for step in ["-6", "-20", "-60", off.value] {
      #expect(try rig.set("song.\(off.setting)", to: step))
      recorded += try rig.play(800, outputs: ["out_1"])[0]
    }
    #expect(recorded[0] <= 0.5 && zip(recorded, recorded.dropFirst()).allSatisfy { $0 + 1e-6 >= $1 })
    #expect(abs(recorded[799] - 0.25059362) < 1e-6)
    #expect(try rig.play(800, outputs: ["out_1"])[0].allSatisfy { $0 == 0 })
    #expect(player.snapshot.settings.volume == 0.5)
    #expect(try rig.set("song.\(off.setting)", to: "0"))
    #expect(try rig.play(1600, outputs: ["out_1"])[0].last == 0.5)
  }

  @Test func `wrong settings are reported with the allowed values`() throws {
    for wrong in [
      "path: a.wav, channels: 1, rate: 3", "path: []",
      "path: a.wav, channels: 2, section: { from: 3 s, to: 2 s }",
      "path: a.wav, channels: 1, pitch: high", "path: a.wav, channels: 1, assign: [0]", "path: nothing.wav",
    ] {
      let source = SourceText(path: "/nowhere/graph.yaml", text: "visgraph: 1\n" + Self.graph(wrong))
      let checked = Checker(Catalog(types: everyNode)).check(source)
      #expect(checked.graph == nil && checked.faults.count == 1, "\(wrong)")
    }
  }

  @Test
  func
    `an assignment to more channels than the output has is refused, for stated channels and those of the file`()
    throws
  {
    let folder = try TemporaryFolder()
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [[0], [0]])
    func faults(_ settings: String) -> [String] {
      let source = SourceText(
        path: "\(folder.path)/graph.yaml", text: "visgraph: 1\n" + Self.graph(settings))
      return Checker(Catalog(types: everyNode)).check(source).faults.map { "\($0.message) [\($0.code)]" }
    }
    #expect(faults("path: a.wav, assign: [2, 1]") == [])
    #expect(faults("path: a.wav, channels: 3, assign: [2, none, 1]") == [])
    #expect(
      faults("path: a.wav, assign: [2, 1, none]") == [
        "`assign` states the channels of the file for 3 outputs, but 2 channels leave; name 2 or fewer, or say "
          + "`channels: 3` [more-assignments-than-channels]"
      ])
    #expect(
      faults("path: a.wav, channels: 1, assign: [2, 1]") == [
        "`assign` states the channels of the file for 2 outputs, but 1 channel leaves; name 1 or fewer, or say "
          + "`channels: 2` [more-assignments-than-channels]"
      ])
    // A fault that follows from another is not reported.
    #expect(faults("path: nothing.wav, assign: [1, 2, 3]").count == 1)
  }

  @Test func `channels are routed to their assigned outputs`() throws {
    let folder = try TemporaryFolder()
    let left = Self.noise(3000)
    let right = left.map { -$0 }
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [left, right])
    let rig = try GraphRig(
      Self.graph("path: a.wav, channels: 3, channelAssignments: [2, none, 1]"), folder: folder.path)
    let recorded = try rig.play(3000, outputs: ["out_1", "out_2", "out_3"])
    #expect(recorded == [right, Array(repeating: 0, count: 3000), left])
  }
}
