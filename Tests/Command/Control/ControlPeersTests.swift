import Glibc
import TestSupport
import Testing

/// Control by programs that are not ours: python-osc by UDP and both kinds of TCP, liblo's oscsend.
@Suite(.serialized, .blocking) struct ControlPeersTests {
  private static let program = """
    import sys
    from pythonosc.osc_message import OscMessage
    from pythonosc.udp_client import SimpleUDPClient
    from pythonosc.tcp_client import SimpleTCPClient
    from pythonosc.osc_bundle_builder import OscBundleBuilder, IMMEDIATELY
    from pythonosc.osc_message_builder import OscMessageBuilder
    port = int(sys.argv[1])
    def message(address, *values):
        builder = OscMessageBuilder(address)
        for value in values: builder.add_arg(value)
        return builder.build()
    def told(name, packets):
        for packet in packets:
            if packet:
                heard = OscMessage(packet)
                print(name, heard.address, *heard.params, flush=True)
    bundle = OscBundleBuilder(IMMEDIATELY)
    bundle.add_content(message("/visgraph/master", 0.5))
    bundle.add_content(message("/visgraph/blackout", 1))
    bundle.add_content(message("/visgraph/blackout", False))
    bundle.add_content(message("/visgraph/wrong", "ü"))
    udp = SimpleUDPClient("127.0.0.1", port)
    udp.send(bundle.build())
    told("udp", [udp.receive(120)])
    for mode in ("1.0", "1.1"):
        tcp = SimpleTCPClient("127.0.0.1", port, mode=mode, timeout=120)
        tcp.send_message("/visgraph/node/gain/gain", [0.5])
        tcp.send_message("/visgraph/node/gain/gain", ["loud"])
        told(mode, tcp.receive())
        tcp.close()
    """

  @Test func `python-osc sends and receives by UDP and by both framings of TCP`() throws {
    let stage = try ControlStage()
    let (ear, child, port) = (stage.ear, stage.child, stage.port)
    // The first frames only rise to it.
    #expect(
      poll(within: 20) {
        let last = ear.floats("/visgraph/rig/1").suffix(4)
        return last.count == 4 && last.allSatisfy { $0 > 0.5 && abs($0 - last.last!) < 0.001 }
      })
    let loud = try #require(ear.floats("/visgraph/rig/1").last)
    let python = try Child(["python3", "-c", Self.program, "\(port)"])
    #expect(python.exitCode() == 0, "\(python.notes)")
    let refusal =
      "/visgraph/node/gain/gain gain.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence) [wrong-value]"
    #expect(
      python.results == """
        udp /visgraph/error /visgraph/wrong nothing is called /visgraph/wrong; `visgraph controls` lists what there is \
        [control-address]
        1.0 /visgraph/error \(refusal)
        1.1 /visgraph/error \(refusal)

        """)
    // Half of what half a decibel more is.
    #expect(
      poll(within: 20) { abs((ear.floats("/visgraph/rig/1").last ?? 0) - (loud + 0.5 / 60) / 2) < 0.002 },
      "\(loud) then \(ear.floats("/visgraph/rig/1").suffix(20)): \(child.notes)")
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
  }

  @Test func `messages of liblo's oscsend act by UDP and TCP`() throws {
    let stage = try ControlStage()
    let (ear, child, port) = (stage.ear, stage.child, stage.port)
    #expect(poll(within: 20) { ear.floats("/visgraph/rig/1").last ?? 0 > 0.5 })
    let loud = try #require(ear.floats("/visgraph/rig/1").last)
    let first = try Child(["oscsend", "osc.udp://127.0.0.1:\(port)", "/visgraph/master", "f", "0.25"])
    #expect(first.exitCode() == 0, "\(first.notes)")
    #expect(poll(within: 20) { abs((ear.floats("/visgraph/rig/1").last ?? 0) - loud / 4) < 0.002 })
    let second = try Child(["oscsend", "osc.tcp://127.0.0.1:\(port)", "/visgraph/blackout", "T"])
    #expect(second.exitCode() == 0, "\(second.notes)")
    #expect(poll(within: 20) { ear.floats("/visgraph/rig/1").last == 0 })
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
  }
}
