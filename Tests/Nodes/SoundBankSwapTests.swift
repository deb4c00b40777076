import Glibc
import Graphs
import Playback
import Realtime
import TestSupport
import Testing

@testable import Nodes

/// What happens to sounds when a graph changes while it runs.
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

  @Test func `a sound plays on when others come, go and change their places`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    try rig.bank.play("a")
    var heard = try rig.play(1000)
    try load(rig, "sounds: { c: b.wav, a: { path: a.wav, gain: -3 dB }, d: b.wav, e: a.wav }, voices: 7")
    heard += try rig.play(1000)
    try load(rig, "sounds: { d: b.wav, a: a.wav }")
    heard += try rig.play(8000)
    #expect(heard == steady(0.25, 9000) + steady(0, 1000))
    // 9000 samples end in frame 12; its place is the second now.
    #expect(rig.events(["a"]) == ["12 a 2"])
  }

  @Test func `a sound that is gone fades`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    try rig.bank.play("a")
    _ = try rig.play(1000)
    try load(rig, "sounds: { b: b.wav }")
    let heard = try rig.play(1400)
    #expect(heard[..<600].allSatisfy { $0 == 0.25 })
    #expect(zip(heard[600...], heard[601...840]).allSatisfy { $0 > $1 })
    #expect(heard[840...].allSatisfy { $0 == 0 })
    #expect(try !rig.bank.play("a"))
    #expect(try rig.bank.play("b"))
    #expect(try rig.play(100) == steady(0.5, 100))
  }

  @Test func `too many voices for a new limit fade, the oldest first`() throws {
    let rig = try BankRig("sounds: { a: a.wav, b: b.wav }", folder: folder)
    for name in ["a", "b", "b"] { try rig.bank.play(name) }
    _ = try rig.play(800)
    try load(rig, "sounds: { a: a.wav, b: b.wav }, voices: 1")
    #expect(try rig.play(800).dropFirst(240).allSatisfy { $0 == 0.5 })
  }

  @Test func `a file that has changed is decoded anew, one that has not is not`() throws {
    let sounds = "sounds: { a: a.wav, b: b.wav }"
    let rig = try BankRig(sounds, folder: folder)
    try rig.bank.play("a")
    try rig.bank.play("b")
    _ = try rig.play(800)
    // Written in place, so that the old samples are nowhere but in memory.
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [steady(1, 5000)])
    try load(rig, sounds)
    let heard = try rig.play(800)
    #expect(heard[0] > 0.7 && heard[240...].allSatisfy { $0 == 0.5 })
    try rig.bank.play("a")
    #expect(try rig.play(800).allSatisfy { $0 == 1.5 })
  }

  @Test func `sounds are kept as long as a plan needs them, and no longer`() throws {
    weak var first: SoundShelf.Row?
    weak var second: SoundShelf.Row?
    let shelf = SoundShelf()
    func decode(_ name: String) throws -> SoundShelf.Row {
      try shelf.row([folder.file(name)], width: 2) { _ in
        try SoundInMemory(path: folder.file(name), rate: 48_000, channels: 2, longest: 30, bytes: 1 << 20)
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

  @Test func `names keep their numbers, and new ones get none that has just been given up`() {
    let shelf = SoundShelf()
    let first = shelf.numbers(of: ["a", "b"])
    let second = shelf.numbers(of: ["b", "c"])
    #expect(first["b"] == second["b"])
    #expect(!first.values.contains(second["c"] ?? -1))
    var last = second
    for round in 0...20 {
      let names = (0..<256).map { "s\((round * 17 + $0) % 1000)" }
      let numbers = shelf.numbers(of: names)
      #expect(Set(numbers.values).count == 256)
      for (name, number) in numbers {
        if let before = last[name] {
          #expect(number == before)
        } else {
          #expect(!last.values.contains(number))
        }
      }
      last = numbers
    }
  }
}
