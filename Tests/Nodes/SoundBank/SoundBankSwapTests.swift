@testable import Engine
import Glibc
import Playback
import Realtime
import TestSupport
import Testing

@testable import Graphs
@testable import Nodes

/// Sounds that play while the graph changes.
@Suite struct SoundBankSwapTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [steady(0.25, 9000)])
    writeSound(folder.file("b.wav"), rate: 48_000, channels: [steady(0.5, 9000)])
  }

  private func load(_ rig: BankRig, _ settings: String) throws {
    try rig.rig.load(BankRig.text(settings))
  }

  @Test func `a sound plays on while others are added, removed and moved`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    try rig.bank.play("a")
    var recorded = try rig.play(1000)
    try load(rig, "sounds: { c: b.wav, a: { path: a.wav, gain: -3 dB }, d: b.wav, e: a.wav }, voices: 7")
    recorded += try rig.play(1000)
    try load(rig, "sounds: { d: b.wav, a: a.wav }")
    recorded += try rig.play(8000)
    #expect(recorded == steady(0.25, 9000) + steady(0, 1000))
    // 9000 samples end in frame 12; the sound is the second of the bank now.
    #expect(rig.events(["a"]) == ["12 a 2"])
  }

  @Test func `a removed sound fades out`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    try rig.bank.play("a")
    _ = try rig.play(1000)
    try load(rig, "sounds: { b: b.wav }")
    let recorded = try rig.play(1400)
    #expect(recorded[..<600].allSatisfy { $0 == 0.25 })
    #expect(zip(recorded[600...], recorded[601...840]).allSatisfy { $0 > $1 })
    #expect(recorded[840...].allSatisfy { $0 == 0 })
    #expect(try !rig.bank.play("a"))
    #expect(try rig.bank.play("b"))
    #expect(try rig.play(100) == steady(0.5, 100))
  }

  @Test func `voices above a new limit fade out, the oldest first`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    for name in ["a", "b", "b"] { try rig.bank.play(name) }
    _ = try rig.play(800)
    try load(rig, "sounds: { a: a.wav, b: b.wav }, voices: 1")
    #expect(try rig.play(800).dropFirst(240).allSatisfy { $0 == 0.5 })
  }

  @Test func `a changed file is decoded anew, and an unchanged one is not`() throws {
    let sounds = "sounds: { a: a.wav, b: b.wav }"
    let rig = try BankRig(sounds, folder: folder)
    try rig.bank.play("a")
    try rig.bank.play("b")
    _ = try rig.play(800)
    // Written in place, so that the old samples exist only in memory.
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [steady(1, 5000)])
    try load(rig, sounds)
    let recorded = try rig.play(800)
    #expect(recorded[0] > 0.7 && recorded[240...].allSatisfy { $0 == 0.5 })
    try rig.bank.play("a")
    #expect(try rig.play(800).allSatisfy { $0 == 1.5 })
  }

  @Test func `sounds stay in memory as long as a plan needs them`() throws {
    weak var first: SoundCache.PlanSounds?
    weak var second: SoundCache.PlanSounds?
    let shelf = SoundCache()
    func decode(_ name: String) throws -> SoundCache.PlanSounds {
      try shelf.sounds(at: [folder.file(name)], width: 2) { _ in
        try DecodedSound(path: folder.file(name), rate: 48_000, channels: 2, longest: 30, bytes: 1 << 20)
      }
    }
    do {
      let a = try decode("a.wav")
      first = a
      let b = try decode("b.wav")
      second = b
      #expect(shelf.inUse.count == 2)
      let again = try decode("a.wav")
      #expect(again.sounds[0] === a.sounds[0])
      #expect(shelf.inUse.count == 3)
    }
    #expect(first == nil && second == nil)
    #expect(shelf.inUse.isEmpty)
  }

  @Test func `the plan after the one with a sound still holds it, the next does not`() throws {
    weak var sound: DecodedSound?
    let configuration = StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere)
    func plan(_ settings: String, after before: CompiledPlan?) throws -> CompiledPlan {
      let graph = try GraphRig.graph(BankRig.text(settings), folder: folder.path)
      return try PlanCompiler(graph, configuration, ports: PortNumbers(), before: before).compile()
    }
    var first: CompiledPlan? = try plan("sounds: { a: a.wav }", after: nil)
    sound = first?.kept.values.joined().compactMap { $0 as? SoundCache }.first?.inUse.first
    #expect(sound != nil)
    var second: CompiledPlan? = try plan("sounds: { b: b.wav }", after: first)
    // A plan that never ran is replaced.
    let third = try plan("sounds: { b: b.wav }", after: second)
    second = nil
    first = nil
    #expect(sound != nil)
    let fourth = try plan("sounds: { b: b.wav }", after: third)
    withExtendedLifetime(third) {}
    #expect(fourth.soundBanks[0].bank.names == ["b"])
    let isHeld = { sound != nil }
    #expect(isHeld())
    _ = consume third
    #expect(!isHeld())
    withExtendedLifetime(fourth) {}
  }

  @Test func `names keep their numbers, and a new name gets no number that was just freed`() {
    let shelf = SoundCache()
    let first = shelf.numbers(of: ["a", "b"])
    let second = shelf.numbers(of: ["b", "c"])
    #expect(first["b"] == second["b"])
    #expect(!first.values.contains(second["c"] ?? -1))
    // Half of the names stay, the others change; numbers wrap around several times.
    var last = second
    for round in 0...60 {
      let names = (0..<128).map { "k\($0)" } + (0..<128).map { "s\((round * 97 + $0) % 5000)" }
      let numbers = shelf.numbers(of: names)
      let new = numbers.filter { last[$0.key] == nil }
      #expect(Set(numbers.values).count == 256)
      #expect(numbers.allSatisfy { last[$0.key] == nil || last[$0.key] == $0.value })
      #expect(Set(new.values).isDisjoint(with: last.values))
      last = numbers
    }
  }

  @Test func `a sound plays on when a wire to it is added and removed`() throws {
    let rig = try BankRig("sounds: { a: a.wav }", folder: folder)
    let other = "other: { type: sound-bank, sounds: { b: b.wav } }"
    try rig.bank.play("a")
    var recorded = try rig.play(1000)
    for wires in [", other.completed -> bank.a", ", other.alert -> bank", ""] {
      try rig.rig.load(BankRig.text("sounds: { a: a.wav }", nodes: other, wires: wires))
      recorded += try rig.play(2000)
    }
    #expect(recorded == steady(0.25, 7000))
  }
}
