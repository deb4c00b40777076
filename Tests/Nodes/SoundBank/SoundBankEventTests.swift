import Engine
import Glibc
import Graphs
import Nodes
import Realtime
import TestSupport
import Testing

/// The events of a sound-bank, sent and received. 48 kHz, frames of 800 samples.
@Suite struct SoundBankEventTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    writeSound(folder.file("long.wav"), rate: 48_000, channels: [steady(0.25, 4000)])
    writeSound(folder.file("short.wav"), rate: 48_000, channels: [steady(0.5, 100)])
  }

  private let sounds = "sounds: { long: long.wav, short: { path: short.wav, alert: true } }"
  private let names: Set<String> = ["long", "short"]
  /// Impulses from sample 0 on: two a second on the first channel, 2.25 a second on the second.
  private let beats = """
    beat: { type: tone-source, tone: impulses, channels: 2, frequency: 2, frequencyStep: 0.25, level: 0 }
      meter: { type: meter, release: 0 }
      hit: { type: trigger, above: -10 }
    """
  private let beatWires = ", beat -> meter, meter.peak -> hit"

  @Test func `a sound played to its end is reported in the frame of its last sample`() throws {
    let rig = try BankRig(sounds, folder: folder)
    _ = try rig.play(900)
    try rig.bank.play("long")
    try rig.bank.play("long")
    _ = try rig.play(100)
    try rig.bank.play("long")
    _ = try rig.play(8000)
    // Samples 900 to 4899, twice, and 1000 to 4999.
    #expect(rig.events(names) == ["7 long 1", "7 long 1", "7 long 1"])
    let event = try #require(rig.rig.frames[6].events.first)
    #expect(event.sample == 7 * 800)
  }

  @Test func `frames that the frame thread takes late lose no end of a sound`() throws {
    let rig = try BankRig(sounds, folder: folder)
    // Five seconds whose frames are not taken: two seconds of records, and the rest merged into one.
    for _ in 1...300 {
      try rig.bank.play("short")
      _ = rig.rig.engine.pointee.advance(ports: rig.rig.ports, offset: 0, count: 800, time: 0)
    }
    _ = try rig.play(1600)
    let endings = rig.rig.frames.flatMap(\.events).filter { $0.sample > 0 && $0.name == "short" }
    // All alerts are reported in the first frame that is taken.
    #expect(endings.count == 600)
    #expect(rig.rig.frames[0].events.count == 301)
    #expect(rig.rig.frames.contains { $0.header.frames > 100 && $0.events.count == Int($0.header.frames) })
  }

  @Test func `a bank has its names and keys, and reports once each file that ends early`() throws {
    var bytes = [UInt8]()
    writeSound(folder.file("cut.wav"), rate: 48_000, channels: [steady(0.5, 2000)])
    let file = try #require(fopen(folder.file("cut.wav"), "r"))
    bytes = [UInt8](repeating: 0, count: 4044)
    #expect(fread(&bytes, 1, 4044, file) == 4044)
    fclose(file)
    let cut = try #require(fopen(folder.file("cut.wav"), "w"))
    #expect(fwrite(bytes, 1, 4044, cut) == 4044)
    fclose(cut)
    let rig = try BankRig(
      "sounds: { a: { path: cut.wav, key: é }, b: { path: short.wav, key: 1 }, c: short.wav }", folder: folder
    )
    let bank = try rig.bank
    #expect(bank.names == ["a", "b", "c"])
    #expect(bank.keys == ["é": "a", "1": "b"])
    let news = bank.takeMessages()
    #expect(
      news.count == 1 && news[0].hasPrefix("bank: the audio file '\(folder.path)/cut.wav' ends too early"))
    #expect(bank.takeMessages() == [])
    bank.play("a")
    #expect(try rig.play(1001) == steady(0.5, 1000) + [0])
  }

  @Test func `a sound that was cut is not reported as completed`() throws {
    for settings in ["voices: 1", "mode: one"] {
      let rig = try BankRig("\(sounds), \(settings)", folder: folder)
      try rig.bank.play("long")
      _ = try rig.play(300)
      try rig.bank.play("long")
      _ = try rig.play(300)
      try rig.bank.stop("long")
      _ = try rig.play(8000)
      #expect(rig.events(names) == [])
    }
  }

  @Test func `a delay that was long delays no sound after it was shortened`() throws {
    let rig = try BankRig(
      "\(sounds), events: frame, delay: 1000", folder: folder, nodes: beats,
      wires: "\(beatWires), hit.events -> bank.short")
    #expect(try rig.play(30 * 800).allSatisfy { $0 == 0 })
    #expect(try rig.rig.set("bank.delay", to: "2"))
    // The delayed sound, and from then on each sound two frames after its event.
    let recorded = try rig.play(60 * 800)
    #expect(recorded[..<1600].contains { $0 != 0 })
    #expect(recorded[(30 * 800)...].contains { $0 != 0 })
  }

  @Test func `an alert by command is reported in the next frame, and so is every firing of an alert sound`()
    throws
  {
    let rig = try BankRig(sounds, folder: folder)
    let recorded = try rig.play(850)
    try rig.bank.alert("long")
    try rig.bank.play("short")
    let after = try rig.play(8000, cycle: 8000)
    #expect(recorded.allSatisfy { $0 == 0 } && after[0] == 0.75)
    let alerts = try #require(rig.rig.frames[1].events.first).output
    #expect(rig.events(names, output: alerts) == ["2 long 1", "2 short 2"])
    // 850 + 4000 samples end in frame 7.
    #expect(rig.events(names, output: alerts - 1) == ["2 short 2", "7 long 1"])
  }

  @Test func `an alert fired by a wire is reported in the frame of the event`() throws {
    for moment in ["soon", "frame"] {
      let rig = try BankRig(
        "\(sounds), events: \(moment)", folder: folder, nodes: beats,
        wires: "\(beatWires), \"hit.events[1] -> bank.short\", \"hit.events[2] -> bank.long\"")
      _ = try rig.play(27_000)
      // 2 Hz: samples 0 and 24000; 2.25 Hz: 0 and 21334.
      #expect(rig.events(["trigger"]) == ["1 trigger 1", "1 trigger 2", "27 trigger 2", "31 trigger 1"])
      let later = moment == "soon" ? 1 : 2
      #expect(
        rig.events(["short"]) == ["1 short 2", "\(1 + later) short 2", "31 short 2", "\(31 + later) short 2"])
    }
  }

  @Test func `the port in plays the sound with the event's name`() throws {
    let other = "other: { type: sound-bank, sounds: { short: long.wav, loud: long.wav } }"
    let rig = try BankRig(
      sounds, folder: folder, nodes: "\(other)\n  last: { type: jack-output }",
      wires: ", bank.completed -> other, other -> last")
    try rig.bank.play("long")
    try rig.bank.play("short")
    let recorded = try rig.rig.play(16_000, outputs: ["last_1"])[0]
    // `short` ends in frame 1; the other bank has a sound of that name, and none named `long`.
    #expect(recorded == steady(0, 800) + steady(0.25, 4000) + steady(0, 11_200))
  }

  @Test func `a wire can select the sound whose end it waits for`() throws {
    let other = "other: { type: sound-bank, sounds: { next: short.wav } }"
    let rig = try BankRig(
      sounds, folder: folder, nodes: "\(other)\n  last: { type: jack-output }",
      wires: ", \"bank.completed[long] -> other.next\", other -> last")
    try rig.bank.play("long")
    try rig.bank.play("short")
    let recorded = try rig.rig.play(16_000, outputs: ["last_1"])[0]
    #expect(recorded == steady(0, 4000) + steady(0.5, 100) + steady(0, 11_900))
  }

  @Test func `a sound fired while no server runs is not played when the server is back`() throws {
    let rig = try BankRig(
      "\(sounds), events: frame", folder: folder, nodes: beats,
      wires: "\(beatWires), hit.events -> bank.short")
    _ = try rig.play(800)
    try rig.bank.play("long")
    // Two frames by a timer: the timeline stands still.
    for frame in 2...3 {
      rig.rig.plan.frames.runStalled(frame: Int64(frame), at: 800, time: 0, samples: 800)
    }
    #expect(try rig.play(2000) == steady(0, 2000))
    try rig.bank.play("long")
    #expect(try rig.play(100) == steady(0.25, 100))
  }
}
