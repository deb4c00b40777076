import Graphs
import System
import Testing

@testable import Nodes

private let cells = "cells: { spark: { cells: { glow: {} } } }\n"

@Suite struct EmitterFaultTests {
  private func said(_ drive: String) -> String { saidOfEmitter(cells + "drive:\n  - " + drive) }

  @Test func `a cell that is not there`() {
    #expect(
      said("{ key: cells.spark.cells.glw.scale }") == """
        graph.yaml:9:16: error: sparks.drive.1.key is "cells.spark.cells.glw.scale", and cells.spark has no cell "glw" [unknown-cell]
           9 |       - { key: cells.spark.cells.glw.scale }
             |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^
             = did you mean cells.spark.cells.glow.scale?
             = known are glow

        """)
  }

  @Test func `a number that is not there`() {
    #expect(
      said("{ key: emiterPosition.x }") == """
        graph.yaml:9:16: error: sparks.drive.1.key is "emiterPosition.x", and the emitter has no number "emiterPosition.x" [unknown-key]
           9 |       - { key: emiterPosition.x }
             |                ^^^^^^^^^^^^^^^^
             = did you mean emitterPosition.x?
             = known are birthRate, lifetime, position.x, position.y, zPosition, size.width, size.height, depth, velocity, scale, spin, seed, beginTime, duration, speed, cells.spark

        """)
  }

  @Test func `a cell without its word cells`() {
    #expect(
      said("{ key: spark.scale }") == """
        graph.yaml:9:16: error: sparks.drive.1.key is "spark.scale", and the emitter has no number "spark.scale" [unknown-key]
           9 |       - { key: spark.scale }
             |                ^^^^^^^^^^^
             = did you mean cells.spark.scale?
             = known are birthRate, lifetime, position.x, position.y, zPosition, size.width, size.height, depth, velocity, scale, spin, seed, beginTime, duration, speed, cells.spark

        """)
  }

  @Test func `what is not a number`() {
    #expect(
      said("{ key: emitterPosition }") == """
        graph.yaml:9:16: error: sparks.drive.1.key is "emitterPosition", and emitterPosition is a point, not a number [key-not-a-number]
           9 |       - { key: emitterPosition }
             |                ^^^^^^^^^^^^^^^
             = known are position.x, position.y

        """)
  }

  @Test func `a path that ends early`() {
    #expect(
      said("{ key: cells.spark.cells }") == """
        graph.yaml:9:16: error: sparks.drive.1.key is "cells.spark.cells", which ends before a number [key-incomplete]
           9 |       - { key: cells.spark.cells }
             |                ^^^^^^^^^^^^^^^^^
             = known are glow

        """)
  }

  @Test func `a number driven twice`() {
    #expect(
      said("{ key: position.x }\n  - { key: emitterPosition.x, to: [1, 2] }") == """
        graph.yaml:10:16: error: sparks.drive.2.key drives position.x, and so does sparks.drive.1.key in line 9 [driven-twice]
          10 |       - { key: emitterPosition.x, to: [1, 2] }
             |                ^^^^^^^^^^^^^^^^^
             = remove one of the two

        """)
  }

  @Test func `a cell among none`() {
    #expect(
      saidOfEmitter("drive: [{ key: cells.spark.scale }]") == """
        graph.yaml:7:20: error: sparks.drive.1.key is "cells.spark.scale", and the emitter has no cell "spark" [unknown-cell]
           7 |     drive: [{ key: cells.spark.scale }]
             |                    ^^^^^^^^^^^^^^^^^
             = the emitter has no cells

        """)
  }

  @Test func `an end beyond what the number may be`() {
    #expect(
      said("{ key: cells.spark.color.red, to: [0, 5] }") == """
        graph.yaml:9:47: error: sparks.drive.1.to.2 is 5; cells.spark.color.red takes a number 0…1 (or %) [out-of-range]
           9 |       - { key: cells.spark.color.red, to: [0, 5] }
             |                                               ^

        """)
  }

  @Test func `an idle value beyond what the number may be`() {
    #expect(
      said("{ key: scale, idle: -1 }") == """
        graph.yaml:9:29: error: sparks.drive.1.idle is -1; scale takes a number 0…10000 [out-of-range]
           9 |       - { key: scale, idle: -1 }
             |                             ^^

        """)
  }

  @Test func `no to where 0…1 is beyond what the number may be`() {
    #expect(
      said("{ key: cells.spark.contentsScale }") == """
        graph.yaml:9:16: error: without a `to` it would become 0…1; cells.spark.contentsScale takes a number 0.01…1000 [out-of-range]
           9 |       - { key: cells.spark.contentsScale }
             |                ^^^^^^^^^^^^^^^^^^^^^^^^^
             = write to: [LOW, HIGH]

        """)
  }

  @Test func `a unit that the number does not have`() {
    #expect(
      said("{ key: scale, to: [0, 5 s] }") == """
        graph.yaml:9:31: error: sparks.drive.1.to.2 has the unit "s"; it takes a number 0…10000, without a unit [unknown-unit]
           9 |       - { key: scale, to: [0, 5 s] }
             |                               ^^^

        """)
  }

  @Test func `an end that is not a number`() {
    #expect(
      said("{ key: scale, to: [0, much] }") == """
        graph.yaml:9:31: error: sparks.drive.1.to.2 is "much"; it takes a number in the unit of the key, such as 0.5, 10 % or 90 deg [wrong-value]
           9 |       - { key: scale, to: [0, much] }
             |                               ^^^^

        """)
  }

  @Test func `a drive without a key`() {
    #expect(
      said("{ to: [0, 5] }") == """
        graph.yaml:9:9: error: sparks.drive.1 does not say what it drives [missing-key]
           9 |       - { to: [0, 5] }
             |         ^^^^^^^^^^^^^^
             = write key: and the path of a number, such as key: scale

        """)
  }

  @Test func `a range without width, and decibels on a level`() {
    #expect(
      said("{ key: scale, from: [0.5, 0.5] }\n  - { key: spin, from: [-60, 0] }") == """
        graph.yaml:9:29: error: the two ends of sparks.drive.1.from are the same; a range needs a width [empty-range]
           9 |       - { key: scale, from: [0.5, 0.5] }
             |                             ^^^^^^^^^^
        graph.yaml:10:29: error: sparks.drive.2.from.1 is -60; it takes a number 0…1 (or %) [out-of-range]
          10 |       - { key: spin, from: [-60, 0] }
             |                             ^^^

        """)
  }

  @Test(arguments: ["driven", "live", "births"])
  func `a port of an output's name`(name: String) {
    #expect(
      said("{ key: scale, by: \(name) }") == """
        graph.yaml:9:27: error: sparks.drive.1.by is \(name), which is the name of an output [reserved-port]
           9 |       - { key: scale, by: \(name) }
             |                           \(String(repeating: "^", count: name.count))
             = take another name

        """)
  }

  @Test(arguments: ["limit", "prewarm", "palette", "ranges"])
  func `a setting that is none of the numbers of a layer`(name: String) {
    #expect(said("{ key: \(name) }").contains("sparks.drive.1.key is \"\(name)\", which no level can drive"))
  }

  @Test func `nobody is asked to wire a port that cannot be`() {
    #expect(
      said("{ key: scale, by: a b }").split(separator: "\n").filter { $0.contains("error:") }.count == 1)
  }

  @Test func `a port that nothing is wired to`() {
    #expect(
      said("{ key: scale, by: move }") == """
        graph.yaml:5:3: error: nothing is wired to sparks.move [nothing-wired]
           5 |   sparks:
             |   ^^^^^^
             = it takes levels 0…1: write under wires: - ID -> sparks.move

        """)
  }

  @Test func `a faulty drive keeps its port, so its wires are not called wrong too`() {
    #expect(
      saidOfEmitter(
        "drive: [{ key: scale, by: move, curve: 0 }]", "wires: [faders -> sparks, faders -> sparks.move]")
          == """
          graph.yaml:7:44: error: sparks.drive.1.curve is 0; it takes a number 0.01…100 [out-of-range]
             7 |     drive: [{ key: scale, by: move, curve: 0 }]
               |                                            ^

          """)
  }

  @Test func `like tells a fault once`() {
    #expect(
      saidOfEmitter(
        "drive: [{ key: scal }]",
        """
          more: { like: sparks }
        wires: [faders -> sparks, faders -> more]
        """) == """
          graph.yaml:7:20: error: sparks.drive.1.key is "scal", and the emitter has no number "scal" [unknown-key]
             7 |     drive: [{ key: scal }]
               |                    ^^^^
               = did you mean scale?
               = known are birthRate, lifetime, position.x, position.y, zPosition, size.width, size.height, depth, velocity, scale, spin, seed, beginTime, duration, speed

          """)
  }

  @Test func `contents that cannot be shown, each where it stands, and each file looked at once`() {
    let looks = Locked<[String]>([])
    let catalog = Catalog(types: everyNode + [Faders.self]) { path, _ in
      looks.withLock { $0.append(path) }
      return path == "good.png" ? nil : ("no-picture", "there is no file \(path)")
    }
    let text = """
      visgraph: 1
      stage: { background: back.png }
      nodes:
        faders: { type: faders }
        sparks: { type: emitter, cells: { a: { contents: bad.png, cells: { b: { contents: good.png } } } } }
        m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
      wires: [faders -> sparks, faders -> m]
      """
    let checked = Checker(catalog).check(SourceText(path: "graph.yaml", text: text))
    #expect(
      DiagnosticText.text(checked) == """
        graph.yaml:2:22: error: stage.background: there is no file back.png [no-picture]
           2 | stage: { background: back.png }
             |                      ^^^^^^^^
        graph.yaml:5:52: error: sparks.cells.a.contents: there is no file bad.png [no-picture]
           5 |   sparks: { type: emitter, cells: { a: { contents: bad.png, cells: { b: { contents: good.png } } } }…
             |                                                    ^^^^^^^
        graph.yaml:6:47: error: m.cells.a.contents: there is no file bad.png [no-picture]
           6 |   m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
             |                                               ^^^^^^^
        graph.yaml:6:73: error: m.cells.b.contents: there is no file ./none [no-picture]
           6 |   m: { type: emitter, cells: { a: { contents: bad.png }, b: { contents: ./none } } }
             |                                                                         ^^^^^^

        """)
    #expect(looks.withLock { $0 } == ["back.png", "bad.png", "good.png", "./none"])
  }

  @Test func `the catalogue of the program looks at pictures`() {
    let text = """
      visgraph: 1
      stage: { background: ./nosuch/back.png }
      nodes:
        t: { type: tone-source }
        m: { type: meter }
        l: { type: meter-table }
        e: { type: emitter, cells: { a: { contents: nosuch/bad.png }, b: { contents: soft } } }
      wires: [t -> m -> l -> e]
      """
    let faults = Checker(.full).check(SourceText(path: "graph.yaml", text: text)).faults
    #expect(faults.map(\.mark?.line) == [2, 7] && faults.map(\.mark?.column) == [22, 47])
    #expect(
      zip(
        faults, ["stage.background: ", "e.cells.a.contents: "]
      )
      .allSatisfy { $0.message.hasPrefix($1) })
  }

  @Test func `numbers that would run away are refused`() {
    #expect(
      saidOfEmitter("limit: 0\nprewarm: 61 s\nranges: half\nlatitudes: 3") == """
        graph.yaml:7:12: error: sparks.limit is 0; it takes a whole number 1…1000000 [out-of-range]
           7 |     limit: 0
             |            ^
        graph.yaml:8:14: error: sparks.prewarm is 61 s; it takes a number 0…60 s [out-of-range]
           8 |     prewarm: 61 s
             |              ^^^^
        graph.yaml:9:13: error: sparks.ranges is "half"; it takes one of either-side, whole [unknown-word]
           9 |     ranges: half
             |             ^^^^
        graph.yaml:10:16: error: sparks.latitudes is "3"; it takes one of from-plane, from-z [unknown-word]
          10 |     latitudes: 3
             |                ^

        """)
  }

  @Test func `coordinates of the wrong kind`() {
    #expect(
      saidOfEmitter("position: [1, 2, 3]\nsize: 5\nemitterSize: { width: -1 }") == """
        graph.yaml:7:15: error: sparks.position has 3 values; it takes a list [x, y] or a map { x: …, y: … } [wrong-count]
           7 |     position: [1, 2, 3]
             |               ^^^^^^^^^
        graph.yaml:8:11: error: sparks.size is "5"; it takes a list [width, height] or a map { width: …, height: … } [wrong-value]
           8 |     size: 5
             |           ^
        graph.yaml:9:5: error: size is given a second time as emitterSize; the first is in line 8 [duplicate-key]
           9 |     emitterSize: { width: -1 }
             |     ^^^^^^^^^^^
             = remove one of the two

        """)
  }

  @Test func `a wrong number in a nested cell`() {
    #expect(
      saidOfEmitter("cells: { spark: { cells: { glow: { birthRate: -1, lifetim: 2 } } } }") == """
        graph.yaml:7:51: error: sparks.cells.spark.cells.glow.birthRate is -1; it takes a number 0…100000 /s [out-of-range]
           7 |     cells: { spark: { cells: { glow: { birthRate: -1, lifetim: 2 } } } }
             |                                                   ^^
        graph.yaml:7:55: error: cell has no setting "lifetim" [unknown-setting]
           7 |     cells: { spark: { cells: { glow: { birthRate: -1, lifetim: 2 } } } }
             |                                                       ^^^^^^^
             = did you mean lifetime?
             = known are enabled, birthRate, lifetime, lifetimeRange, emissionLatitude, emissionLongitude, emissionRange, velocity, velocityRange, xAcceleration, yAcceleration, zAcceleration, scale, scaleRange, scaleSpeed, spin, spinRange, redRange, greenRange, blueRange, alphaRange, redSpeed, greenSpeed, blueSpeed, alphaSpeed, contentsScale, minificationFilterBias, beginTime, speed, timeOffset, repeatCount, color, contents, contentsRect, minificationFilter, magnificationFilter, duration, autoreverses, fillMode, cells

        """)
  }

  @Test func `dBFS on the level`() {
    #expect(
      saidOfEmitter(
        "drive: []",
        """
          tone: { type: tone-source }
          meter: { type: meter }
        wires: [tone -> meter -> sparks]
        """) == """
          graph.yaml:10:26: error: meter gives levels in dBFS, sparks takes levels 0…1: put a meter-table between them [unlike-ports]
            10 | wires: [tone -> meter -> sparks]
               |                          ^^^^^^

          """)
  }
}
