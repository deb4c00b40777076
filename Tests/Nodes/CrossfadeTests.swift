import Engine
import Glibc
import Graphs
import Realtime
import TestSounds
import TestSupport
import Testing

@testable import Nodes

/// The sound while one graph follows another, recorded sample by sample at several cycle lengths.
@Suite struct CrossfadeTests {
  static let cycles = [16, 64, 256, 1000]
  /// Samples before the change: within a frame, which ends at 2400.
  private static let change = 2000
  private static let begin = 2400

  private static func sine(_ frequency: Double, _ count: Int, level: Double = 0.5) -> [Double] {
    (0..<count).map { level * sin(2 * .pi * frequency * Double($0) / 48_000) }
  }

  /// The largest second difference: the size of a click.
  private static func click(_ sound: [Float]) -> Float {
    (2..<sound.count).map { abs(sound[$0] - 2 * sound[$0 - 1] + sound[$0 - 2]) }.max() ?? 0
  }

  private static func text(_ nodes: String, _ wires: String) -> String {
    """
    nodes:
      keep: { type: tone-source, level: -6.020599913279624 dB, frequency: 100 Hz }
      \(nodes)
      out: { type: jack-output }
    wires: [\(wires)]
    """
  }

  private static func tone(_ id: String, _ frequency: Double) -> String {
    "\(id): { type: tone-source, level: -6.020599913279624 dB, frequency: \(frequency) Hz }"
  }

  /// Plays a graph and then another. Returns the samples of a port.
  private func play(
    _ first: String, _ second: String, cycle: Int, fade: Double?, isPower: Bool = false,
    port: String = "out_1",
    total: Int = 12_000
  ) throws -> (recorded: [Float], rig: GraphRig) {
    let rig = try GraphRig(first)
    let before = try rig.play(Self.change, cycle: cycle, outputs: [port])[0]
    try rig.load(second, fade: fade, isPower: isPower)
    let after = try rig.play(total - Self.change, cycle: cycle, outputs: [port])[0]
    return (before + after, rig)
  }

  @Test func `a crossfade of an hour is cut short by another crossfade`() throws {
    let first = Self.text(Self.tone("a", 220), "a -> out")
    let second = Self.text(Self.tone("b", 330), "b -> out")
    let third = Self.text(Self.tone("c", 330), "c -> out")
    for last in [second, third] {
      let rig = try GraphRig(first)
      _ = try rig.play(Self.change, outputs: ["out_1"])
      try rig.load(second, fade: 3600, isPower: true)
      _ = try rig.play(4800, outputs: ["out_1"])
      // A reload of the same graph does not cut it.
      try rig.load(second, fade: 0.01)
      _ = try rig.play(4800, outputs: ["out_1"])
      #expect(rig.plan.hasFades)
      try rig.load(last, fade: 0.01, isPower: true)
      #expect(try !rig.endFades())
      _ = try rig.play(4800, outputs: ["out_1"])
      #expect(try rig.endFades() && !rig.plan.hasFades)
    }
  }

  @Test(arguments: cycles)
  func `nodes of the old graph fade out while those of the new one fade in, and nodes of both do not change`(
    cycle: Int
  ) throws {
    let first = Self.text(Self.tone("a", 220), "keep -> out, a -> out")
    let second = Self.text(Self.tone("b", 330), "keep -> out, b -> out")
    let (recorded, rig) = try play(first, second, cycle: cycle, fade: 0.01)
    let (keep, a, b) = (Self.sine(100, 12_000), Self.sine(220, 12_000), Self.sine(330, 12_000))
    for i in recorded.indices {
      let t = max(0, min(1, Double(i + 1 - Self.begin) / 480))
      let s = t * t * (3 - 2 * t)
      #expect(abs(Double(recorded[i]) - (keep[i] + a[i] * (1 - s) + b[i] * s)) < 2e-6)
    }
    // Not more of a click than the sum of all sines has.
    let most = [100.0, 220, 330].map { 0.5 * pow(2 * .pi * $0 / 48_000, 2) }.reduce(0, +)
    #expect(Self.click(recorded) < Float(most))
    #expect(try rig.endFades() == false)
    _ = try rig.play(1000, cycle: cycle, outputs: ["out_1"])
    #expect(try rig.endFades())
    #expect(!rig.plan.hasFades)
    let rest = try rig.play(2000, cycle: cycle, outputs: ["out_1"])[0]
    let plain = try GraphRig(second).play(15_000, cycle: cycle, outputs: ["out_1"])[0]
    #expect(rest == Array(plain[13_000...]))
  }

