@testable import Engine
import Particles
import System
import TestSupport
import Testing

@testable import Graphs
@testable import Nodes

private let glow = "cells: { spark: { cells: { glow: {} } } }\n"

@Suite struct EmitterFrameTests {
  private func driven(_ drive: String, _ levels: [Float], idle: Set<Int> = []) throws -> [Float] {
    let rig = try EmitterRig(checkEmitter(glow + "drive: [\(drive)]"))
    rig.frame(levels, idle: idle)
    return rig.driven
  }

  @Test func `a level moves a number from one end of its range to the other`() throws {
    let drive = "{ key: cells.spark.cells.glow.scale, from: [0, 1], to: [0, 5], idle: 0.5 }"
    #expect(try driven(drive, [0, 1]) == [0, 5])
    #expect(try driven(drive, [0.5, 0.25]) == [2.5, 1.25])
    #expect(try driven(drive, [0.318836212, 0.1]) == [1.59418106, 0.5])
  }

  @Test func `an idle channel takes its idle value at once, and the other goes on`() throws {
    let drive = "{ key: cells.spark.cells.glow.scale, to: [0, 5], idle: 0.5 }"
    #expect(try driven(drive, [1, 1], idle: [0]) == [0.5, 5])
    #expect(try driven(drive, [1, 1], idle: [1]) == [5, 0.5])
    #expect(try driven(drive, [1, 1], idle: [0, 1]) == [0.5, 0.5])
  }

  @Test func `the idle value is the first end of the range unless set`() throws {
    #expect(try driven("{ key: scale, to: [2, 5] }", [1, 1], idle: [0, 1]) == [2, 2])
    #expect(try driven("{ key: scale, to: [5, 2] }", [1, 0.5], idle: [0]) == [5, 3.5])
    #expect(try driven("{ key: scale, to: [2, 5], idle: none }", [1, 1], idle: [0]) == [2, 5])
  }

  @Test func `silence is not idle`() throws {
    #expect(try driven("{ key: scale, to: [2, 5], idle: 3 }", [0, 0], idle: [0]) == [3, 2])
  }

  @Test func `per cent are of the stage's width and height`() throws {
    let drive =
      "{ key: emitterPosition.x, to: [10 %, 90 %] }, { key: position.y, to: [100 %, 0 %], idle: 50 % }"
    #expect(try driven(drive, [0, 1]) == [100, 900, 500, 0])
    #expect(try driven(drive, [0.5, 0.5], idle: [1]) == [500, 100, 250, 250])
  }

  @Test func `a number is given in its own unit`() throws {
    #expect(try driven("{ key: cells.spark.lifetime, to: [250 ms, 3 frames] }", [0, 1]) == [0.25, 0.05])
    #expect(try driven("{ key: cells.spark.spin, to: [0, 1 turn] }", [0, 1]) == [0, 6.2831855])
    #expect(try driven("{ key: cells.spark.color.red, to: [20 %, 1] }", [0, 1]) == [0.2, 1])
    #expect(try driven("{ key: cells.spark.birthRate, to: [10 /s, 80] }", [0, 1]) == [10, 80])
  }

  @Test func `a part of a level fills the range, clamped or extrapolated within the allowed values`() throws {
    #expect(try driven("{ key: scale, from: [0.25, 0.75], to: [1, 2] }", [0, 1]) == [1, 2])
    #expect(try driven("{ key: scale, from: [0.25, 0.75], to: [1, 2], clamp: no }", [0, 1]) == [0.5, 2.5])
    #expect(try driven("{ key: scale, from: [0.5, 0.75], to: [1, 2], clamp: no }", [0, 1]) == [0, 3])
    #expect(try driven("{ key: scale, from: [1, 0], to: [0, 4] }", [0.25, 1]) == [3, 0])
  }

  @Test func `a curve bends the map between the ends`() throws {
    #expect(try driven("{ key: scale, to: [0, 4], curve: 2 }", [0.5, 1]) == [1, 4])
    #expect(try driven("{ key: scale, to: [0, 4], curve: 0.5 }", [0.25, 0]) == [2, 0])
  }

  @Test func `a level that is not a number counts as the lower end`() throws {
    #expect(try driven("{ key: scale, to: [2, 4] }", [.nan, .infinity]) == [2, 4])
  }

