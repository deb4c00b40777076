import Glibc
import TestSounds
import TestSupport
import Testing

/// While the server runs faster than time the lights stay as they are, unless stated otherwise.
@Suite(.serialized, .blockingInJack) struct FreewheelTests {
  @Test func `while JACK freewheels packets are held, or sent for every frame`() throws {
    let folder = try TemporaryFolder()
    let (held, sent) = try (OscReceiver(), OscReceiver())
    try folder.write(Wave.bytes(Sounds.lively(seconds: 20)), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        meter: { type: meter, release: 0.2 s }
        level: { type: meter-table }
        held: { type: osc-output, to: "127.0.0.1:\(held.port)", rate: 0, repeat: 0 }
        sent: { type: osc-output, to: "127.0.0.1:\(sent.port)", rate: 0, repeat: 0, freewheel: send }
      wires:
        - song -> meter -> level -> held
        - level -> sent

      """, to: "graph.yaml")
    let server = try JackServer()
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 2, sound: .silence)
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--for", "40")
    #expect(poll { held.messages.count > 4 }, "\(child.notes)")
    #expect(peer.freewheel(true))
    // What has come until then was sent in real time, on a busy machine for seconds.
    let liveHeld = held.messages.count
    // The rest of 40 seconds is soon over; at the end each channel gets its zero.
    #expect(child.exitCode(within: 15) == 0, "\(child.notes)")
    #expect(poll { held.floats("/visgraph/held/2").last == 0 && sent.floats("/visgraph/sent/2").last == 0 })
    #expect(held.messages.count - liveHeld < 400, "\(liveHeld) of \(held.messages.count)")
    // In real time both get the same. A count of what has come before the freewheel would come too late where this
    // thread waits for a busy machine.
    let (all, live) = (sent.floats("/visgraph/sent/2").count, held.floats("/visgraph/held/2").count)
    #expect(all - live > 900, "\(live) of \(all)")
  }
}
