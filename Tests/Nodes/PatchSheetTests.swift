import Graphs
import Testing

@testable import Nodes

/// The patch sheet of a graph: ports, files, addresses.
@Suite struct PatchSheetTests {
  private func sheet(_ text: String) throws -> PatchSheet {
    let checked = Checker(.full).check(SourceText(path: "graph.yaml", text: text))
    return PatchSheet(try #require(checked.graph, "\(checked.faults)"))
  }

  @Test func `the sheet follows a channel from its port to its address`() throws {
    let sheet = try sheet(
      """
      visgraph: 1
      nodes:
        in: { type: jack-input, names: [Kick, "OH L", "OH R"] }
        tone: { type: tone-source }
        meter: { type: meter }
        all: { type: combine }
        level: { type: meter-table }
        out: { type: jack-output }
        rig: { type: osc-output, to: ["127.0.0.1:7700", "[::1]:9000"], address: "/l/{name}" }
        sum: { type: osc-output, to: 127.0.0.1:7700, send: vector }
      wires:
        - in[1] -> out
        - in -> meter -> level -> rig
        - tone -> out
        - meter -> all -> sum

      """)
    #expect(sheet.ports.map(\.name) == ["in_1", "in_2", "in_3", "out_1"])
    #expect(sheet.ports.map(\.isInput) == [true, true, true, false])
    #expect(sheet.ports[1].channel == "OH L")
    let rig = sheet.fixtures.filter { $0.node == "rig" }
    #expect(rig.map(\.address) == ["/l/Kick", "/l/OH_L", "/l/OH_R", "/l/Kick", "/l/OH_L", "/l/OH_R"])
    #expect(rig.map(\.sources) == [["in_1"], ["in_2"], ["in_3"], ["in_1"], ["in_2"], ["in_3"]])
    #expect(Set(rig.map(\.target)) == ["127.0.0.1:7700", "[::1]:9000"] && rig[0].type == .level)
    let sum = sheet.fixtures.filter { $0.node == "sum" }
    #expect(sum.map(\.address) == ["/visgraph/sum"] && sum[0].type == .decibels)
    #expect(sum[0].sources == ["in_1", "in_2", "in_3"])
    #expect(sheet.collisions.isEmpty)
  }

  @Test func `the sheet has QLC+'s channel of an address, a checksum`() {
    // The last one is the check value of CRC-16/X-25; the others are in patches/qlcplus, as QLC+ shows them.
    #expect(PatchSheet.qlcChannel("/visgraph/level/1") == 62438)
    #expect(PatchSheet.qlcChannel("/visgraph/level/2") == 49533)
    #expect(PatchSheet.qlcChannel("123456789") == 0x906E)
  }

  @Test func `addresses with the same channel in QLC+ are reported`() throws {
    // With 16 bits two of some hundred addresses soon collide; this finds the first two.
    var seen: [Int: String] = [:]
    var pair: (String, String)?
    for number in 0..<70_000 where pair == nil {
      let address = "/a/\(number)"
      if let other = seen.updateValue(address, forKey: PatchSheet.qlcChannel(address)) {
        pair = (other, address)
      }
    }
    let (first, second) = try #require(pair)
    let sheet = try sheet(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        a: { type: osc-output, to: 127.0.0.1:7700, address: \(first) }
        b: { type: osc-output, to: 127.0.0.1:7700, address: \(second) }
        c: { type: osc-output, to: 127.0.0.1:7701, address: \(second) }
      wires: [tone -> meter -> a, meter -> b, meter -> c]

      """)
    #expect(sheet.collisions.count == 1)
    #expect(sheet.collisions.first?.addresses == [first, second])
    #expect(sheet.collisions.first?.target == "127.0.0.1:7700")
  }

  @Test func `the sheet also has particles and events`() throws {
    let sheet = try sheet(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        beat: { type: trigger }
        sparks: { type: emitter, cells: { a: { birthRate: 1 } }, particles: { to: 127.0.0.1:7701 } }
        rig: { type: osc-output, to: 127.0.0.1:7700 }
      wires: [tone -> meter -> level -> sparks, level -> rig, meter -> beat, beat.events -> rig.events]

      """)
    #expect(
      sheet.streams.map { "\($0.node) \($0.address) \($0.target)" } == [
        "sparks /visgraph/particles/sparks/1 127.0.0.1:7701",
        "rig /visgraph/rig/beat/{event}/{channel} 127.0.0.1:7700",
      ])
  }
}