  @Test func `every cycle gives the same bytes, and without a fade there is a click`() throws {
    let first = Self.text(Self.tone("a", 220), "keep -> out, a -> out")
    let second = Self.text(Self.tone("b", 330), "keep -> out, b -> out")
    let all = try Self.cycles.map { try play(first, second, cycle: $0, fade: 0.05).recorded }
    for recorded in all.dropFirst() { #expect(recorded == all[0]) }
    let hard = try play(first, second, cycle: 256, fade: nil).recorded
    #expect(Self.click(hard) > 4 * Self.click(all[0]))
  }

  @Test func `graphs that follow each other faster than their crossfades do not accumulate`() throws {
    func text(_ number: Int) -> String {
      Self.text(
        (0..<8).map { Self.tone("t\(number)x\($0)", 100 + Double($0)).replacing("-6.0", with: "-30.0") }
          .joined(separator: "\n  "),
        "keep -> out" + (0..<8).map { ", t\(number)x\($0) -> out" }.joined())
    }
    let rig = try GraphRig(text(0))
    var recorded: [Float] = []
    var most = 0
    for number in 1...60 {
      recorded += try rig.play(800, cycle: 64, outputs: ["out_1"])[0]
      // As the main thread does from time to time.
      #expect(try rig.endFades() == false || number == 1)
      recorded += try rig.play(1600, cycle: 64, outputs: ["out_1"])[0]
      try rig.load(text(number), fade: 600)
      most = max(most, rig.plan.plan.pointee.opCount)
    }
    // At most two more graphs may be fading out, each node with its fade.
    #expect(most < 2 * (64 + 3 * 10), "\(most)")
    #expect(Self.click(recorded) < 0.01, "\(Self.click(recorded))")
  }

  @Test func `a crossfade by seconds keeps the power: both graphs have a factor of 0.707 in the middle`()
    throws
  {
    let first = Self.text(Self.tone("a", 220), "a -> out")
    let second = Self.text(Self.tone("b", 330), "b -> out")
    let recorded = try play(first, second, cycle: 256, fade: 0.1, isPower: true).recorded
    let (a, b) = (Self.sine(220, 12_000), Self.sine(330, 12_000))
    for i in recorded.indices {
      let t = max(0, min(1, Double(i + 1 - Self.begin) / 4800))
      let s = Double.pi / 2 * t * t * (3 - 2 * t)
      #expect(abs(Double(recorded[i]) - (a[i] * cos(s) + b[i] * sin(s))) < 4e-6)
    }
  }

  @Test(arguments: cycles)
  func `another node between, another width and another output crossfade without a click`(cycle: Int) throws {
    let plain = Self.text("", "keep -> out")
    let others = [
      Self.text("f: { type: filter, frequency: 200 Hz }", "keep -> f -> out"),
      Self.text("g: { type: gain, gain: -20 dB }", "keep -> g -> out"),
      Self.text(Self.tone("b", 150), "\"keep -> out\", b -> out"),
    ]
    let most = Float(1.1 * 0.5 * (pow(2 * .pi * 150.0 / 48_000, 2) + pow(2 * .pi * 100.0 / 48_000, 2)))
    for other in others {
      for (first, second) in [(plain, other), (other, plain)] {
        #expect(Self.click(try play(first, second, cycle: cycle, fade: 0.01).recorded) < most)
      }
    }
    // A second channel comes and goes; the first does not change.
    let wide = """
      nodes:
        keep: { type: tone-source, level: -6.020599913279624 dB, frequency: 100 Hz }
        b: { type: tone-source, level: -6.020599913279624 dB, frequency: 150 Hz, channels: 2 }
        out: { type: jack-output }
      wires: ["b -> out", "keep -> out"]
      """
    let alone = """
      nodes:
        keep: { type: tone-source, level: -6.020599913279624 dB, frequency: 100 Hz }
        out: { type: jack-output }
      wires: [keep -> out]
      """
    for port in ["out_1", "out_2"] {
      let recorded = try play(wide, alone, cycle: cycle, fade: 0.01, port: port).recorded
      #expect(Self.click(recorded) < most, "\(port)")
      #expect(recorded[5000...].contains { $0 != 0 } == (port == "out_1"))
    }
    // An output that no longer exists.
    let other = alone.replacing(" out:", with: " other:").replacing("-> out", with: "-> other")
    let gone = try play(alone, other, cycle: cycle, fade: 0.01, port: "out_1").recorded
    #expect(Self.click(gone) < most && gone[5000...].allSatisfy { $0 == 0 })
  }

  @Test func `a node that is back before its fade-out ended is the same node, and goes on`() throws {
    let folder = try TemporaryFolder()
    let song = [Float](count: 48_000) { Float(0.5 * sin(2 * .pi * 100 * Double($0) / 48_000)) }
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [song])
    writeSound(folder.file("b.wav"), rate: 48_000, channels: [song.map { -$0 }])
    let graph = { (file: String) in
      "nodes: { song: { type: file-source, path: \(file) }, out: { type: jack-output } }\nwires: [song -> out]"
    }
    let rig = try GraphRig(graph("a.wav"), folder: folder.path)
    var recorded = try rig.play(2000, outputs: ["out_1"])[0]
    try rig.load(graph("b.wav"), fade: 0.1)
    recorded += try rig.play(2000, outputs: ["out_1"])[0]
    try rig.load(graph("a.wav"), fade: 0.1)
    recorded += try rig.play(12_000, outputs: ["out_1"])[0]
    // A fade of 100 ms that turns back has a corner of a thousandth of the step of a cut.
    #expect(Self.click(recorded) < 6e-4, "\(Self.click(recorded))")
    #expect(Array(recorded[12_000...]) == Array(song[12_000..<16_000]))
    #expect(try !rig.endFades())
    #expect(try rig.play(5000, outputs: ["out_1"])[0] == Array(song[16_000..<21_000]))
    #expect(try rig.endFades() && rig.plan.hasFades == false)
    #expect(try rig.play(2000, outputs: ["out_1"])[0] == Array(song[21_000..<23_000]))
  }

