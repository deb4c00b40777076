import TestSupport
import Testing

/// What others hear of the particles of a running show.
@Suite(.serialized) struct ParticlesLiveTests {
  @Test func `counts and particles reach another program`() throws {
    let folder = try TemporaryFolder()
    let ear = try PythonEar()
    let graph = try folder.write(
      """
      visgraph: 1
      stage: { size: 1000x500 }
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        sparks:
          type: emitter
          cells: { drop: { birthRate: 60, lifetime: 500 ms, scale: 0.5, color: [1, 0, 0.2, 1] } }
          particles: { to: "127.0.0.1:\(ear.port)", rate: 20 }
        count: { type: osc-output, to: "127.0.0.1:\(ear.port)", address: /live, rate: 0 }
      wires:
        - tone -> meter -> level -> sparks
        - sparks.live -> count

      """, to: "graph.yaml")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "1.5")
    #expect(ending.code == 0, "\(ending.notes)")
    // A life of thirty frames, a birth in each; at the end the lights go out.
    #expect(poll { ear.values("/live").last == 0 })
    #expect(ear.values("/live").max() == 30)
    let messages = ear.messages("/visgraph/particles/sparks/1")
    #expect((20...31).contains(messages.count), "\(messages.count)")
    let last = try #require(messages.last)
    #expect(last[1] as? Int == 30 && last[2] as? Int == 0)
    let bytes = try #require(last[3] as? [Int])
    // The middle of the stage, half of the soft picture's 32 points, and the colour.
    let particle = [0x43, 0xFA, 0, 0, 0x43, 0x7A, 0, 0, 0x41, 0x80, 0, 0, 255, 0, 51, 255]
    #expect(bytes == Array(repeating: particle, count: 30).flatMap { $0 })
  }
}
