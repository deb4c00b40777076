import TestSupport
import Testing

/// What a receiver gets when a graph is read again with more or fewer universes.
@Suite(.serialized, .blocking) struct UniverseReloadTests {
  /// A packet of one universe.
  private struct Packet {
    let sequence: UInt8
    /// Whether it says that the universe has ended.
    let isEnd: Bool
    /// The first three slots.
    let slots: [UInt8]
  }

  /// The packets of a universe of sACN, and of Art-Net where universe 1 is port address 0.0.0.
  private func packets(of universe: UInt8, in capture: LightCapture) -> [Packet] {
    capture.packets.map(\.bytes).compactMap { bytes in
      if bytes.count == 638, bytes[114] == universe {
        return Packet(sequence: bytes[111], isEnd: bytes[112] & 0x40 != 0, slots: Array(bytes[126..<129]))
      }
      if bytes.count == 530, bytes[14] == universe - 1 {
        return Packet(sequence: bytes[12], isEnd: false, slots: Array(bytes[18..<21]))
      }
      return nil
    }
  }

  @Test(arguments: ["sacn-output", "artnet-output"], [true, false])
  func `a reload that adds or removes a universe leaves the others lit`(output: String, adds: Bool) throws {
    let folder = try TemporaryFolder()
    func graph(_ fixtures: String, _ name: String) throws -> String {
      try folder.write(
        """
        visgraph: 1
        patch:
          - { name: Par, channels: [red, green, blue], address: 5/1 }
          - { name: Par2, channels: [red, green, blue], address: 6/1 }
        nodes: { wash: { type: lights, of: \(fixtures) }, lamps: { type: \(output), to: 127.0.0.1 } }
        wires: [wash -> lamps]

        """, to: name)
    }
    let isSacn = output == "sacn-output"
    let first = try graph(adds ? "Par" : "[Par, Par2]", "graph.yaml")
    let next = try graph(adds ? "[Par, Par2]" : "Par", "next.yaml")
    let capture = try LightCapture(first, port: isSacn ? 5568 : 6454, endingAfter: 2.4, becoming: next)
    #expect(capture.code == 0)
    for universe in [5, 6] as [UInt8] {
      let own = packets(of: universe, in: capture)
      let shown = own.filter { !$0.isEnd }.map(\.slots)
      let dark = shown.firstIndex(of: [0, 0, 0]) ?? shown.count
      #expect(dark > 0 && shown[..<dark].allSatisfy { $0 == [255, 255, 255] }, "\(universe): \(shown)")
      // It ends once: with the run, or with the reload that removes it. Art-Net has no packet for that.
      #expect(shown[dark...].count { $0 == [0, 0, 0] } == (isSacn ? 1 : 4), "\(universe): \(shown)")
      #expect(shown.last == [0, 0, 0] && own.count(where: \.isEnd) == (isSacn ? 3 : 0))
      #expect(
        zip(own, own.dropFirst()).allSatisfy {
          $1.sequence == (isSacn || $0.sequence < 255 ? $0.sequence &+ 1 : 1)
        }, "\(universe): \(own.map(\.sequence))")
    }
  }
}
