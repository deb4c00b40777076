import Engine
import Graphs
import OSC
import System
import Testing

@testable import Nodes

/// The messages of the presets for consoles and programs, byte by byte.
@Suite struct OscPresetTests {
  /// The packets for two channels named `4203` and `4213` at the level 0.5, in hexadecimal, in the first frame.
  private func packets(_ settings: String, to: String = "\"127.0.0.1:9\"") throws -> [String] {
    let sent = Locked<[String]>([])
    let rig = try GraphRig(
      """
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: constant, value: 0.5, channels: 2, names: ["4203", "4213"] }
        rig: { type: osc-output, to: \(to), \(settings) }
      wires: [tone -> meter, level -> rig]
      """,
      packets: .score { _, bytes in
        let text = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        sent.withLock { $0.append(text) }
      })
    rig.process(800)
    return sent.withLock { $0 }
  }

  private func hex(_ text: String) -> String {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: 4 - text.utf8.count % 4)
    return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  @Test(arguments: [
    (OscPreset.eosChannel, ["/eos/chan/1", "/eos/chan/2"], "2c66000042480000"),
    (.eosSub, ["/eos/sub/1", "/eos/sub/2"], "2c6600003f000000"),
    (.eosFader, ["/eos/fader/1/1", "/eos/fader/1/2"], "2c6600003f000000"),
    (.grandMA3, ["/Page1/Fader201", "/Page1/Fader202"], "2c69000000000032"),
    (.hog, ["/hog/hardware/fader/1", "/hog/hardware/fader/2"], "2c69000000000080"),
    (.magicq, ["/pb/1", "/pb/2"], "2c6600003f000000"),
    (.onyx, ["/Mx/fader/4203", "/Mx/fader/4213"], "2c69000000000080"),
    (
      .resolume, ["/composition/layers/1/video/opacity", "/composition/layers/2/video/opacity"],
      "2c6600003f000000"
    ),
    (.touchDesigner, ["/4203", "/4213"], "2c6600003f000000"),
    (.companion, ["/custom-variable/4203/value", "/custom-variable/4213/value"], "2c69000000000032"),
    (.x32, ["/ch/01/mix/fader", "/ch/02/mix/fader"], "2c6600003f000000"),
    (.x32DCA, ["/dca/1/fader", "/dca/2/fader"], "2c6600003f000000"),
  ])
  func `a preset sends these bytes`(preset: OscPreset, addresses: [String], arguments: String) throws {
    #expect(try packets("preset: \(preset.rawValue)") == addresses.map { hex($0) + arguments })
  }

  @Test func `a preset whose messages have one address distinguishes channels by an argument`() throws {
    // ,if: the strip, and the position of its fader.
    #expect(
      try packets("preset: ardour")
        == ["00000001", "00000002"].map {
          hex("/strip/fader") + "2c696600" + $0 + "3f000000"
        })
    // ,if: a name that is a number is sent as that number, also for a light that is called 4203, too.
    #expect(
      try packets("preset: qlab")
        == ["0000106b", "00001075"].map {
          hex("/dashboard/setLight") + "2c696600" + $0 + "42480000"
        })
  }

  @Test func `every preset has its bytes, and notes that it follows from a manual alone`() {
    #expect(OscPreset.allCases.count == 14)
    for preset in OscPreset.allCases {
      #expect(preset.help.contains(preset.address))
      #expect(preset.help.hasSuffix("from its manual, not run against it"))
    }
    #expect(OscPreset.eosChannel.help.contains("float 0…100, packets of at most 512 bytes"))
  }

  @Test func `a stated setting wins over a preset, wherever it is stated`() throws {
    #expect(
      try packets("argument: int, preset: eos-sub, address: \"/a/{channel}\", values: [0, 10]")
        == [hex("/a/1") + "2c69000000000005", hex("/a/2") + "2c69000000000005"])
    // One target has a setting of its own, the others have none.
    let own = try packets(
      "argument: int, values: [0, 10], address: \"/a/{channel}\"",
      to: "[\"127.0.0.1:9\", { to: \"127.0.0.1:10\", preset: magicq }]")
    #expect(own.prefix(2) == [hex("/a/1") + "2c69000000000005", hex("/a/2") + "2c69000000000005"])
    #expect(own.suffix(2) == [hex("/pb/1") + "2c6600003f000000", hex("/pb/2") + "2c6600003f000000"])
  }

  @Test func `more channels than a preset's address can count are a fault`() {
    func codes(_ settings: String) -> [String] {
      let graph = """
        visgraph: 1
        nodes: { level: { type: constant, channels: 10 }, rig: { type: osc-output, to: "127.0.0.1:9", \(settings) } }
        wires: [level -> rig]
        """
      return Checker(.full).check(SourceText(path: "graph.yaml", text: graph)).faults.map(\.code)
    }
    #expect(codes("preset: magicq") == [])
    #expect(codes("preset: grandma3") == ["preset-channels"])
    #expect(codes("address: /a, arguments: [\"{value}\", fade]") == ["equal-addresses"])
    #expect(codes("address: /a, arguments: [\"{value}\", \"{name}\"]") == [])
    #expect(codes("preset: grandma3, address: \"/Page1/Fader{channel}\"") == [])
  }

  @Test func `a stated address goes before a preset's, also where it is the address of no preset`() throws {
    #expect(
      try packets("preset: eos-channel, address: \"/visgraph/{node}/{channel}\"")
        == [hex("/visgraph/rig/1"), hex("/visgraph/rig/2")].map { $0 + "2c66000042480000" })
    // A vector has the default address without a channel, stated or not.
    for stated in ["", ", address: \"/visgraph/{node}/{channel}\""] {
      let packet = try packets("send: vector\(stated)")
      #expect(packet == [hex("/visgraph/rig") + "2c666600" + "3f000000" + "3f000000"])
    }
  }
}
