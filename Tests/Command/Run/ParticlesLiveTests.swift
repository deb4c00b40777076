import OSC
import TestSounds
import TestSupport
import Testing

/// What others hear of the particles of a running show.
@Suite(.serialized, .blocking) struct ParticlesLiveTests {
  @Test func `counts and particles reach another program`() throws {
    let folder = try TemporaryFolder()
    let ear = try PythonReceiver()
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
    let ending = try Visgraph.runProgram(["run", graph, "--host", "clock", "--for", "1.5"])
    #expect(ending.code == 0, "\(ending.notes)")
    // A life of thirty frames, a birth in each; at the end the lights go out.
    #expect(poll { ear.values("/live").last == 0 })
    #expect(ear.values("/live").max() == 30)
    let messages = ear.messages("/visgraph/particles/sparks/1")
    // Never oftener than 20 times a second; frames that a busy machine brings together are one message.
    #expect((2...31).contains(messages.count), "\(messages.count)")
    let last = try #require(messages.last)
    #expect(last[1] as? Int == 30 && last[2] as? Int == 0)
    let bytes = try #require(last[3] as? [Int])
    // The middle of the stage, half of the soft picture's 32 points, and the color.
    let particle = [0x43, 0xFA, 0, 0, 0x43, 0x7A, 0, 0, 0x41, 0x80, 0, 0, 255, 0, 51, 255]
    #expect(bytes == Array(repeating: particle, count: 30).flatMap { $0 })
  }

  @Test func `live and offline give the same particles, frame by frame, byte by byte`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 3)), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav }
        meter: { type: meter, release: 0.2 s }
        level: { type: meter-table }
        sparks:
          type: emitter
          shape: rectangle
          size: [300, 60]
          cells:
            spark:
              contents: none
              birthRate: 80
              lifetime: 1
              lifetimeRange: 250 ms
              velocity: 50
              cells: { glow: { birthRate: 60, lifetime: 1 frame, velocity: 100, velocityRange: 300, emissionRange: 1 turn, redRange: 1 } }
          drive: [{ key: cells.spark.cells.glow.scale, to: [0, 5] }]
          particles: { to: "127.0.0.1:\(ear.port)", rate: 60, packet: 16500 }

      wires:
        - song -> meter -> level -> sparks

      """, to: "graph.yaml")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "2")
    #expect(ending.code == 0, "\(ending.notes)")
    let score = folder.file("a.osc")
    #expect(try Visgraph.run("render", graph, "--for", "2", "--cycle", "1000", "-o", score).code == 0)
    var offline: [String: [Argument]] = [:]
    for entry in try Score(score).entries { offline["\(entry.address) \(entry.values[0])"] = entry.values }
    #expect(offline.count == 240)
    // Each frame is sent, but for the last ones of the end.
    #expect(poll { ear.messages.count >= 240 }, "\(ear.messages.count)")
    for heard in ear.messages {
      #expect(heard.values == offline["\(heard.address) \(heard.values[0])"])
    }
  }

  @Test func `python-osc reads particles one by one, out of bundles, with all their fields`()
    throws
  {
    let folder = try TemporaryFolder()
    let ear = try PythonReceiver()
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
          cells:
            drop: { birthRate: 60, lifetime: 500 ms, scale: 0.5, color: [1, 0, 0.2, 1], spin: 1 turn }
          particles:
            { to: "127.0.0.1:\(ear.port)", rate: 20, send: each, bundle: immediate, fields: [cell, id, rotation, z] }
      wires: [tone -> meter -> level -> sparks]

      """, to: "graph.yaml")
    let ending = try Visgraph.run("run", graph, "--host", "clock", "--for", "1.5")
    #expect(ending.code == 0, "\(ending.notes)")
    // The newest frame of which all has come: 30 are alive from half a second on.
    var whole: [[Any]] = []
    _ = poll {
      let frames = Dictionary(grouping: ear.messages("/visgraph/particles/sparks/1")) { $0[0] as? Int ?? -1 }
      whole = frames.filter { $0.value.count == 30 }.max { $0.key < $1.key }?.value ?? []
      return !whole.isEmpty
    }
    #expect(whole.count == 30 && whole.allSatisfy { $0[1] as? Int == 30 && $0.count == 14 })
    #expect(whole.compactMap { $0[2] as? Int } == Array(0..<30))
    // The middle of the stage, half of the soft picture's 32 points, the color; then the cell.
    for message in whole {
      let numbers = message[3..<10].compactMap { ($0 as? Double).map(Float.init) }
      #expect(numbers == [500, 250, 16, 1, 0, 0.2, 1])
      #expect(message[10] as? Int == 1 && message[13] as? Double == 0)
    }
    // One is born in each frame; what is older has turned farther.
    let births = whole.compactMap { $0[11] as? Int }
    #expect(births.sorted() == Array(births.min()!...births.min()! + 29))
    let oldest = try #require(whole.min { ($0[11] as! Int) < ($1[11] as! Int) })
    let youngest = try #require(whole.max { ($0[11] as! Int) < ($1[11] as! Int) })
    #expect((oldest[12] as! Double) - (youngest[12] as! Double) > 2.9)
  }
}