  @Test func `a second port drives by its own levels, with its own idle channels`() throws {
    let drive =
      "drive: [{ key: scale, to: [0, 5] }, { key: position.x, by: move, to: [10 %, 90 %], idle: 0 }]"
    let wires = "wires: [faders -> sparks, 'faders[2] -> sparks.move']"
    let rig = try EmitterRig(checkEmitter(drive, wires))
    rig.frame([1, 0.5])
    #expect(rig.driven == [5, 2.5, 500, 500])
    rig.frame([1, 0.5], idle: [0])
    #expect(rig.driven == [0, 2.5, 500, 500])
    rig.frame([1, 0.5], idle: [1])
    #expect(rig.driven == [5, 0, 0, 0])
    #expect(
      rig.plan.frames.columns.map(\.name).filter { $0.hasPrefix("sparks/") }
        == ["sparks/1", "sparks/2", "sparks/3", "sparks/4"])
  }

  @Test func `the numbers of a channel act on its own layer only`() throws {
    let text =
      glow + "velocity: 7\neach: { 2: { velocity: 8 } }\n"
      + "drive: [{ key: cells.spark.cells.glow.scale, to: [0, 5] }, { key: seed, to: [0, 9] }]"
    let checked = checkEmitter(text)
    let graph = try #require(checked.graph)
    let node = try #require(graph.nodes.last)
    let settings = try #require(node.settings(of: Emitter.self))
    let rig = try EmitterRig(checked)
    let frame = try #require(rig.plan.frames.nodes.compactMap { $0 as? EmitterFrame }.first)
    var layers = (0..<2).map { settings[$0].model(channel: $0, of: 2, on: graph.stage) }
    #expect(frame.layers == layers)
    #expect(layers.map(\.velocity) == [7, 8])
    rig.frame([1, 0.1])
    layers[0].cells[0].cells[0].scale = 5
    layers[0].seed = 9
    // The same number that OSC sent: rounded to float once.
    layers[1].cells[0].cells[0].scale = Double(Float(0.5))
    layers[1].seed = 1
    #expect(frame.layers == layers)
  }

  @Test func `times and the seed are driven like any number, and stay within the allowed values`() throws {
    #expect(try driven("{ key: duration, to: [1 s, 5 s] }", [0, 0.5]) == [1, 3])
    #expect(
      try driven("{ key: beginTime, to: [-1, 1] }, { key: speed, to: [1, 0] }", [0, 1]) == [-1, 1, 1, 0])
    #expect(try driven("{ key: cells.spark.duration, to: [1 frame, 1e9] }", [0, 1]) == [1 / 60, 1e9])
    let checked = checkEmitter(
      glow + "drive: [{ key: seed, to: [0, 4294967295] }, { key: duration, to: [2, 4] }]")
    let rig = try EmitterRig(checked)
    let frame = try #require(rig.plan.frames.nodes.compactMap { $0 as? EmitterFrame }.first)
    #expect(frame.layers.map(\.timing.duration) == [.infinity, .infinity])
    rig.frame([1, 0.5])
    #expect(frame.layers.map(\.seed) == [4_294_967_295, 2_147_483_648])
    #expect(frame.layers.map(\.timing.duration) == [4, 3])
  }

  @Test func `every number of a layer and its cells can be driven over its whole range`() throws {
    var model = Layer()
    model.cells = [Cell(name: "spark")]
    for number in model.allNumbers {
      let ends = "[\(number.range.lowerBound), \(number.range.upperBound)]"
      let drive = "cells: { spark: {} }\ndrive: [{ key: \(number.path), to: \(ends) }]"
      let rig = try EmitterRig(checkEmitter(drive))
      rig.frame([0, 1])
      let expected = [Float(number.range.lowerBound), Float(number.range.upperBound)]
      #expect(rig.driven == expected, "\(number.path)")
    }
  }

  @Test func `OSC addresses can carry channel and path`() throws {
    let addresses = Locked<[String]>([])
    let checked = checkEmitter(
      glow + "drive: [{ key: emitterCells.spark.emitterCells.glow.scale, to: [0, 5] }]",
      """
        rig: { type: osc-output, to: "127.0.0.1:7700", address: "/particles/{name}" }
      wires: [faders -> sparks -> rig]
      """)
    let rig = try EmitterRig(
      checked,
      packets: .score { _, packet in
        addresses.withLock { $0.append(String(decoding: packet.prefix { $0 != 0 }, as: UTF8.self)) }
      })
    rig.frame([1, 0.5])
    #expect(
      addresses.withLock { $0 } == [
        "/particles/1.cells.spark.cells.glow.scale", "/particles/2.cells.spark.cells.glow.scale",
      ])
  }
}
