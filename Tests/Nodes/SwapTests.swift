import CRealtime
import Engine
import Glibc
import Graphs
import Realtime
import TestSounds
import TestSupport
import Testing

@testable import Nodes

/// Nodes that stay when a graph changes while it runs, and levels that act on sound.
@Suite struct SwapTests {
  private static func noise(_ count: Int, level: Float = 0.5) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, done in
      vg_white(buffer.baseAddress!, 0, 1, level, count)
      done = count
    }
  }

  private func isNear(_ sound: ArraySlice<Float>, _ expected: [Float]) -> Bool {
    zip(sound, expected).allSatisfy { (a: Float, b: Float) -> Bool in abs(a - b) < 1e-6 }
  }

  /// Runs `first`, changes to `second` within a frame, and returns the samples before and after as one array.
  private func play(
    _ first: String, then second: String, folder: String = "/nowhere", cycle: Int = 250, inputs: [Float] = [],
    change: Int = 2000, total: Int = 8000
  ) throws -> (rig: GraphRig, recorded: [Float]) {
    let rig = try GraphRig(first, folder: folder)
    let given: ([Float]) -> [String: [Float]] = { inputs.isEmpty ? [:] : ["in_1": $0] }
    let before = try rig.play(
      change, cycle: cycle, outputs: ["out_1"], inputs: given(Array(inputs.prefix(change))))
    try rig.load(second)
    let after = try rig.play(
      total - change, cycle: cycle, outputs: ["out_1"], inputs: given(Array(inputs.dropFirst(change))))
    return (rig, before[0] + after[0])
  }

  @Test func `a filter's tail goes on through a change of the graph`() throws {
    let graph = """
      nodes:
        in: { type: jack-input, channels: 1 }
        filter: { type: filter, frequency: 100 Hz, q: 10 }
        out: { type: jack-output }
      wires: [in -> filter -> out]
      """
    let more = """
      nodes:
        in: { type: jack-input, channels: 1 }
        also: { type: meter }
        filter: { type: filter, frequency: 100 Hz, q: 10 }
        out: { type: jack-output }
      wires: [in -> filter -> out, filter -> also]
      """
    let noise = Self.noise(8000)
    let (_, changed) = try play(graph, then: more, inputs: noise)
    let (_, unchanged) = try play(graph, then: graph, inputs: noise)
    let plain = try GraphRig(graph).play(8000, outputs: ["out_1"], inputs: ["in_1": noise])[0]
    #expect(changed == plain)
    #expect(unchanged == plain)
  }

  @Test func `a tone goes on without a gap`() throws {
    let tone = { (extra: String) in
      """
      nodes:
        tone: { type: tone-source, level: 0 dB }
        out: { type: jack-output }
        \(extra)
      wires: [tone -> out]
      """
    }
    let plain = try GraphRig(tone("")).play(8000, outputs: ["out_1"])[0]
    #expect(try play(tone(""), then: tone("other: { type: tone-source }")).recorded == plain)
  }

  @Test func `a thousand reloads and a hundred other graphs do not change a tone, to the byte`() throws {
    let text = { (number: Int) in
      """
      nodes:
        tone: { type: tone-source, level: 0 dB, frequency: 440 }
        out: { type: jack-output }
        \(number % 11 == 0 ? "more: { type: tone-source }" : "")
      wires: [tone -> out]
      """
    }
    let rig = try GraphRig(text(1))
    var recorded: [Float] = []
    for number in 1...1100 {
      // A little more than a frame: a plan is taken where a frame begins.
      recorded += try rig.play(837 + number % 64, cycle: 16, outputs: ["out_1"])[0]
      try rig.load(text(number), fade: number % 11 == 0 ? 0.01 : nil)
      if number % 5 == 0 { recorded += try rig.play(900, cycle: 128, outputs: ["out_1"])[0] }
    }
    #expect(recorded == (try GraphRig(text(1)).play(recorded.count, outputs: ["out_1"])[0]))
  }

  @Test func `a file plays on from its place`() throws {
    let folder = try TemporaryFolder()
    let sound = Self.noise(8000)
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [sound])
    let graph = """
      nodes: { song: { type: file-source, path: a.wav }, out: { type: jack-output } }
      wires: [song -> out]
      """
    let louder = """
      nodes:
        song: { type: file-source, path: a.wav }
        gain: { type: gain }
        out: { type: jack-output }
      wires: [song -> gain -> out]
      """
    #expect(try play(graph, then: louder, folder: folder.path).recorded == sound)
  }

  @Test func `a gain glides to its new setting over the first frame of the new graph`() throws {
    let graph = { (gain: String) in
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        gain: { type: gain, gain: \(gain) }
        out: { type: jack-output }
      wires: [in -> gain -> out]
      """
    }
    let (_, recorded) = try play(
      graph("0 dB"), then: graph("-160 dB"), inputs: Array(repeating: 1, count: 8000))
    // Offered at 2000, taken at the end of the frame, 2400.
    #expect(recorded[..<2400].allSatisfy { $0 == 1 })
    #expect(isNear(recorded[2400..<3200], [Float](count: 800) { 1 - Float($0 + 1) / 800 }))
    #expect(recorded[3200...].allSatisfy { $0 == 0 })
  }

  @Test func `a meter's level goes on falling through a change`() throws {
    let graph = { (extra: String) in
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        meter: { type: meter, release: 60 dB/s, reference: rms }
        out: { type: jack-output }
        \(extra)
      wires: [in -> meter, in -> out]
      """
    }
    var signal = [Float](repeating: 0, count: 8000)
    signal.replaceSubrange(0..<800, with: Array(repeating: 1, count: 800))
    let (rig, _) = try play(graph(""), then: graph("b: { type: tone-source }"), inputs: signal)
    let levels = try rig.levels("meter/1")
    #expect(levels.count == 10)
    for n in 0..<10 { #expect(abs(levels[n] + Float(n)) < 1e-5) }
    #expect(rig.frames.map(\.header.frame) == Array(1...10))
  }

  @Test func `a changed setting that needs a rebuild starts the node anew, and no other`() throws {
    let folder = try TemporaryFolder()
    let sound = Self.noise(8000)
    writeSound("\(folder.path)/a.wav", rate: 48_000, channels: [sound])
    let graph = { (more: String) in
      """
      nodes: { song: { type: file-source, path: a.wav\(more) }, out: { type: jack-output } }
      wires: [song -> out]
      """
    }
    let (_, recorded) = try play(graph(""), then: graph(", channels: 1"), folder: folder.path)
    #expect(recorded == Array(sound[..<2400]) + Array(sound[..<5600]))
  }

  @Test func `a new file beside an old one disturbs nothing`() throws {
    let graph = { (channels: Int) in
      """
      nodes:
        tone: { type: tone-source, channels: \(channels), level: 0 dB }
        meter: { type: meter, reference: rms, release: 600 s }
        out: { type: jack-output }
      wires: [tone -> meter, "tone[1] -> out"]
      """
    }
    // Another number of channels is another shape: the meter starts anew, and the tone depends on time only.
    let plain = try GraphRig(graph(1)).play(8000, outputs: ["out_1"])[0]
    #expect(try play(graph(1), then: graph(3)).recorded == plain)
  }

  private static let driven = """
    nodes:
      in: { type: jack-input, channels: 1 }
      one: { type: jack-input, channels: 1 }
      meter: { type: meter, reference: rms, release: 0 s }
      level: { type: meter-table }
      gain: { type: gain }
      out: { type: jack-output }
    wires: [one -> gain -> out, in -> meter -> level -> gain.level]
    """

  @Test func `a level acts from the start of the frame after the next, at any cycle length`() throws {
    // Full scale in frame 4 only; it acts in frame 6, with a ramp up in it and down in frame 7.
    var steering = [Float](repeating: 0, count: 8000)
    steering.replaceSubrange(2400..<3200, with: [Float](count: 800) { $0 % 2 == 0 ? 1 : -1 })
    let ones = [Float](repeating: 1, count: 8000)
    var recorded: [[Float]] = []
    for cycle in [1, 32, 64, 127, 800, 1000, 4096, 8000] {
      let rig = try GraphRig(Self.driven)
      recorded.append(
        try rig.play(8000, cycle: cycle, outputs: ["out_1"], inputs: ["in_1": steering, "one_1": ones])[0])
      #expect(rig.lateLevels == 0)
    }
    for sound in recorded.dropFirst() { #expect(sound == recorded[0]) }
    let sound = recorded[0]
    #expect(sound[..<4000].allSatisfy { $0 == 0 })
    #expect(isNear(sound[4000..<4800], [Float](count: 800) { Float($0 + 1) / 800 }))
    #expect(isNear(sound[4800..<5600], [Float](count: 800) { 1 - Float($0 + 1) / 800 }))
    #expect(sound[5600...].allSatisfy { $0 == 0 })
  }

  @Test func `with a delay that is long enough for the cycle, levels act live as they do offline`() throws {
    // A different level in every frame.
    let steering = [Float](count: 24_000) { place in
      let level = Float(place / 800 % 7 + 1) / 8
      return place % 2 == 0 ? level : -level
    }
    let ones = [Float](repeating: 1, count: 24_000)
    func recorded(_ delay: Int, cycle: Int, isLive: Bool) throws -> (sound: [Float], late: UInt64) {
      let rig = try GraphRig(Self.driven.replacing("type: gain", with: "type: gain, delay: \(delay)"))
      rig.isLive = isLive
      let sound = try rig.play(
        24_000, cycle: cycle, outputs: ["out_1"], inputs: ["in_1": steering, "one_1": ones])[0]
      return (sound, rig.lateLevels)
    }
    for (cycle, delay) in [
      (256, 2), (801, 2), (802, 3), (1024, 3), (1500, 3), (2048, 4), (4096, 7), (8192, 12),
    ] {
      #expect(LevelDelay.needed(cycle: cycle, frame: 800) == delay)
      let (offline, live) = try (
        recorded(delay, cycle: 256, isLive: false), recorded(delay, cycle: cycle, isLive: true)
      )
      #expect(live.sound == offline.sound && live.late == 0, "\(cycle)")
      #expect(offline.sound[(delay * 800 + 800)...].allSatisfy { $0 > 0 })
    }
    for (cycle, delay) in [(1024, 2), (2048, 2), (4096, 3)] {
      #expect(try recorded(delay, cycle: cycle, isLive: true).late > 0)
    }
  }

  @Test func `a host with cycles too long for levels that act on sound reports the delay that they need`()
    throws
  {
    let graph = try GraphRig.graph(Self.driven)
    #expect(graph.delayAdvice(cycle: 800, rate: 48_000) == nil)
    #expect(
      graph.delayAdvice(cycle: 2048, rate: 48_000)
        == "a cycle of 2048 samples is longer than a frame of 800, too long for what acts on sound in gain: write "
        + "`delay: 4` there, which sounds the same live and offline, or use a period of at most 800 samples")
    let delayed = try GraphRig.graph(Self.driven.replacing("type: gain", with: "type: gain, delay: 4"))
    #expect(delayed.delayAdvice(cycle: 2048, rate: 48_000) == nil)
    #expect(delayed.delayAdvice(cycle: 4096, rate: 48_000)?.contains("`delay: 7`") == true)
  }

  @Test func `a driven gain that comes later is not counted as late`() throws {
    let plain = """
      nodes:
        in: { type: jack-input, channels: 1 }
        one: { type: jack-input, channels: 1 }
        out: { type: jack-output }
      wires: [one -> out, in -> out]
      """
    let rig = try GraphRig(plain)
    rig.process(4000)
    try rig.load(Self.driven)
    rig.process(8000)
    #expect(rig.lateLevels == 0)
  }
}
