import Engine
import Glibc
import Testing

/// A node keeps its state when its settings change: a time that was long once delays nothing afterwards.
@Suite struct ChangedSettingsTests {
  private func play(_ rig: GraphRig, frames: Int) { for _ in 0..<frames { rig.process(800) } }

  @Test func `a longer time does not restore a level that has ended`() throws {
    let rig = try GraphRig(
      """
      fps: 60
      nodes:
        in: { type: jack-input, channels: 1 }
        meter: { type: meter, release: 0 }
        hit: { type: trigger, above: -20, gap: 0, pulse: 0.1 s }
        flash: { type: envelope, decay: 0.5 s }
        start: { type: onset, decay: 0.15 s }
      wires: [in -> meter -> hit, hit.events -> flash, in -> start]
      """)
    let click = (0..<48_000).map { 14_400..<15_200 ~= $0 ? Float(0.5 * sin(2 * .pi * Double($0) / 48)) : 0 }
    _ = try rig.play(48_000, outputs: [], inputs: ["in_1": click])
    for (level, setting) in [("hit/1", "hit.pulse"), ("flash/1", "flash.decay"), ("start/1", "start.decay")] {
      #expect(try rig.levels(level).contains { $0 > 0.5 }, "\(level)")
      #expect(try rig.levels(level)[59] == 0, "\(level)")
      #expect(try rig.set(setting, to: "60 s"))
    }
    #expect(try rig.set("flash.hold", to: "60 s"))
    _ = try rig.play(48_000, outputs: [], inputs: ["in_1": [Float](repeating: 0, count: 48_000)])
    for level in ["hit/1", "flash/1", "start/1"] {
      #expect(try rig.levels(level).suffix(60).allSatisfy { $0 == 0 }, "\(level)")
    }
  }

  @Test func `a level that decayed without a server does not rise again when the server is back`() throws {
    let rig = try GraphRig(
      """
      fps: 60
      nodes:
        beat: { type: tone-source, tone: impulses, frequency: 0.1, level: 0 }
        meter: { type: meter, release: 0 }
        hit: { type: trigger, above: -20, gap: 0 }
        flash: { type: envelope, decay: 4 s }
      wires: [beat -> meter, meter.peak -> hit, hit.events -> flash]
      """)
    play(rig, frames: 30)
    var last = try #require(rig.levels("flash/1").last)
    let frames = rig.plan.frames
    let place = try #require(frames.columns.first { $0.name == "flash/1" }).level
    for number in 1...60 {
      frames.runStalled(frame: 30 + Int64(number), at: 24_000, time: 0, samples: 800)
      #expect(frames.levels[place] < last)
      last = frames.levels[place]
    }
    #expect(abs(last - 0.625) < 0.01)
    play(rig, frames: 60)
    for level in try rig.levels("flash/1").suffix(60) {
      #expect(level < last)
      last = level
    }
    #expect(abs(last - 0.375) < 0.01)
  }

  @Test func `delayed levels go on without a server, however long the delay was before`() throws {
    let rig = try GraphRig(
      """
      fps: 60
      nodes:
        tone: { type: tone-source, level: -6 }
        meter: { type: meter, release: 0 }
        later: { type: delay, time: 60 s }
      wires: [tone -> meter -> later]
      """)
    play(rig, frames: 60)
    #expect(try rig.set("later.time", to: "0.5 s"))
    play(rig, frames: 60)
    let frames = rig.plan.frames
    let place = try #require(frames.columns.first { $0.name == "later/1" }).level
    for number in 1...60 {
      frames.runStalled(frame: 120 + Int64(number), at: 96_000, time: 0, samples: 800)
      if number < 30 { #expect(frames.levels[place] > -10, "\(number)") }
      if number > 30 { #expect(frames.levels[place] == -160, "\(number)") }
    }
  }

  @Test(arguments: [false, true])
  func `a longer delay goes on from what was heard`(isLive: Bool) throws {
    func text(_ time: String) -> String {
      """
      fps: 60
      nodes:
        tone: { type: tone-source, level: -6 }
        meter: { type: meter, release: 0 }
        later: { type: delay, time: \(time) }
      wires: [tone -> meter -> later]
      """
    }
    let rig = try GraphRig(text("0.1 s"))
    play(rig, frames: 60)
    if isLive { #expect(try rig.set("later.time", to: "0.15 s")) } else { try rig.load(text("0.15 s")) }
    play(rig, frames: 60)
    #expect(try rig.levels("later/1").suffix(60).allSatisfy { $0 > -10 })
  }

  @Test func `state in another unit is not taken over`() throws {
    func text(_ wire: String) -> String {
      """
      fps: 60
      nodes:
        tone: { type: tone-source, level: -30 }
        meter: { type: meter }
        table: { type: meter-table }
        kept: { type: sample-hold }
        never: { type: trigger, above: 0 }
      wires: [tone -> meter -> table, \(wire) -> kept, meter -> never, never.events -> kept.when]
      """
    }
    let rig = try GraphRig(text("table"))
    play(rig, frames: 10)
    #expect(try rig.levels("kept/1").last == 0)
    try rig.load(text("meter"))
    play(rig, frames: 10)
    #expect(try rig.levels("kept/1").last == -160)
  }
}
