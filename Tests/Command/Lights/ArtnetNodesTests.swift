import Foundation
import TestSupport
import Testing

/// Art-Net to those who want it: nodes at the other end of a cable that nothing else is at.
@Suite(.serialized, .blocking) struct ArtnetNodesTests {
  /// A packet as a node has got it.
  private struct Packet {
    let time: Double
    /// The address of the node, or `all`.
    let receiver: String
    let origin: Int
    let bytes: [UInt8]
    var operation: Int { Int(bytes[8]) | Int(bytes[9]) << 8 }
    var portAddress: Int { Int(bytes[14]) | Int(bytes[15]) << 8 }
  }

  /// What Tests/Lights/nodes.py prints.
  private struct Printed: Decodable {
    enum Entry: Decodable {
      case number(Double)
      case text(String)
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self = try (try? .number(value.decode(Double.self))) ?? .text(value.decode(String.self))
      }
    }
    let code: Int
    let asked: Double
    let status: String
    let packets: [[Entry]]
  }

  private func run(_ output: String, nodes: String, seconds: Double) throws -> (Printed, [Packet]) {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 44
      nodes:
        level: { type: constant, channels: 5, value: 0.5 }
        lamps: { type: artnet-output, address: 1/510, first: 16, \(output) }
      wires: [level -> lamps]

      """, to: "graph.yaml")
    let script = projectFolder.appending(path: "Tests/Lights/nodes.py").path
    let command = ["python3", script, nodes, "\(seconds)", Visgraph.path, "run", graph, "--host", "clock"]
    let child = try Child(Namespaces(network: true).command(command))
    let ending = child.exitCode(within: 60)
    try #require(ending == 0, "\(child.notes)")
    let printed = try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
    let packets = try printed.packets.map { entry in
      guard entry.count == 4, case .number(let time) = entry[0], case .text(let receiver) = entry[1],
        case .number(let origin) = entry[2], case .text(let text) = entry[3]
      else { throw Child.Failure(description: "\(entry)") }
      let digits = Array(text.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
      return Packet(
        time: time, receiver: receiver, origin: Int(origin),
        bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
    return (printed, packets)
  }

  @Test func `universes go to the nodes that put them out, once those answer, and are dark at the end`()
    throws
  {
    // The second has its ports on pages of their own, is there a second later, and has one that nobody sends.
    let (printed, packets) = try run(
      "to: subscribers, sync: on",
      nodes: """
        [{"name": "Rack", "outputs": [16]}, {"name": "Bar", "outputs": [17, 16, 99], "from": 1, "longer": true}]
        """, seconds: 6)
    #expect(printed.code == 0)
    let dmx = packets.filter { $0.operation == 0x5000 }
    func own(_ receiver: String, _ portAddress: Int) -> [Packet] {
      dmx.filter { $0.receiver == receiver && $0.portAddress == portAddress }
    }
    // Nobody gets what it has not asked for, and nothing of it goes to all.
    #expect(
      Set(dmx.map { "\($0.receiver) \($0.portAddress)" }) == ["10.9.0.2 16", "10.9.0.3 16", "10.9.0.3 17"])
    for part in [own("10.9.0.2", 16), own("10.9.0.3", 16), own("10.9.0.3", 17)] {
      let place = part.first?.portAddress == 16 ? 18 + 509 : 18
      #expect(part.allSatisfy { $0.bytes.count == 530 && $0.origin == 6454 })
      #expect(part.contains { $0.bytes[place] == 128 } && part.first?.bytes[place] == 128)
      #expect(
        part.suffix(4).allSatisfy { $0.time >= printed.asked && $0.bytes[18...].allSatisfy { $0 == 0 } })
      // What a node has is never older than a second.
      let gaps = zip(part, part.dropFirst()).map { $1.time - $0.time }
      #expect(gaps.allSatisfy { $0 < 1.5 }, "\(gaps)")
    }
    // The second answers the second question, 2.5 s after the first, and has light at once: all that is current, four
    // times.
    let polls = packets.filter { $0.operation == 0x2000 }
    #expect(polls.count >= 2 && polls.allSatisfy { $0.receiver == "all" && $0.bytes.count == 14 })
    let second = try #require(polls.first { $0.time > 1 }).time
    #expect(own("10.9.0.3", 17).prefix(4).allSatisfy { $0.time >= second && $0.time < second + 1.0 })
    let syncs = packets.filter { $0.operation == 0x5200 }
    #expect(syncs.count > 8 && syncs.allSatisfy { $0.receiver == "all" && $0.bytes.count == 14 })
    for line in [
      "lamps: 2 nodes answer", "lamps: 10.9.0.2 Rack puts out 0.1.0",
      "lamps: 10.9.0.3 Bar puts out 0.1.0, 0.1.1, 0.6.3",
    ] { #expect(printed.status.contains(line), "\(printed.status)") }
    #expect(printed.status.contains("healthy"))
  }

  @Test func `a universe that no node puts out, and a network without nodes, are reported`() throws {
    let (one, packets) = try run(
      "to: subscribers, interface: 10.9.0.1", nodes: #"[{"name": "Rack", "outputs": [16, 18]}]"#, seconds: 1.5
    )
    #expect(one.status.contains("lamps: 1 node answers on 10.9.0.1, none puts out 0.1.1"), "\(one.status)")
    #expect(Set(packets.filter { $0.operation == 0x5000 }.map(\.portAddress)) == [16])
    let (none, silence) = try run(
      "to: subscribers, interface: show", nodes: #"[{"name": "Rack", "outputs": [16], "from": 60}]"#,
      seconds: 4)
    #expect(none.status.contains("lamps: no node answers on show"), "\(none.status)")
    #expect(silence.allSatisfy { $0.operation == 0x2000 })
  }

  @Test func `with named nodes nothing is sent to the rest of the network`() throws {
    let (printed, packets) = try run(
      "to: 10.9.0.2, sync: on", nodes: #"[{"name": "Rack", "outputs": []}]"#, seconds: 1)
    #expect(printed.code == 0)
    #expect(Set(packets.map { "\($0.receiver) \($0.operation)" }) == ["10.9.0.2 20480", "10.9.0.2 20992"])
  }
}
