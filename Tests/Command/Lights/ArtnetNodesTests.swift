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
    let wrong = try lastOf(4) { try findsNodes() }
    #expect(wrong == nil)
  }

  /// What comes too late; nil: nothing. A busy machine spoils some tries.
  private func findsNodes() throws -> String? {
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
    let found = Set(dmx.map { "\($0.receiver) \($0.portAddress)" })
    let wanted: Set = ["10.9.0.2 16", "10.9.0.3 16", "10.9.0.3 17"]
    #expect(found.isSubset(of: wanted), "\(found)")
    guard found == wanted else { return "\(found)" }
    for part in [own("10.9.0.2", 16), own("10.9.0.3", 16), own("10.9.0.3", 17)] {
      let place = part.first?.portAddress == 16 ? 18 + 509 : 18
      #expect(part.allSatisfy { $0.bytes.count == 530 && $0.origin == 6454 })
      #expect(part.contains { $0.bytes[place] == 128 } && part.first?.bytes[place] == 128)
      #expect(
        part.suffix(4).allSatisfy { $0.time >= printed.asked && $0.bytes[18...].allSatisfy { $0 == 0 } })
      // What a node has is never older than a second.
      let gaps = zip(part, part.dropFirst()).map { $1.time - $0.time }
      guard gaps.allSatisfy({ $0 < 1.5 }) else { return "\(gaps)" }
    }
    // The second answers the second question, 2.5 s after the first, and has light at once: all that is current, four
    // times.
    let polls = packets.filter { $0.operation == 0x2000 }
    #expect(polls.allSatisfy { $0.receiver == "all" && $0.bytes.count == 14 })
    guard let second = polls.first(where: { $0.time > 1 })?.time else { return "one question" }
    let times = own("10.9.0.3", 17).prefix(4).map(\.time)
    guard times.allSatisfy({ $0 >= second && $0 < second + 1.0 }) else { return "\(times) after \(second)" }
    let syncs = packets.filter { $0.operation == 0x5200 }
    #expect(syncs.allSatisfy { $0.receiver == "all" && $0.bytes.count == 14 })
    guard syncs.count > 8 else { return "\(syncs.count) synchronizations" }
    for line in [
      "lamps: 2 nodes answer", "lamps: 10.9.0.2 Rack puts out 0.1.0",
      "lamps: 10.9.0.3 Bar puts out 0.1.0, 0.1.1, 0.6.3",
      "healthy",
    ] where !printed.status.contains(line) { return printed.status }
    return nil
  }

  @Test func `a universe that no node puts out, and a network without nodes, are reported`() throws {
    // A busy machine may not have an answer, or not miss it, by then.
    let wrong = try lastOf(4) { () -> String? in
      let (printed, packets) = try run(
        "to: subscribers, interface: 10.9.0.1", nodes: #"[{"name": "Rack", "outputs": [16, 18]}]"#,
        seconds: 1.5)
      let dmx = Set(packets.filter { $0.operation == 0x5000 }.map(\.portAddress))
      #expect(dmx.isSubset(of: [16]))
      let line = "lamps: 1 node answers on 10.9.0.1, none puts out 0.1.1"
      return dmx == [16] && printed.status.contains(line) ? nil : "\(dmx) \(printed.status)"
    }
    #expect(wrong == nil)
    let still = try lastOf(4) { () -> String? in
      let (printed, silence) = try run(
        "to: subscribers, interface: show", nodes: #"[{"name": "Rack", "outputs": [16], "from": 600}]"#,
        seconds: 4)
      #expect(silence.allSatisfy { $0.operation == 0x2000 })
      return printed.status.contains("lamps: no node answers on show") ? nil : printed.status
    }
    #expect(still == nil)
  }

  @Test func `with named nodes nothing is sent to the rest of the network`() throws {
    let (printed, packets) = try run(
      "to: 10.9.0.2, sync: on", nodes: #"[{"name": "Rack", "outputs": []}]"#, seconds: 1)
    #expect(printed.code == 0)
    #expect(Set(packets.map { "\($0.receiver) \($0.operation)" }) == ["10.9.0.2 20480", "10.9.0.2 20992"])
  }
}
