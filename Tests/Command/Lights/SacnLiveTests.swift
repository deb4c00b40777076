import Foundation
import TestSupport
import Testing

/// What a run sends by sACN, read by a receiver that is strict.
@Suite(.serialized, .blocking) struct SacnLiveTests {
  /// A packet as ANSI E1.31-2018 has it; nil where a length, a vector or a reserved field is wrong.
  private struct Data {
    let time: Double
    let universe: Int
    let sequence: UInt8
    let priority: UInt8
    let options: UInt8
    let sync: Int
    let slots: [UInt8]

    init?(_ packet: LightCapture.Packet) {
      let bytes = packet.bytes
      func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
      guard bytes.count == 638, number(0) == 0x10, number(2) == 0,
        Array(bytes[4..<16]) == Array("ASC-E1.17".utf8) + [0, 0, 0],
        number(16) == 0x7000 | 622, Array(bytes[18..<22]) == [0, 0, 0, 4], number(38) == 0x7000 | 600,
        Array(bytes[40..<44]) == [0, 0, 0, 2], number(115) == 0x7000 | 523,
        Array(bytes[117..<125]) == [2, 0xA1, 0, 0, 0, 1, 2, 1], bytes[125] == 0, bytes[107] == 0
      else { return nil }
      (time, universe, sequence, priority) = (packet.time, number(113), bytes[111], bytes[108])
      (options, sync, slots) = (bytes[112], number(109), Array(bytes[126...]))
    }
  }

  private func graph(_ folder: TemporaryFolder, _ output: String) throws -> String {
    try folder.write(
      """
      visgraph: 1
      fps: 60
      nodes:
        tone: { type: tone-source, channels: 5, level: -6, levelStep: -7, frequency: 960 }
        meter: { type: meter }
        level: { type: range, from: [-60, 0] }
        lamps: { \(output) }
      wires: [tone -> meter -> level -> lamps]

      """, to: "graph.yaml")
  }

  /// The last levels of a run, as bytes.
  private func slots(_ file: String) -> [UInt8] {
    let rows = LevelRows(file)
    return (1...5).map { UInt8((rows["level/\($0)"].last ?? 0) * 255 + 0.5) }
  }