  @Test func `settings that change during a crossfade do not end it`() throws {
    let first = Self.text(Self.tone("a", 220), "a -> out")
    let second = Self.text(Self.tone("b", 330), "b -> out")
    let rig = try GraphRig(first)
    var recorded = try rig.play(Self.change, outputs: ["out_1"])[0]
    try rig.load(second, fade: 0.1)
    for _ in 0..<4 {
      recorded += try rig.play(1000, outputs: ["out_1"])[0]
      try rig.load(second, fade: 0.01)
    }
    recorded += try rig.play(12_000 - recorded.count, outputs: ["out_1"])[0]
    #expect(recorded == (try play(first, second, cycle: 256, fade: 0.1).recorded))
  }

  @Test func `a port of an old node and of the new one of its name is listed once, as the new one has it`()
    throws
  {
    func text(_ input: String, _ wires: String) -> String {
      """
      nodes:
        keep: { type: tone-source }
        a: { type: gain }
        in: { type: jack-input, \(input) }
        b: { type: gain }
        out: { type: jack-output }
      wires: [\(wires)]
      """
    }
    let rig = try GraphRig(text("channels: 2", "\"in[2] -> a -> out\", \"in[1] -> b -> out\", keep -> out"))
    _ = try rig.play(Self.change, outputs: ["out_1"])
    // `a` reads the second channel of the old `in` while that fades out, so the old node comes before the new one.
    try rig.load(text("channels: 1, names: [New]", "keep -> a -> out, in -> b -> out"), fade: 0.01)
    #expect(rig.plan.hasFades)
    #expect(rig.plan.ports.map(\.name) == ["in_1", "in_2", "out_1"])
    #expect(rig.plan.ports.map(\.order) == [1, 2, 3])
    #expect(rig.plan.ports.first?.label == "New")
  }

  @Test func `wires that would make a loop are changed at once`() throws {
    let (f, g) = ("f: { type: filter }", "g: { type: gain }")
    let first = Self.text("\(f)\n  \(g)", "keep -> f -> g -> out")
    let second = Self.text("\(f)\n  \(g)", "keep -> g -> f -> out")
    let rig = try play(first, second, cycle: 256, fade: 0.01).rig
    #expect(!rig.plan.hasFades)
  }
}
