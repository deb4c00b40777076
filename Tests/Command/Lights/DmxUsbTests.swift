import Foundation
import TestSupport
import Testing

/// DMX by a serial device: a pair of pseudo-terminals with a reader as strict as an interface.
@Suite(.serialized, .blocking) struct DmxUsbTests {
  /// What Tests/Lights/usb.py prints.
  private struct Printed: Decodable {
    struct Message: Decodable {
      let time: Double
      let slots: [UInt8]
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        time = try list.decode(Double.self)
        let digits = Array(try list.decode(String.self).utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        slots = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      }
    }
    let code: Int
    let asked: Double
    let status: String
    let gone: String
    let strange: Int
    let messages: [Message]
  }

  private func run(_ nodes: String, wires: String, messages: Int, unpluggedAfter: Int? = nil) throws
    -> Printed
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\nfps: 44\n\(nodes)\nwires: [\(wires)]\n", to: "graph.yaml")
    let script = projectFolder.appending(path: "Tests/Lights/usb.py").path
    // Terminals of its own, so that no other program gets the name of one that was pulled out.
    let alone = Namespaces(
      network: true,
      mounts: [
        "-t devpts -o newinstance,ptmxmode=0666,mode=0600 devpts /dev/pts", "--bind /dev/pts/ptmx /dev/ptmx",
      ])
    let unplug = unpluggedAfter.map { ["env", "UNPLUG=\($0)"] } ?? []
    let command = ["python3", script, graph, "\(messages)", Visgraph.path, "run", graph, "--host", "clock"]
    let child = try Child(alone.command(unplug + command))
    let ending = child.exitCode(within: 90)
    try #require(ending == 0, "\(child.notes)")
    return try JSONDecoder().decode(Printed.self, from: Data(child.results.utf8))
  }

  @Test
  func `levels are sent as whole messages, again once the device is back, and end dark within a packet`()
    throws
  {
    let printed = try run(
      "nodes: { level: { type: constant, channels: 2, value: 0.5, each: { 2: { value: 1 } } }, lamps: { type: dmx-usb-output, device: DEVICE, address: 4/511 } }",
      wires: "level -> lamps", messages: 6, unpluggedAfter: 5)
    #expect(printed.code == 0 && printed.strange == 0)
    let lit = printed.messages.filter { $0.slots.contains { $0 > 0 } }
    #expect(printed.messages.allSatisfy { $0.slots.count == 512 })
    #expect(
      lit.allSatisfy { Array($0.slots[510...]) == [128, 255] && $0.slots[..<510].allSatisfy { $0 == 0 } })
    // The look at the begin with three more, one in 0.8 to 1 s; and the same again. However long a busy machine takes,
    // no more.
    let seconds = try #require(lit.last).time - lit[0].time
    #expect(lit.count >= 11 && lit.count <= 10 + Int(seconds / 0.8), "\(lit.map(\.time))")
    #expect(printed.gone.contains("is not there; is it plugged in?") && printed.gone.contains("unhealthy"))
    #expect(printed.status.contains("lamps: sending to /dev/pts/"), "\(printed.status)")
    #expect(printed.messages.last?.slots.allSatisfy { $0 == 0 } == true)
    let dark = try #require(
      printed.messages.first { $0.time >= printed.asked && !$0.slots.contains { $0 > 0 } })
    if dark.time - printed.asked > 0.023 { noteTooBusy("dark after \(dark.time - printed.asked) s") }
  }

  @Test func `of a patch one universe is sent`() throws {
    let printed = try run(
      """
      patch:
        - { name: Par, channels: [red, green, blue], address: 1/1 }
        - { name: Far, channels: [red, green, blue], address: 2/7 }
      nodes:
        wash: { type: lights, of: Par, color: "#ff8000" }
        far: { type: lights, of: Far, color: "#0080ff" }
        lamps: { type: dmx-usb-output, device: DEVICE, address: 2/1 }
      """, wires: "wash -> lamps, far -> lamps", messages: 4)
    #expect(printed.code == 0 && printed.strange == 0)
    let lit = try #require(printed.messages.first { $0.slots.contains { $0 > 0 } })
    #expect(Array(lit.slots[..<10]) == [0, 0, 0, 0, 0, 0, 0, 128, 255, 0])
    #expect(printed.messages.last?.slots.allSatisfy { $0 == 0 } == true)
  }

  @Test
  func `a wrong path, lights that do not fit, pixels, and a device of two outputs are reported`()
    throws
  {
    let folder = try TemporaryFolder()
    func notes(_ outputs: String..., wires: String) throws -> String {
      let graph = try folder.write(
        """
        visgraph: 1
        nodes:
          level: { type: constant, channels: 3 }
          \(outputs.joined(separator: "\n  "))
        wires: [\(wires)]

        """, to: "graph.yaml")
      let ending = try Visgraph.run("check", graph)
      #expect(ending.code == 2)
      return ending.notes
    }
    let faults = try notes(
      "wide: { type: dmx-usb-output, device: /dev/ttyUSB0, address: 1/511 }",
      "none: { type: dmx-usb-output }",
      "odd: { type: dmx-usb-output, device: /tmp/file }", wires: "level -> wide, level -> none, level -> odd")
    for words in [
      "3 channels from 1/511 on have no room: the last universe is 1",
      "a dmx-usb-output needs a `device`, such as `device: /dev/ttyUSB0`", "it takes /dev/NAME",
    ] { #expect(faults.contains(words), "\(faults)") }
    let twice = try notes(
      "one: { type: dmx-usb-output, device: /dev/ttyUSB0 }",
      "two: { type: dmx-usb-output, device: /dev/ttyUSB0, address: 2/1 }", wires: "level -> one, level -> two"
    )
    #expect(twice.contains("one and two both send /dev/ttyUSB0"), "\(twice)")
    let leds = try notes(
      "leds: { type: pixels, layout: { strip: 4 } }",
      "lamps: { type: dmx-usb-output, device: /dev/ttyUSB0 }", wires: "leds -> lamps")
    #expect(leds.contains("leds outputs pixels, but lamps accepts levels 0…1 or light"), "\(leds)")
  }
}
