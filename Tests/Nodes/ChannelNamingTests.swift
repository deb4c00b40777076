import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// Channels keep their names through every node, and new channels get names.
@Suite struct ChannelNamingTests {
  @Test(arguments: [
    (["OH L", "OH R"], "OH"), (["Drum OH L", "Drum OH R"], "Drum OH"), (["Tom1", "Tom2", "Tom12"], "Tom"),
    (["L OH", "R OH"], "OH"), (["Kick", "Kick"], "Kick"), (["Kick in", "Kick (out)"], "Kick"),
    (["Stage-left 1", "Stage-left 2"], "Stage-left"), (["Vox"], "Vox"), (["A 1", "A 2"], "A"),
  ])
  func `the common name of channels is the words with which all begin or end`(names: [String], common: String)
  {
    #expect(Channel.commonName(of: Channel.numbered(names.count, names: names)) == common)
  }

  @Test(arguments: [
    ["Left", "Right"], ["Kick", "Keys"], ["Kick 1", "Snare 1"], ["Vox L", "Gtr L"], ["1 L", "1 R"], ["", ""],
  ])
  func `channels that share no whole word have no common name`(names: [String]) {
    let common = Channel.commonName(of: Channel.numbered(names.count, names: names))
    #expect(common == (names[0].isEmpty ? "" : nil))
    #expect(Channel.commonName(of: Channel.numbered(3, names: ["OH L", "OH R"])) == nil)
    #expect(Channel.commonName(of: []) == nil)
  }

  private func names(_ graph: CheckedGraph, _ id: String, output: Int = 0) -> [String?] {
    graph.nodes.first { $0.id == id }?.outputs[output].channels.map(\.name) ?? []
  }

  @Test func `names pass through every node that makes no new channels`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        in: { type: jack-input, names: [Kick, Snare] }
        gain: { type: gain }
        filter: { type: filter }
        meter: { type: meter }
        level: { type: meter-table }
        range: { type: range }
        gate: { type: gate }
        trigger: { type: trigger }
        sparks: { type: emitter, cells: { a: {} } }
      wires:
        - in -> gain -> filter -> meter -> level -> gate -> range -> sparks
        - meter -> trigger
      """)
    for node in graph.nodes {
      for output in node.outputs where !["driven", "picture"].contains(output.name) {
        #expect(output.channels.map(\.name) == ["Kick", "Snare"], "\(node.id).\(output.name)")
      }
    }
  }

  @Test func `a combined channel has the common name, else the node's id, or the name that is set`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        in: { type: jack-input, names: [OH L, OH R, Kick] }
        meter: { type: meter }
        oh: { type: combine }
        all: { type: combine }
        named: { type: combine, names: Drums }
        list: { type: combine, names: [Drums] }
      wires: ["in -> meter", "meter[1-2] -> oh", "meter -> all", "meter -> named", "meter -> list"]
      """)
    #expect(names(graph, "oh") == ["OH"])
    #expect(names(graph, "all") == ["all"])
    #expect(names(graph, "named") == ["Drums"])
    #expect(names(graph, "list") == ["Drums"])
  }

  @Test func `a measure of several channels has their common name, or the name that is set`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        in: { type: jack-input, names: [OH L, OH R, Kick, Snare] }
        image: { type: stereo }
        named: { type: stereo, names: [Overheads, Drums] }
        beat: { type: beat }
        pulse: { type: beat, names: Pulse }
        night: { type: loudness }
        program: { type: loudness, names: Program }
        each: { type: loudness, per: channel, names: [Left] }
      wires:
        - in -> image
        - in -> named
        - in[1-2] -> beat
        - in -> pulse
        - in -> night
        - in -> program
        - in -> each
      """)
    #expect(names(graph, "image") == ["OH", nil])
    #expect(names(graph, "named") == ["Overheads", "Drums"])
    #expect(names(graph, "beat") == ["OH"])
    #expect(names(graph, "pulse") == ["Pulse"])
    #expect(names(graph, "night") == ["night"])
    #expect(names(graph, "program") == ["Program"])
    #expect(names(graph, "each") == ["Left", "OH R", "Kick", "Snare"])
  }

  @Test func `a mix is named by its parts, and names that distinguish nothing are dropped`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        in: { type: jack-input, names: [OH L, Room L, OH R, Room R] }
        drums: { type: jack-input, names: [Drum 1, Drum 2, Drum 3, Drum 4] }
        two: { type: mix, channels: 2 }
        one: { type: mix }
        same: { type: mix, channels: 2 }
        named: { type: mix, channels: 2, names: [Left] }
      wires: [in -> two, in -> one, drums -> same, drums -> named]
      """)
    #expect(names(graph, "two") == ["OH", "Room"])
    #expect(names(graph, "one") == ["one"])
    #expect(names(graph, "same") == [nil, nil])
    #expect(names(graph, "named") == ["Left", nil])
  }

  @Test func `sources take names, and more names than channels are a fault`() throws {
    let folder = try TemporaryFolder()
    writeSound("\(folder.path)/kick.wav", rate: 48_000, channels: [[0.5]])
    let graph = try GraphRig.graph(
      """
      nodes:
        tone: { type: tone-source, channels: 3, names: [Kick, "", Snare] }
        song: { type: file-source, path: a.wav, channels: 2, names: [Vox, Guitar] }
        bank: { type: sound-bank, sounds: { kick: kick.wav }, channels: 2, names: [Near, Far] }
        out: { type: jack-output }
      wires: ["tone -> out[1-3]", "song -> out[1-2]", "bank -> out[1-2]"]
      """, folder: folder.path)
    #expect(names(graph, "tone") == ["Kick", nil, "Snare"])
    #expect(names(graph, "song") == ["Vox", "Guitar"])
    #expect(names(graph, "bank") == ["Near", "Far"])
    for node in [
      "{ type: tone-source, names: [A, B] }", "{ type: file-source, path: x, channels: 1, names: [A, B] }",
    ] {
      let checked = Checker(Catalog(types: everyNode)).check(
        SourceText(
          path: "/nowhere/graph.yaml",
          text: "visgraph: 1\nnodes:\n  a: \(node)\n  out: { type: jack-output }\nwires: [a -> out]\n"))
      #expect(checked.faults.map(\.code) == ["more-names-than-channels"])
      #expect(checked.faults.first?.message == "2 names for 1 channel; name fewer")
    }
  }

  @Test func `levels and addresses carry the names, and after a reload the new names`() throws {
    func text(_ names: String) -> String {
      """
      nodes:
        in: { type: jack-input, names: \(names) }
        meter: { type: meter }
        top: { type: combine }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:9", address: "/l/{name}" }
      wires: [in -> meter -> top -> level -> rig]
      """
    }
    let rig = try GraphRig(text("[OH L, OH R]"))
    func label() -> String? { rig.plan.frames.columns.first { $0.name == "top/1" }?.label }
    #expect(label() == "OH")
    #expect(rig.plan.frames.report.first?.sample.hasPrefix("/l/OH ") == true)
    rig.process(1600)
    try rig.load(text("[Tom L, Tom R]"))
    rig.process(1600)
    #expect(label() == "Tom")
    #expect(rig.plan.frames.report.first?.sample.hasPrefix("/l/Tom ") == true)
  }
}
