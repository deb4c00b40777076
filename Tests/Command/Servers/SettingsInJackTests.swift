import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Settings that come faster than frames, while a server plays.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct SettingsInJackTests {
  @Test(arguments: [64, 1024])
  func `a gain set a thousand times a second has no step beyond its smoothing`(period: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 1, frequency: 220, level: -6 dB }
        gain: { type: gain }
        plain: { type: jack-output, connect: none }
        out: { type: jack-output, connect: none }
      wires: [tone -> plain, tone -> gain -> out]

      """, to: "graph.yaml")
    var settings = JackServer.Settings()
    settings.period = period
    // Else a client that is late writes its buffers while the tape reads them: one port would be of this cycle, the
    // other of the one before.
    settings.waitsForClients = true
    let server = try JackServer(settings)
    // A sine bends by its frequency; a ramp of one frame adds what its slope makes of the sine, and its corners.
    let peak = Float(pow(10, -6.0 / 20))
    let turn = 2 * Float.pi * 220 / 48_000
    let slope: Float = 1 / 800
    let own: Float = peak * turn * turn
    let added: Float = 2 * peak * slope * (turn + 1)
    let most: Float = 1.001 * (own + added) + 1e-6
    let found = try lastOf(4) { () -> String? in
      let name = JackTurn.clientName("storm")
      let child = try Visgraph.start(
        "run", path, "--host", "jack", "--server", server.name, "--client", name, "--no-watch")
      let control = try ControlPeer(try child.controlPort())
      let tape = try JackPeer(
        JackTurn.clientName("tape"), server: server.name, inputs: 2, recording: 30)
      #expect(
        poll {
          [("plain", 1), ("out", 2)].allSatisfy { port, input in
            [0, EEXIST].contains(tape.connect("\(name):\(port)_1", "\(tape.name):in_\(input)"))
          }
        }, "\(child.notes)")
      let begin = tape.recorded + 4800
      var step = 0
      #expect(
        try poll(within: 10) {
          for _ in 0..<4 {
            step += 1
            // Anywhere between -30 dB and 0.
            try control.send("/visgraph/node/gain/gain", .float(Float(step * 37 % 301) / -10))
          }
          return tape.recorded >= begin + 96_000
        })
      let (plain, out) = (Array(tape.samples(0)[begin...]).bends, Array(tape.samples(1)[begin...]).bends)
      tape.close()
      child.signal(SIGTERM)
      #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
      // Where the server left out a cycle there is a step before the gain, too.
      let steps = zip(plain, out).filter { source, _ in source < 1.01 * own }.map { $1 }
      let highest = steps.max() ?? 0
      // Else nothing was set, as where a busy machine keeps the program from its packets.
      guard steps.count > 48_000, highest > 1.5 * own else {
        return "\(steps.count) samples, at most \(highest): \(child.notes)"
      }
      return highest > most ? "\(highest) above \(most), \(tape.xruns) xruns" : nil
    }
    #expect(found == nil)
  }
}
