import Engine
import Graphs
import Hosts
import Nodes
import Synchronization
import System
import TestSupport
import Testing

@testable import Controls

/// Numbers that fade, frame by frame.
@Suite struct SettingFadesTests {
  /// Fades, settings and the graph that runs, advanced by hand: 60 frames a second.
  private final class Rig: @unchecked Sendable {
    let fades = SettingFades()
    let refusals = Locked<[String]>([])
    let wakes = Locked(0)
    private let effects = Effects()
    private let runner: ChangeRunner

    var overrides: SettingOverrides { runner.overrides }
    var graph: CheckedGraph { runner.graph }
    var changes: Int { effects.changes }

    /// Makes every change another graph.
    private final class Effects: ChangeEffects {
      private(set) var changes = 0
      func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> { [] }
      func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) { changes += 1 }
    }

    init(_ text: String = ControlFixture.text) throws {
      let checked = try ControlFixture.checked(text)
      let router = CommandRouter(show: Show(), fades: fades) {}
      runner = ChangeRunner(
        try #require(checked.graph), SettingOverrides(Checker(.full), checked.source, given: []),
        router: router, folders: AllowedFolders([]), effects: effects)
      runner.events.fadeEnded = { [refusals] _, fault in refusals.withLock { $0.append("\(fault)") } }
      fades.onStep { [self] in wakes.withLock { $0 += 1 } }
    }

    /// As the main thread does.
    func carryOut(_ commands: ShowCommand...) {
      runner.carryOut(
        commands.map { command in
          GraphChange(command: command) { [refusals] fault in
            refusals.withLock { $0.append("\(fault)") }
          }
        })
    }

