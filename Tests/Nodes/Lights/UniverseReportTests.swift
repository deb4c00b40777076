import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// The reports of outputs of universes, and the channels of each universe.
@Suite struct UniverseReportTests {
  @Test func `a line of Art-Net states the port address of its first universe, and one of sACN its number`()
    throws
  {
    let rig = try GraphRig(
      """
      fps: 10
      nodes:
        level: { type: constant, channels: 3, value: 0.5 }
        net: { type: artnet-output, to: [10.0.0.30, subscribers], address: 2/511, first: 255 }
        acn: { type: sacn-output, address: 2/511 }
        usb: { type: dmx-usb-output, device: /dev/ttyUSB7, address: 2/510 }
      wires: [level -> net, level -> acn, level -> usb]
      """)
    _ = try rig.play(9600, outputs: [])
    let lines = rig.plan.frames.report.map { "\($0.id) \($0.target): \($0.sample)" }
    #expect(
      lines == [
        "net 10.0.0.30: 2/511 (1.0.0) 128", "net subscribers: 2/511 (1.0.0) 128", "acn multicast: 2/511 128",
        "usb /dev/ttyUSB7: 2/510 128",
      ])
  }

  @Test func `a USB interface has one universe of light, by the places of all channels`() throws {
    let graph = try GraphRig.graph(
      """
      patch:
        - { name: Near, channels: [red, green], address: 1/1 }
        - { name: Far, channels: [red, green], address: 2/7 }
      nodes:
        near: { type: lights, of: Near }
        far: { type: lights, of: Far }
        usb: { type: dmx-usb-output, device: /dev/ttyUSB7, address: 2/1 }
      wires: [near -> usb, far -> usb]
      """)
    let input = try #require(graph.nodes.first { $0.id == "usb" }).inputs[0]
    let places = try #require(UniversePlaces(input, address: "2/1", isAlone: true))
    #expect(places.universes == [2] && places.width == 4)
    #expect(places.targets.map { $0.slots[0] } == [6, 7] && places.channels == [2, 3])
    #expect(UniversePlaces(input, address: "3/1", isAlone: true) == nil)
  }
}