  @Test
  func `universes are sent, kept alive, announced, synchronized, and ended by three packets in the dark`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try graph(
      folder, "type: sacn-output, address: 1/510, interface: lo, priority: 120, sync: 7000, source: Test")
    let levels = folder.file("levels.csv")
    let capture = try LightCapture.first(where: { $0.late.isEmpty && $0.code == 0 }) {
      try LightCapture(
        graph, port: 5568, groups: [1, 2, 7000, 64214], endingAfter: 10.8, "--levels", levels)
    }
    #expect(capture.code == 0)
    #expect(capture.faults == [] && capture.kinds["end"] == 6)
    noteIfLate(capture)
    let expected = slots(levels)
    let asked = try #require(capture.asked)
    let data = capture.packets.compactMap { Data($0) }
    #expect(Set(data.map(\.universe)) == [1, 2])
    #expect(data.allSatisfy { $0.priority == 120 && $0.sync == 7000 })
    #expect(Set(capture.packets.map { Array($0.bytes[22..<38]) }).count == 1)
    for universe in 1...2 {
      let own = data.filter { $0.universe == universe }
      #expect(zip(own, own.dropFirst()).allSatisfy { $1.sequence == $0.sequence &+ 1 })
      let lit = universe == 1 ? Array(expected[..<3]) : Array(expected[3...])
      func lights(_ packet: Data) -> [UInt8] {
        universe == 1 ? Array(packet.slots[509...]) : Array(packet.slots[..<2])
      }
      // The levels rise in less than a second, which a busy machine may begin late.
      let settled = max(1, (own.first { lights($0) == lit }?.time ?? 0) + 0.5)
      let steady = own.filter { $0.time > settled && $0.options == 0 && $0.slots.contains { $0 > 0 } }
      for packet in steady {
        #expect(lights(packet) == lit)
        #expect(packet.slots.filter { $0 > 0 }.count == lit.count)
      }
      // As long as nothing changes: one in 0.8 to 1 s, of which a busy machine may be late with one.
      let gaps = zip(steady, steady.dropFirst()).map { $1.time - $0.time }
      #expect(steady.count >= 8, "\(gaps)")
      #expect(Double(steady.count) <= (capture.ended - 1) / 0.8 + 1, "\(gaps)")
      #expect(gaps.allSatisfy { $0 > 0.7 }, "\(gaps)")
      // The end: a dark look, then exactly three that say so.
      let end = own.suffix(4)
      #expect(end.allSatisfy { $0.slots.allSatisfy { $0 == 0 } })
      #expect(end.map(\.options) == [0, 0x40, 0x40, 0x40])
      #expect(own.filter { $0.options != 0 }.count == 3)
    }
    let syncs = capture.packets.filter { $0.bytes.count == 49 }
    #expect(syncs.count >= 10 || !capture.late.isEmpty)
    #expect(syncs.allSatisfy { Array($0.bytes[45..<49]) == [0x1B, 0x58, 0, 0] })
    let announcements = capture.packets.filter { $0.bytes.count == 124 }
    // One in ten seconds, however long a busy machine lets the run go on.
    let least = capture.late.isEmpty ? 2 : 1
    #expect((least...1 + Int(asked / 9)).contains(announcements.count), "\(asked)")
    #expect(announcements.allSatisfy { Array($0.bytes[120...]) == [0, 1, 0, 2] })
    #expect(capture.packets.count == data.count + syncs.count + announcements.count)
  }

  /// What a busy machine may spoil is noted, and is no fault.
  private func noteIfLate(_ capture: LightCapture) {
    if !capture.late.isEmpty { noteTooBusy("late packets: \(capture.late.prefix(5))") }
  }

  @Test
  func `slot priorities are sent after the levels, by IPv6 and by a chosen interface`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try graph(
      folder,
      """
      type: sacn-output, to: multicast-ipv6, interface: "fd00::1", address: 1/510, sync: 2, priority: 120,
            slotPriorities: on
      """)
    let capture = try LightCapture.first(where: \.late.isEmpty) {
      try LightCapture(graph, port: 5568, groups: [1, 2, 64214], isIPv6: true, endingAfter: 3)
    }
    #expect(capture.code == 0 && capture.faults == [])
    let asked = try #require(capture.asked)
    let most = 5 + Int(asked / 0.8)
    let data = capture.packets.filter { $0.bytes.count == 638 && $0.bytes[112] == 0 }
    for universe in [1, 2] as [UInt8] {
      let own = data.filter { $0.bytes[114] == universe }
      let places = own.indices.filter { own[$0].bytes[125] == 0xDD }
      // At once, three more of the same, and then one in 0.8 to 1 s; never before the levels, and with no
      // synchronization.
      let least = capture.late.isEmpty ? 6 : 4
      #expect((least...most).contains(places.count) && places.first == 1)
      for place in places {
        let slots = own[place].bytes[126...]
        #expect(
          Array(universe == 1 ? slots.suffix(4) : slots.prefix(3))
            == (universe == 1 ? [0, 120, 120, 120] : [120, 120, 0]))
        #expect(slots.filter { $0 != 0 }.count == (universe == 1 ? 3 : 2))
        #expect(own[place].bytes[108] == 120 && Array(own[place].bytes[109..<111]) == [0, 0])
      }
      #expect(own.allSatisfy { $0.bytes[125] == 0xDD || Array($0.bytes[109..<111]) == [0, 2] })
    }
    #expect((capture.kinds["synchronization"] ?? 0) > 4 && capture.kinds["end"] == 6)
  }

  @Test func `a unicast receiver gets what all others would, and held lights end without going dark`() throws
  {
    let folder = try TemporaryFolder()
    let graph = try graph(
      folder, "type: sacn-output, to: 127.0.0.1, address: 63999/1, atEnd: hold, preview: on")
    let levels = folder.file("levels.csv")
    // A busy machine may not write the last levels in the time that such an end has for them.
    let capture = try LightCapture.first(where: { $0.code == 0 }) {
      try LightCapture(graph, port: 5568, endingAfter: 1.5, "--levels", levels)
    }
    let data = capture.packets.compactMap { Data($0) }
    #expect(data.count == capture.packets.count && data.allSatisfy { $0.universe == 63_999 })
    #expect(data.suffix(3).allSatisfy { $0.options == 0xC0 && Array($0.slots[..<5]) == slots(levels) })
    #expect(data.dropLast(3).allSatisfy { $0.options == 0x80 })
  }

  @Test func `Art-Net goes to its node with even lengths and numbers that are never 0, and ends dark`() throws
  {
    let folder = try TemporaryFolder()
    let graph = try graph(folder, "type: artnet-output, to: 127.0.0.1, address: 1/510, first: 16")
    let levels = folder.file("levels.csv")
    let capture = try LightCapture.first(where: { $0.late.isEmpty && $0.code == 0 }) {
      try LightCapture(graph, port: 6454, endingAfter: 1.5, "--levels", levels)
    }
    #expect(capture.faults == [] && capture.kinds.keys.sorted() == ["ArtDmx"])
    noteIfLate(capture)
    let expected = slots(levels)
    for (universe, place) in [(0x10, 509), (0x11, 0)] {
      let own = capture.packets.filter { Int($0.bytes[14]) == universe }
      #expect(own.allSatisfy { $0.bytes.count == 530 && Array($0.bytes[8..<12]) == [0, 0x50, 0, 14] })
      #expect(
        zip(own, own.dropFirst()).allSatisfy { $1.bytes[12] == ($0.bytes[12] == 255 ? 1 : $0.bytes[12] + 1) })
      let lit = place == 509 ? Array(expected[..<3]) : Array(expected[3...])
      #expect(own.contains { Array($0.bytes[(18 + place)...].prefix(lit.count)) == lit })
      #expect(own.suffix(4).allSatisfy { $0.bytes[18...].allSatisfy { $0 == 0 } })
    }
  }

  @Test func `light of a patch arrives in its slots, and moving heads keep their position in the dark`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      patch:
        - { name: Par, count: 2, channels: [red, green, blue], address: 3/509 }
        - { name: Spot, channels: [dimmer, pan, pan fine, pan ultra, tilt, tilt fine], address: 7/10 }
      nodes:
        wash: { type: lights, of: Par, color: "#ff8000", dimmer: 50 % }
        spot: { type: lights, of: Spot, dimmer: 20 %, pan: 35 deg, tilt: -10 deg }
        more: { type: lights, of: Spot, dimmer: 60 %, pan: 36 deg }
        less: { type: lights, of: Spot, dimmer: 10 %, pan: 90 deg, tilt: 45 deg }
        lamps: { type: sacn-output, to: 127.0.0.1 }
      wires: [wash -> lamps, spot -> lamps, more -> lamps, less -> lamps]

      """, to: "graph.yaml")
    let capture = try LightCapture(graph, port: 5568, endingAfter: 1.2)
    let data = capture.packets.compactMap { Data($0) }
    #expect(Set(data.map(\.universe)) == [3, 4, 7])
    func lit(_ universe: Int) throws -> [UInt8] {
      try #require(data.last { $0.universe == universe && $0.slots.contains { $0 > 50 } }).slots
    }
    // The second par does not fit behind the first: it begins the next universe.
    #expect(try Array(lit(3)[508...]) == [128, 64, 0, 0])
    #expect(try Array(lit(4)[..<4]) == [128, 64, 0, 0])
    // 270 of 540 degrees and 90 more; a level has 24 bits.
    let pan = UInt32((Double(Float(360.0 / 540)) * 16_777_215).rounded())
    let tilt = UInt32((180.0 / 270 * 65_535).rounded())
    let position = [pan >> 16, pan >> 8 & 255, pan & 255, tilt >> 8, tilt & 255].map { UInt8($0) }
    let bright = try #require(data.last { $0.universe == 7 && $0.slots[9] > 0 })
    #expect(Array(bright.slots[9..<15]) == [153] + position)
    let last = try #require(data.last { $0.universe == 7 })
    #expect(Array(last.slots[9..<15]) == [0] + position)
    #expect(data.last { $0.universe == 4 }?.slots.allSatisfy { $0 == 0 } == true)
  }

  @Test(arguments: [
    ("red, green", "red, green, blue", [255, 255, 0], [255, 255, 255]),
    ("red, green, blue", "red, amber, green", [255, 255, 255], [255, 0, 255]),
    ("red, green, blue", "red", [255, 255, 255], [255, 0, 0]),
  ])
  func `a reloaded graph with other channels goes on with its universe, lit`(
    first: String, then: String, lit: [UInt8], becomes: [UInt8]
  ) throws {
    let folder = try TemporaryFolder()
    func graph(_ channels: String, _ name: String) throws -> String {
      try folder.write(
        """
        visgraph: 1
        patch: [{ name: Par, channels: [\(channels)], address: 5/1 }]
        nodes: { wash: { type: lights, of: Par }, lamps: { type: sacn-output, to: 127.0.0.1 } }
        wires: [wash -> lamps]

        """, to: name)
    }
    let next = try graph(then, "next.yaml")
    let capture = try LightCapture(
      try graph(first, "graph.yaml"), port: 5568, endingAfter: 2.4, becoming: next)
    let data = capture.packets.compactMap { Data($0) }
    // The end: the dark, and three packets that say so.
    let shown = data.filter { $0.options == 0 }.map { Array($0.slots[..<3]) }
    let dark = shown.firstIndex(of: [0, 0, 0]) ?? shown.count
    #expect(Set(shown[..<dark]) == [lit, becomes] && shown[..<dark].last == becomes)
    #expect(data.filter { $0.options == 0x40 }.count == 3)
    #expect(zip(data, data.dropFirst()).allSatisfy { $1.sequence == $0.sequence &+ 1 })
  }

  @Test func `a changed fixture file lights its fixtures anew, and a faulty one changes nothing`() throws {
    let folder = try TemporaryFolder()
    func lamp(_ channels: String, _ name: String) throws -> String {
      try folder.write("visgraph-fixture: 1\nmodes: { A: [\(channels)] }\n", to: name)
    }
    let graph = try folder.write(
      """
      visgraph: 1
      patch: [{ name: Par, fixture: lamp.yaml, address: 5/1 }]
      nodes: { wash: { type: lights, of: Par, color: red }, lamps: { type: sacn-output, to: 127.0.0.1 } }
      wires: [wash -> lamps]

      """, to: "graph.yaml")
    for (next, lit) in [("blue, red, green", [0, 255, 0]), ("red, green, [", [255, 0, 0])]
      as [(String, [UInt8])]
    {
      let used = try lamp("red, green, blue", "lamp.yaml")
      let capture = try LightCapture(
        graph, port: 5568, endingAfter: 2.4, becoming: try lamp(next, "next.yaml"), changing: used)
      let shown = capture.packets.compactMap { Data($0) }.filter { $0.options == 0 }.map {
        Array($0.slots[..<3])
      }
      let dark = shown.firstIndex(of: [0, 0, 0]) ?? shown.count
      #expect(Set(shown[..<dark]) == [[255, 0, 0], lit] && shown[..<dark].last == lit, "\(Set(shown))")
    }
  }

  @Test func `a universe of two outputs is a fault of the graph, with both names`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 3 }
        meter: { type: meter }
        level: { type: meter-table }
        one: { type: sacn-output, address: 1/512 }
        two: { type: sacn-output, address: 2/100 }
      wires: [tone -> meter -> level -> one, level -> two]

      """, to: "graph.yaml")
    let ending = try Visgraph.run("check", graph)
    #expect(ending.code == 2)
    #expect(
      ending.notes.contains("one and two both send sACN universe 2"), "\(ending.notes)")
  }
}
