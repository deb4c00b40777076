import Engine
import Graphs
import OSC
import Particles
import Rendering
import System
import TestSupport
import Testing

@testable import Nodes

/// Ten births a frame, a lifetime of three frames, two channels.
private let fountain = """
  limit: 1000
  cells: { drop: { birthRate: 600, lifetime: 3 frames, velocity: 60 } }
  """

@Suite(.waiting) struct EmitterSceneTests {
  @Test func `particles move after the frame, and the next frame reports them`() throws {
    let rig = try EmitterRig(checkEmitter(fountain))
    let scene = try #require(rig.plan.emitters.first)
    rig.frame([1, 1])
    #expect(rig.numbers("sparks.live") == [0, 0])
    scene.advance()
    #expect(scene.withSystems { $0.map(\.live) } == [10, 10])
    rig.frame([1, 1])
    #expect(rig.numbers("sparks.live") == [10, 10] && rig.numbers("sparks.births") == [10, 10])
    for _ in 0..<5 {
      scene.advance()
      rig.frame([1, 1])
    }
    #expect(rig.numbers("sparks.live") == [30, 30] && rig.numbers("sparks.births") == [10, 10])
  }

  @Test func `particles that are late catch up frame by frame`() throws {
    let rig = try EmitterRig(checkEmitter(fountain))
    let other = try EmitterRig(checkEmitter(fountain))
    for _ in 0..<7 {
      rig.frame([1, 0.5])
      other.frame([1, 0.5])
      other.plan.scene[0].advance()
    }
    rig.plan.scene[0].advance()
    let prints = [rig, other].map { $0.plan.emitters[0].withSystems { $0.map(\.fingerprint) } }
    #expect(prints[0] == prints[1] && prints[0][0] != prints[0][1])
  }

  @Test func `merged frames are as many steps`() throws {
    let scene = try #require(try EmitterRig(checkEmitter(fountain)).plan.emitters.first)
    let layers = scene.withSystems { $0.map(\.layer) }
    scene.queue(SceneStep(layers: layers, frames: 2, seconds: 1 / 60, number: 2, time: 2 / 60, sender: nil))
    scene.advance()
    #expect(scene.withSystems { $0[0].live } == 20 && scene.counts.births(0) == 20)
  }

  @Test func `a page that opens or closes the stage does not wait for a prewarm`() throws {
    let scene = try #require(try EmitterRig(checkEmitter(fountain)).plan.emitters.first)
    let page = TestThread {
      // Holds the scene's lock for long.
      scene.withSystems { _ in
        scene.follow(as: 1, address: { $0 }) { _ in }
        scene.unfollow()
      }
    }
    #expect(poll { page.isDone })
  }

  @Test func `births above the limit are reported once, with their channel`() throws {
    let rig = try EmitterRig(checkEmitter(fountain + "\neach: { 2: { limit: 5 } }"))
    rig.frame([1, 1])
    rig.plan.scene[0].advance()
    #expect(
      rig.plan.scene[0].takeMessages() == [
        "sparks: 5 births were left out, as 5 particles live already (channel 2 Right); a higher limit, fewer births or "
          + "shorter lives help"
      ])
    #expect(rig.plan.scene[0].takeMessages().isEmpty)
  }

  @Test func `an emitter keeps its particles when another setting changes`() throws {
    let other = fountain.replacing("birthRate: 600", with: "birthRate: 120, contents: drop.png, scale: 2")
    #expect(try isKept(fountain, fountain + "\nvelocity: 2"))
    #expect(try isKept(fountain, other))
    #expect(try isKept(nested("birthRate: 1"), nested("birthRate: 2, color: red")))
  }

  @Test func `an emitter starts anew when its cells change`() throws {
    #expect(try !isKept(fountain, fountain.replacing("drop:", with: "spark:")))
    #expect(try !isKept(fountain, nested("birthRate: 1")))
    #expect(try !isKept(nested("birthRate: 1"), nested("birthRate: 1, cells: { more: {} }")))
    #expect(try !isKept(fountain, fountain + "\nprewarm: 2"))
  }

  private func nested(_ inner: String) -> String {
    "cells: { drop: { birthRate: 600, cells: { glow: { \(inner) } } } }"
  }

  private func isKept(_ first: String, _ second: String) throws -> Bool {
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)
    let graphs = try [first, second].map { try #require(checkEmitter($0).graph) }
    let before = try PlanCompiler(graphs[0], configuration, ports: PortNumbers()).compile()
    let after = try PlanCompiler(graphs[1], configuration, ports: PortNumbers(), before: before).compile()
    return before.emitters[0] === after.emitters[0]
  }

  @Test func `emitters are drawn in the order of the file`() throws {
    let checked = checkEmitter(
      fountain, "  over: { type: emitter, like: sparks }\nwires: [faders -> over, faders -> sparks]")
    #expect(try EmitterRig(checked).plan.emitters.map(\.id) == ["sparks", "over"])
  }

  /// A graph with the limit of flashes whose emitter lights ten times a second, `scale` times as large as its picture.
  private func flashing(_ light: String, scale: Int) -> String {
    """
    flashes: 3
    stage: { size: 640x360, background: black }
    nodes:
      clicks: { type: tone-source, tone: impulses, frequency: 10, level: 0 dB }
      meter: { type: meter, release: 0 }
      flash:
        type: emitter
        position: { x: 50 % }
        cells: { light: { lifetime: 1 frame, scale: 0, color: white, \(light) } }
        drive: [{ key: cells.light.scale, from: [0, 1], to: [0, \(scale)], idle: 0 }]
      level: { type: range, from: [-60, 0], to: [0, 1] }
    wires: [clicks -> meter.in, meter.peak -> level -> flash]
    """
  }

  @Test func `the follower of the limited stage may read its brightness`() throws {
    let rig = try GraphRig(flashing("birthRate: 1000", scale: 40))
    rig.showsPictures = true
    let flashes = try #require(rig.plan.stageFlashes)
    let seen = Locked<[Float]>([])
    flashes.follow { [unowned flashes] _ in
      let brightness = flashes.brightness
      seen.withLock { $0.append(brightness) }
    }
    let thread = TestThread { for _ in 0..<120 { rig.process(800) } }
    #expect(poll(within: 60) { thread.isDone })
    #expect(seen.withLock { $0.contains { $0 < 1 } })
  }

  @Test func `a picture set later is measured with its own size`() throws {
    let folder = try TemporaryFolder()
    try Picture(width: 512, height: 512, pixels: [UInt8](repeating: 255, count: 4 * 512 * 512))
      .write(path: folder.file("white.png"), replacing: false)
    func graph(_ contents: String) -> String { flashing("birthRate: 120, contents: \(contents)", scale: 1) }
    let rig = try GraphRig(graph("soft"), folder: folder.path)
    rig.showsPictures = true
    /// The lowest factor of a second.
    func brightness() throws -> Float {
      var lowest: Float = 1
      for _ in 0..<60 {
        _ = try rig.play(800, outputs: [])
        lowest = min(lowest, try #require(rig.plan.stageFlashes).brightness)
      }
      return lowest
    }
    // The built-in light is too small to count as a flash.
    #expect(try brightness() == 1)
    let emitter = try #require(rig.plan.emitters.first)
    try rig.load(graph("white.png"))
    #expect(rig.plan.emitters.first === emitter)
    #expect(try brightness() < 0.5)
  }
}
