import Particles
import Testing

@testable import Graphs

@Suite struct CheckerTests {
  @Test func `a whole file is checked into a graph`() throws {
    let checked = check(
      """
      visgraph: 1
      name: Stereo sparks
      fps: 30000/1001
      stage: { size: 640x360, background: "#102030" }
      values: { rig: 127.0.0.1 }
      nodes:
        rig: { type: postman, to: "${rig}:7700" }
        song: { type: tone, channels: 2, names: [Left, Right] }
        meter: { type: gauge, release: 250 ms, each: { 2: { release: 0.5 s }, Left: { mode: rms } } }
        level: { type: curve }
        sparks:
          type: sprinkler
          x: 10 %
          cells:
            spark: { birthRate: 80, lifetime: 1 frame, cells: { glow: { birthRate: 60 } } }
          drive:
            - { key: a.b, to: [0, 5] }
        out: { type: speaker }
      wires:
        - song -> out
        - song -> meter -> level -> sparks
        - level -> rig
        - level[2] -> sparks.move
      """)
    #expect(DiagnosticText.text(checked) == "")
    let graph = try #require(checked.graph)
    #expect(graph.name == "Stereo sparks")
    #expect(graph.fps == FrameRate(30000, per: 1001))
    #expect(graph.stage.width == 640 && graph.stage.height == 360)
    #expect(graph.stage.background.components.map { $0 * 255 } == [16, 32, 48, 255] as [Double])
    #expect(graph.nodes.map(\.id) == ["rig", "song", "meter", "level", "sparks", "out"])
    #expect(graph.order == [1, 2, 3, 0, 4, 5])
    #expect(settings(graph, "rig", Postman.self)?.all.to == ["127.0.0.1:7700"])
    let meter = try #require(settings(graph, "meter", Gauge.self))
    #expect(meter.all.release == 0.25 && meter[0].release == 0.25 && meter[1].release == 0.5)
    #expect(meter[0].mode == .average && meter[1].mode == .peak)
    let sparks = try #require(settings(graph, "sparks", Sprinkler.self)?.all)
    #expect(sparks.x == 64)
    #expect(sparks.cells["spark"]?.lifetime == 1001.0 / 30000)
    #expect(sparks.cells["spark"]?.cells["glow"]?.birthRate == 60)
    #expect(sparks.drive.first?.to == [0, 5])
    let move = graph.nodes[4].inputs[1]
    #expect(move.channels == [Channel(1, name: "Left"), Channel(2, name: "Right")])
    #expect(move.sources.map { $0.map(\.channel) } == [[1], [1]])
  }

  @Test func `a node that is like another starts with the other node's settings`() throws {
    let checked = check(
      """
      visgraph: 1
      nodes:
        t: { type: tone, channels: 2 }
        c: { like: b, mode: peak }
        b: { like: a, release: 2 s }
        a: { type: gauge, release: 1 s, mode: rms, hold: 3, each: { 2: { release: 9 } } }
      wires: [t -> a, t -> b, t -> c]
      """)
    let graph = try #require(checked.graph)
    let c = try #require(settings(graph, "c", Gauge.self))
    #expect(c.all.release == 2 && c.all.mode == .peak && c.all.hold == 3)
    #expect(c[1].release == 9 && c[0].release == 2)
  }

  @Test func `a cue file can be checked by itself, and is no graph`() {
    let checker = Checker(testCatalogue)
    let text = "visgraph-cues: 1\ncues:\n  1: { label: Doors, scene: calm }\n"
    let source = SourceText(path: "show.cues.yaml", text: text)
    let asGraph = checker.check(source)
    #expect(asGraph.faults.map(\.code) == ["not-a-graph"])
    let alone = checker.check(source, anyFile: true)
    #expect(alone.faults.isEmpty && alone.isSettingsFile && alone.graph == nil)
    let wrong = checker.check(
      SourceText(path: "show.cues.yaml", text: text + "queues: {}\n"), anyFile: true)
    #expect(wrong.faults.map(\.code) == ["unknown-setting"])
    #expect(wrong.faults.first?.mark?.line == 4)
  }
}