    /// Runs `count` frames. Returns the number at a path after each.
    func frames(_ count: Int, _ path: String = "gain.gain") -> [Double] {
      (0..<count).map { _ in
        fades.advance(by: 1.0 / 60)
        carryOut()
        return graph.number(at: path)?.value ?? .nan
      }
    }
  }

  @Test func `hours of fades wake for a million steps, on a stack of 256 kB`() throws {
    let rig = try Rig()
    let wakes = Atomic<Int>(0)
    rig.fades.onStep { wakes.add(1, ordering: .relaxed) }
    try onSmallStack {
      rig.carryOut(.set(path: "gain.gain", value: "-12 dB", fade: FadeTime(seconds: FadeTime.longest)))
      for _ in 0..<1_000_000 { rig.fades.advance(by: 1.0 / 60) }
    }
    #expect(wakes.load(ordering: .relaxed) == 1_000_000)
    rig.carryOut()
    #expect(rig.graph.number(at: "gain.gain")?.value == -12)
  }

  @Test func `a gain fades at an even speed of its fader, a step a frame, and ends exactly`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "gain.gain", value: "-12 dB", fade: FadeTime(seconds: 1)))
    #expect(rig.changes == 0)
    let numbers = rig.frames(70)
    for (frame, number) in numbers.prefix(60).enumerated() {
      // From 0.75 (0 dB) over 0.5 (-10 dB) to 0.475.
      let place = 0.75 - 0.275 * Double(frame + 1) / 60
      #expect(abs(number - (place >= 0.5 ? (place - 0.75) * 40 : -10 + (place - 0.5) * 80)) < 1e-9)
    }
    #expect(numbers[59...].allSatisfy { $0 == -12 })
    #expect(rig.changes == 60)
    #expect(rig.overrides.overrides.map(\.value) == ["-12 dB"])
    #expect(rig.fades.snapshot.isEmpty)
    // Without a fade there is no wake-up.
    #expect(rig.wakes.withLock { $0 } == 60)
  }

  @Test func `all running fades are one change a frame`() throws {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "gain.gain", value: "-6", fade: FadeTime(seconds: 0.5)),
      .set(path: "gain.each.2.gain", value: "-20", fade: FadeTime(seconds: 0.5)),
      .fader(path: "meter.hold", 0.5, fade: FadeTime(seconds: 0.5)))
    #expect(rig.fades.snapshot.map(\.path) == ["gain.gain", "gain.each.2.gain", "meter.hold"])
    _ = rig.frames(40)
    #expect(rig.changes == 30)
    #expect(rig.graph.number(at: "gain.each.2.gain")?.value == -20)
    #expect(rig.graph.number(at: "gain.each.1.gain")?.value == -6)
    #expect(rig.graph.number(at: "meter.hold")?.value == 0.245)
  }

  @Test func `the next message starts a fade at its present value`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "gain.gain", value: "-30", fade: FadeTime(seconds: 2)))
    let down = rig.frames(60)
    rig.carryOut(.set(path: "gain.gain", value: "0", fade: FadeTime(seconds: 0.5)))
    let up = rig.frames(31)
    let all = [0] + down + up
    // A frame is at most 1/30 of the way back.
    #expect(zip(all, all.dropFirst()).allSatisfy { abs($1 - $0) <= 0.5 + 1e-9 })
    #expect(abs(down[59] + 10) < 1e-9 && up[30] == 0)
    rig.carryOut(.set(path: "gain.gain", value: "-30", fade: FadeTime(seconds: 2)))
    _ = rig.frames(10)
    // Without a time the fade ends at once.
    rig.carryOut(.set(path: "gain.gain", value: "3"))
    #expect(rig.frames(200).allSatisfy { $0 == 3 })
  }

  @Test func `a wrong message changes nothing, neither a running fade nor the right message before it`()
    throws
  {
    let rig = try Rig()
    rig.carryOut(.set(path: "gain.gain", value: "-6", fade: FadeTime(seconds: 1)))
    _ = rig.frames(5)
    rig.carryOut(.set(path: "gain.gain", value: "loud"))
    rig.carryOut(.set(path: "gain.gain", value: "61", fade: FadeTime(seconds: 1)))
    #expect(rig.frames(60).last == -6)
    #expect(
      rig.refusals.withLock { $0 } == [
        "gain.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence)",
        "gain.gain is 61; it takes a number -160…60 dB (or -inf dB or off: silence)",
      ])
    let router = CommandRouter(show: Show()) {}
    router.perform(.set(path: "gain.gain", value: "-12", fade: FadeTime(seconds: 1)))
    router.perform(.set(path: "gain.gain", value: "none", fade: FadeTime(seconds: 1)))
    #expect(rig.fades.begin(router.takeChanges(), in: rig.graph).isEmpty)
    #expect(rig.fades.snapshot.map(\.goal) == ["-12"])
  }

  @Test func `a number changes to none at once, because nothing lies between`() throws {
    let text = """
      visgraph: 1
      patch: [{ name: Spot, channels: [dimmer, zoom], address: 1/1 }]
      nodes: { spot: { type: lights, of: Spot, zoom: 10 deg }, out: { type: artnet-output, to: 127.0.0.1 } }
      wires: [spot -> out]
      """
    let rig = try Rig(text)
    rig.carryOut(
      .set(path: "spot.zoom", value: "none", fade: FadeTime(seconds: 1)),
      .set(path: "spot.dimmer", value: "0", fade: FadeTime(seconds: 1)))
    _ = rig.frames(1, "spot.dimmer")
    #expect(rig.graph.text(at: "spot.zoom") == "none" && rig.refusals.withLock { $0 } == [])
    #expect(abs(rig.frames(29, "spot.dimmer")[28] - 0.5) < 1e-9)
  }

  @Test func `frequencies fade by equal intervals, and in a straight line if requested`() throws {
    let text = """
      visgraph: 1
      nodes: { tone: { type: tone-source, frequency: 100 Hz }, lp: { type: filter, frequency: 100 Hz }, m: { type: meter } }
      wires: [tone -> lp -> m]
      """
    let rig = try Rig(text)
    rig.carryOut(
      .set(path: "lp.frequency", value: "6.4 kHz", fade: FadeTime(seconds: 1)),
      .set(path: "tone.frequency", value: "6400", fade: FadeTime(seconds: 1, isLinear: true)))
    let numbers = rig.frames(60, "lp.frequency")
    #expect(abs(numbers[29] - 800) < 1e-6 && numbers[59] == 6400)
    #expect(rig.graph.number(at: "tone.frequency")?.value == 6400)
    rig.carryOut(.set(path: "tone.frequency", value: "0", fade: FadeTime(seconds: 1, isLinear: true)))
    #expect(abs(rig.frames(30, "tone.frequency")[29] - 3200) < 1e-6)
  }

  @Test(arguments: [("node", false), ("fader", true)])
  func `a volume fades evenly for the ear, as by the transport, and in a straight line if requested`(
    _ way: String, _ isFader: Bool
  ) throws {
    let text = """
      visgraph: 1
      nodes: { song: { type: file-source, path: none.wav, channels: 2, volume: 1 }, m: { type: meter } }
      wires: [song -> m]
      """
    let rig = try Rig(text)
    func fade(to volume: Float, isLinear: Bool = false) -> [Double] {
      let time = FadeTime(seconds: 1, isLinear: isLinear)
      rig.carryOut(
        isFader
          ? .fader(path: "song.volume", Float(volume), fade: time)
          : .set(path: "song.volume", value: "\(volume)", fade: time))
      return rig.frames(60, "song.volume")
    }
    // The rest of the cube root after that many frames of 60, cubed.
    for (frame, volume) in fade(to: 0).enumerated() {
      let root = 1 - Double(frame + 1) / 60
      #expect(abs(volume - root * root * root) < 1e-7, "\(frame)")
    }
    #expect(abs(fade(to: 0.512)[29] - 0.064) < 1e-7)
    let line = fade(to: 0, isLinear: true)
    #expect(abs(line[29] - 0.256) < 1e-7 && line[59] == 0)
    #expect(rig.refusals.withLock { $0 } == [])
  }

  @Test func `a gain fades to silence, and above its fader's top by equal steps`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "gain.gain", value: "-160", fade: FadeTime(seconds: 1)))
    let numbers = rig.frames(60)
    // Two thirds of the way down from 0.75, a fader is at -30 dB.
    #expect(abs(numbers[39] + 30) < 1e-9 && numbers[58] < -80 && numbers[59] == -160)
    rig.carryOut(.set(path: "gain.gain", value: "0", fade: FadeTime(seconds: 1)))
    #expect(abs(rig.frames(60)[19] + 30) < 1e-9)
    rig.carryOut(.set(path: "gain.gain", value: "24", fade: FadeTime(seconds: 1)))
    #expect(abs(rig.frames(30)[29] - 12) < 1e-9)
  }

  @Test func `nested numbers and whole numbers fade, too, and so do numbers that the file does not state`()
    throws
  {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "sparks.cells.spark.birthRate", value: "10", fade: FadeTime(seconds: 1)),
      .set(path: "sparks.cells.spark.lifetime", value: "3", fade: FadeTime(seconds: 1)),
      .set(path: "sparks.limit", value: "3", fade: FadeTime(seconds: 1)))
    let before = try #require(rig.graph.number(at: "sparks.cells.spark.lifetime")?.value)
    #expect(abs(rig.frames(30, "sparks.cells.spark.birthRate")[29] - 7.5) < 1e-9)
    let half = try #require(rig.graph.number(at: "sparks.cells.spark.lifetime")?.value)
    #expect(abs(half - (before + 3) / 2) < 1e-6)
    #expect(
      rig.graph.number(at: "sparks.limit")?.value == rig.graph.number(at: "sparks.limit")?.value?.rounded())
    _ = rig.frames(30)
    #expect(rig.graph.number(at: "sparks.limit")?.value == 3)
    #expect(rig.refusals.withLock { $0 } == [])
  }

  @Test func `a fade of an entry that no list has is refused`() throws {
    let rig = try Rig()
    for number in [Int.min, Int.min + 1, -1, 0, Int.max] {
      rig.carryOut(.set(path: "sparks.drive.\(number).curve", value: "1", fade: FadeTime(seconds: 1)))
    }
    #expect(rig.refusals.withLock { $0.count } == 5, "\(rig.refusals.withLock { $0 })")
    #expect(rig.fades.snapshot.isEmpty)
  }

  @Test func `a fade reports its goal and its remaining time, and a load ends it`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "gain.gain", value: "-12 dB", fade: FadeTime(seconds: 2)))
    _ = rig.frames(30)
    let fact = try #require(rig.fades.snapshot.first)
    #expect(fact.path == "gain.gain" && fact.goal == "-12 dB" && abs(fact.left - 1.5) < 1e-9)
    rig.fades.endAll()
    #expect(rig.fades.snapshot.isEmpty)
    #expect(abs(rig.frames(100).last! + 2.75) < 1e-9)
  }
}
