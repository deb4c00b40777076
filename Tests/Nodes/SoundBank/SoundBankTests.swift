import CRealtime
import Engine
import Glibc
import Graphs
import Nodes
import Realtime
import Synchronization
import System
import TestSounds
import TestSupport
import Testing

/// The sound of a sound-bank. 48 kHz, frames of 800 samples.
@Suite(.waiting) struct SoundBankTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ channels: [Float]..., rate: Int = 48_000) {
    writeSound(folder.file(name), rate: rate, channels: channels)
  }

  private func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, done in
      vg_white(buffer.baseAddress!, 0, seed, 0.5, count)
      done = count
    }
  }

  private func rig(_ settings: String, nodes: String = "", wires: String = "") throws -> BankRig {
    try BankRig(settings, folder: folder, nodes: nodes, wires: wires)
  }

  @Test func `a sound alone is its file to the bit`() throws {
    var (left, right) = (noise(5000), noise(5000, seed: 2))
    left[0] = -0.0
    right[4999] = -0.0
    write("a.wav", left, right)
    for cycle in [1, 32, 127, 1000, 4096] {
      let rig = try rig("sounds: { a: a.wav }")
      #expect(try rig.play(300).allSatisfy { $0.bitPattern == 0 })
      #expect(try rig.bank.play("a"))
      let recorded = try rig.rig.play(6000, cycle: cycle, outputs: ["out_1", "out_2"])
      #expect(recorded[0].map(\.bitPattern) == left.map(\.bitPattern) + steady(0, 1000).map(\.bitPattern))
      #expect(recorded[1].map(\.bitPattern) == right.map(\.bitPattern) + steady(0, 1000).map(\.bitPattern))
      #expect(try !rig.bank.play("b"))
      #expect(try !rig.bank.alert("b"))
    }
  }

  @Test func `mono is played on all channels, and a file with too many channels is mixed down`() throws {
    write("mono.wav", [0.25, 0.5])
    write("wide.wav", [1, 1], [0.5, 0.5], [0.25, 0.25], [0.125, 0.125])
    let rig = try rig("sounds: { mono: mono.wav, wide: wide.wav }, channels: 2")
    try rig.bank.play("mono")
    #expect(try rig.rig.play(3, outputs: ["out_1", "out_2"]) == [[0.25, 0.5, 0], [0.25, 0.5, 0]])
    try rig.bank.play("wide")
    #expect(try rig.rig.play(2, outputs: ["out_1", "out_2"]) == [[0.625, 0.625], [0.3125, 0.3125]])
    let widest = try BankRig("sounds: { mono: mono.wav, wide: wide.wav }", folder: folder)
    #expect(widest.rig.plan.ports.count == 4)
  }

  @Test(arguments: ["soon", "frame"])
  func `sounds fired by events are the same at any cycle length`(moment: String) throws {
    write("a.wav", noise(9000), noise(9000, seed: 3))
    write("b.wav", noise(700, seed: 4), rate: 22_050)
    func recorded(_ cycle: Int) throws -> [[Float]] {
      let rig = try rig(
        "sounds: { a: a.wav, b: { path: b.wav, gain: -3 dB } }, voices: 3, events: \(moment), gain: -1 dB",
        nodes: """
          beat: { type: tone-source, tone: impulses, channels: 2, frequency: 13, frequencyStep: 7.7, level: 0 }
            meter: { type: meter, release: 0 }
            hit: { type: trigger, above: -10, gap: 0 }
          """,
        wires: ", beat -> meter, meter.peak -> hit, \"hit.events[1] -> bank.a\", \"hit.events[2] -> bank.b\"")
      return try rig.rig.play(48_000, cycle: cycle, outputs: ["out_1", "out_2"])
    }
    let first = try recorded(256)
    #expect(first[0].contains { $0 != 0 })
    for cycle in [32, 127, 1000, 4096] {
      #expect(try recorded(cycle).map { $0.map(\.bitPattern) } == first.map { $0.map(\.bitPattern) })
    }
  }

  @Test func `a sound fired by an event begins with the next frame, or the one after it`() throws {
    write("tick.wav", [1])
    for (moment, frames) in [("soon", 1), ("frame", 2)] {
      let rig = try rig(
        "sounds: { tick: tick.wav }, events: \(moment)",
        nodes: """
          beat: { type: tone-source, tone: impulses, frequency: 10, level: 0 }
            meter: { type: meter, release: 0 }
            hit: { type: trigger, above: -10 }
          """, wires: ", beat -> meter, meter.peak -> hit, hit.events -> bank.tick")
      let recorded = try rig.play(15_000)
      // The impulses are samples 0, 4800 and 9600, each the first of a frame.
      let ticks = recorded.indices.filter { recorded[$0] != 0 }
      #expect(ticks == [0, 4800, 9600].map { $0 + frames * 800 })
    }
  }

  /// The number of cycles that have begun.
  private final class Cycles: Sendable {
    let begun = Atomic(0)
    var now: Int { begun.load(ordering: .sequentiallyConsistent) }
  }

  @Test func `a sound fired by another thread begins with the next cycle`() throws {
    write("tick.wav", [1])
    let rig = try rig("sounds: { tick: tick.wav }, voices: 256")
    let bank = try rig.bank
    let cycles = Cycles()
    let bounds = Locked<[(Int, Int)]>([])
    let times = 100
    let cycle = 200
    let thread = TestThread {
      for _ in 0..<times {
        let before = cycles.now
        bank.play("tick")
        let after = cycles.now
        bounds.withLock { $0.append((before, after)) }
        while cycles.now < after + 3 { sched_yield() }
      }
    }
    var recorded: [Int] = []
    var turned = 0
    while recorded.count < times, turned < 2_000_000 {
      cycles.begun.add(1, ordering: .sequentiallyConsistent)
      let sound = try rig.play(cycle, cycle: cycle)
      if sound.contains(where: { $0 != 0 }) {
        #expect(sound == [1] + steady(0, cycle - 1))
        recorded.append(turned)
      }
      turned += 1
      sched_yield()
    }
    cycles.begun.add(10, ordering: .sequentiallyConsistent)
    #expect(poll { thread.isDone })
    // Cycle k raised the count to k + 1: the sound may begin in the cycle that ran, and not later than in the next.
    let fired = bounds.withLock { $0 }
    #expect(recorded.count == times)
    for ((before, after), cycle) in zip(fired, recorded) {
      #expect((before - 1...after).contains(cycle), "fired in \(before)…\(after), recorded in \(cycle)")
    }
  }

  @Test func `the oldest voice is cut when voices run out`() throws {
    for (name, value) in [("a", 1), ("b", 2), ("c", 4), ("d", 8)] {
      write("\(name).wav", steady(Float(value), 20_000))
    }
    let rig = try rig("sounds: { a: a.wav, b: b.wav, c: c.wav, d: d.wav }, voices: 3")
    for (name, sum) in [("a", 1), ("b", 3), ("c", 7), ("d", 14)] {
      try rig.bank.play(name)
      // The release tail has 240 samples.
      let recorded = try rig.play(512)
      #expect(recorded.dropFirst(240).allSatisfy { $0 == Float(sum) })
    }
    try rig.bank.play("a")
    #expect(try rig.play(512).dropFirst(240).allSatisfy { $0 == 13 })
    #expect(rig.events(["a", "b", "c", "d"]).isEmpty)
  }

  @Test func `a cut voice fades out in 5 ms without a click`() throws {
    let sine = (0..<48_000).map { Float(sin(2 * .pi * 220 * Double($0) / 48_000)) }
    write("sine.wav", sine)
    write("none.wav", steady(0, 48_000))
    // Stopped by a command, by another sound, by its own kind, and by too few voices.
    let ways: [(settings: String, cut: (SoundBankControl) -> Void)] = [
      ("", { $0.stop("sine") }), ("", { $0.stop(nil) }), ("mode: one", { $0.play("none") }),
      ("voices: 1", { $0.play("none") }),
    ]
    for (settings, cut) in ways {
      for moment in [4096, 5001, 6033] {
        let rig = try rig("sounds: { sine: sine.wav, none: none.wav }, \(settings)")
        try rig.bank.play("sine")
        var recorded = try rig.play(moment)
        #expect(recorded == Array(sine.prefix(moment)))
        cut(try rig.bank)
        recorded += try rig.play(4096)
        #expect(recorded[moment + 240..<moment + 4096].allSatisfy { $0 == 0 })
        // The release tail itself, sample by sample.
        let faded = (0..<240).map { i in
          sine[moment + i] * Float(0.5 + 0.5 * cos(.pi * Double(i + 1) / 241))
        }
        #expect(Array(recorded[moment..<moment + 240]) == faded)
        // A click has energy above 5 kHz; the limit is 60 dB below full scale and more.
        #expect(loudest(above: 5000, in: Array(recorded[moment - 2000..<moment + 2000])) < 0.001)
      }
    }
    // The same measure of a sine that is broken off.
    let broken = Array(sine[4000..<5001]) + steady(0, 1000)
    #expect(loudest(above: 5000, in: broken) > 0.1)
  }

  /// The largest magnitude after a linear-phase high-pass filter (Blackman window, 255 taps, at 48 kHz).
  private func loudest(above frequency: Double, in sound: [Float]) -> Double {
    let half = 127
    let taps = (-half...half).map { (n: Int) -> Double in
      let turn = Double(n + half) / Double(2 * half)
      let window = 0.42 - 0.5 * cos(2 * .pi * turn) + 0.08 * cos(4 * .pi * turn)
      let cut = 2 * frequency / 48_000
      let low = n == 0 ? cut : sin(.pi * cut * Double(n)) / (.pi * Double(n))
      return ((n == 0 ? 1 : 0) - low) * window
    }
    var loudest = 0.0
    for at in half..<sound.count - half {
      var sum = 0.0
      for (i, tap) in taps.enumerated() { sum += tap * Double(sound[at - half + i]) }
      loudest = max(loudest, abs(sum))
    }
    return loudest
  }

  @Test func `in mode one a sound ends the one before`() throws {
    write("a.wav", steady(1, 20_000))
    write("b.wav", steady(2, 2000))
    let rig = try rig("sounds: { a: a.wav, b: b.wav }, mode: one")
    try rig.bank.play("a")
    try rig.bank.play("a")
    // Two sounds in one cycle: the second one ended the first before it began.
    #expect(try rig.play(512) == steady(1, 512))
    try rig.bank.play("b")
    let recorded = try rig.play(4096)
    #expect(recorded[240..<2000].allSatisfy { $0 == 2 } && recorded[2000...].allSatisfy { $0 == 0 })
    #expect(rig.events(["a", "b"]).count == 1)
  }

  @Test func `a sound that retriggers ends itself, and others play several times at once`() throws {
    write("a.wav", steady(1, 20_000))
    write("b.wav", steady(2, 20_000))
    let rig = try rig("sounds: { a: a.wav, b: { path: b.wav, retrigger: true } }")
    for _ in 1...3 {
      try rig.bank.play("a")
      try rig.bank.play("b")
      _ = try rig.play(512)
    }
    #expect(try rig.play(10).allSatisfy { $0 == 5 })
    try rig.bank.stop("a")
    #expect(try rig.play(512).dropFirst(240).allSatisfy { $0 == 2 })
  }

  @Test func `a storm of firings is bounded, and dropped firings are counted`() throws {
    write("a.wav", steady(0.5, 3000))
    let rig = try rig("sounds: { a: a.wav }, voices: 4")
    let bank = try rig.bank
    for _ in 0..<10_000 { #expect(bank.play("a")) }
    #expect(bank.lost == 10_000 - 1024)
    #expect(try rig.play(3001) == steady(2, 3000) + [0])
    #expect(
      bank.takeMessages() == ["bank: 8976 sounds were fired faster than can be played and were dropped"])
    #expect(bank.takeMessages() == [])
    for _ in 0..<1000 { bank.play("a") }
    #expect(try rig.play(3001) == steady(2, 3000) + [0])
    #expect(bank.lost == 8976)
  }

  @Test func `the bank's own gain glides over a frame, and a sound's gain acts from its next firing on`()
    throws
  {
    write("a.wav", steady(1, 20_000))
    let rig = try rig("sounds: { a: a.wav }")
    try rig.bank.play("a")
    _ = try rig.play(1600)
    try rig.rig.load(BankRig.text("sounds: { a: { path: a.wav, gain: 6 dB } }, gain: -160 dB"))
    let recorded = try rig.play(1600)
    #expect((0..<800).allSatisfy { abs(recorded[$0] - Float(799 - $0) / 800) < 1e-6 })
    #expect(recorded[800...].allSatisfy { $0 == 0 })
    try rig.rig.load(BankRig.text("sounds: { a: { path: a.wav, gain: 6 dB } }"))
    _ = try rig.play(800)
    #expect(try rig.play(800) == steady(1, 800))
    try rig.bank.play("a")
    #expect(try abs(rig.play(100)[50] - 2.9953) < 0.0001)
  }

  @Test func `a bank is idle while no voice sounds`() throws {
    write("a.wav", steady(0.5, 1000))
    let rig = try rig("sounds: { a: a.wav }", nodes: "meter: { type: meter }", wires: ", bank -> meter")
    _ = try rig.play(800)
    try rig.bank.play("a")
    _ = try rig.play(2400)
    let last = rig.rig.records.count / 4
    // The source is the last byte before the padding of each record: header, then one value of the bank and one of the
    // meter.
    let place = MemoryLayout<RecordHeader>.stride + 2 * 12
    let sources = (0..<4).map { rig.rig.records[$0 * last + place] }
    #expect(sources == [0, 1, 1, 0])
  }
}
