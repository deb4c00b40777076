import Engine
import Glibc
import Graphs
import Metering
import TestSounds
import Testing

@testable import Nodes

/// Levels of frequency bands.
@Suite struct BandsTests {
  private func sine(_ frequency: Double, seconds: Double, level: Double = 0, rate: Int = 48_000) -> [Float] {
    let amplitude = pow(10, level / 20)
    return (0..<Int(seconds * Double(rate))).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
  }

  private func levels(_ rig: GraphRig, _ count: Int) throws -> [Float] {
    try (1...count).map { try #require(try rig.levels("m/\($0)").last) }
  }

  @Test(arguments: ["43 ms", "85 ms", "auto"])
  func `a full-scale sine in a band reads 0 dB there, and below -40 dB two bands away`(window: String) throws
  {
    let edges = FrequencyScale.log.edges(10, from: 40, to: 16_000)
    for band in 5..<10 {
      let middle = (edges[band] * edges[band + 1]).squareRoot()
      let rig = try Signal.measured(
        "type: bands, count: 10, window: \(window)", [sine(middle, seconds: 0.3)])
      let read = try levels(rig, 10)
      #expect(isNear(read[band], 0, 0.05), "\(middle) Hz: \(read[band])")
      for other in 0..<10 where abs(other - band) >= 2 { #expect(read[other] < -40) }
    }
    let rms = try Signal.measured("type: bands, count: 1, reference: rms", [sine(1000, seconds: 0.3)])
    #expect(isNear(try levels(rms, 1)[0], -3.01, 0.05))
  }

  @Test func `the sum of all bands is the same at every frequency of a tone`() throws {
    // From 100 Hz to 10 kHz in 20 s, at -18 dBFS.
    var phase = 0.0
    let sweep = [Float](count: 960_000) { i in
      phase += 2 * .pi * 100 * pow(100, Double(i) / 960_000) / 48_000
      return Float(pow(10, -0.9) * sin(phase))
    }
    let rig = try Signal.measured("type: bands, count: 24", [sweep])
    let all = try (1...24).map { try rig.levels("m/\($0)") }
    for frame in 10..<1190 {
      let sum = all.reduce(0.0) { $0 + pow(10, Double($1[frame]) / 10) }
      #expect(abs(10 * log10(sum) + 18) <= 0.1, "frame \(frame)")
    }
  }

  @Test func `bands have names that wires select, and a slope`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, names: [Kick, Hat] }
        m: { type: bands, edges: { bass: [40, 160], top: [2 kHz, 8 kHz] }, slope: 3 dB, window: auto }
        low: { type: range, from: [-100, 100] }
        late: { type: bands, edges: [100, 1000, 4000] }
      wires: [in -> m, "m[Kick.bass, Hat.top] -> low", in -> late]
      """)
    let names = rig.plan.graph.nodes.map { $0.outputs[0].channels.map { $0.name ?? "" } }
    #expect(names[1] == ["Kick.bass", "Kick.top", "Hat.bass", "Hat.top"])
    #expect(names[2] == ["Kick.bass", "Hat.top"])
    #expect(names[3] == ["Kick.316", "Kick.2k", "Hat.316", "Hat.2k"])
    _ = try rig.play(
      14_400, outputs: [], inputs: ["in_1": sine(80, seconds: 0.3), "in_2": sine(4000, seconds: 0.3)])
    // 80 Hz is the center of 40 and 160 Hz, 4 kHz that of 2 and 8 kHz.
    #expect(isNear(try rig.levels("m/1").last!, 3 * log2(0.08), 0.1))
    #expect(isNear(try rig.levels("m/4").last!, 6, 0.1))
  }

  @Test func `triangular bands leave no gap between their centers`() {
    let bands = [(100.0, 200.0, 400.0), (200, 400, 800), (400, 800, 1600)].map {
      Band(low: $0.0, middle: $0.1, high: $0.2, isTriangle: true)
    }
    for bin in 14..<49 {
      let sum = bands.reduce(0.0) { sum, band in
        let (first, weights) = band.weights(width: 16, bins: 400)
        return sum + (bin >= first && bin < first + weights.count ? Double(weights[bin - first]) : 0)
      }
      #expect(abs(sum - 1) < 0.03, "\(bin * 16) Hz: \(sum)")
    }
  }

  @Test
  func `frequencies above half the sample rate read nothing, and samples that are not a number count as 0`()
    throws
  {
    let rig = try Signal.measured(
      "type: bands, edges: [100, 1000, 3500, 5000, 20000]",
      [sine(500, seconds: 0.5, rate: 8000)], rate: 8000)
    #expect(isNear(try levels(rig, 4)[0], 0, 0.05))
    #expect(try levels(rig, 4)[3] == -160)
    let bad = try Signal.measured(
      "type: bands, count: 3", [(0..<20_000).map { $0 % 3 == 0 ? .nan : $0 % 7 == 0 ? .infinity : 0 }])
    #expect(try levels(bad, 3) == [-160, -160, -160])
  }

  @Test func `auto uses short windows at the frame's end for high bands, and longer ones for low bands`()
    throws
  {
    // Silence, then a tone for each band in the last 20 ms of the last frame.
    for (frequency, band, level) in [(8000.0, 2, -1.0), (60, 1, -18)] {
      var signal = [Float](repeating: 0, count: 24_000)
      signal.replaceSubrange(23_040..., with: sine(frequency, seconds: 0.02))
      let rig = try Signal.measured("type: bands, edges: [40, 160, 16000], window: auto", [signal])
      let read = try levels(rig, 2)[band - 1]
      #expect(read > Float(level) - 1 && read < Float(level) + 1, "\(frequency) Hz: \(read)")
    }
  }

  @Test func `steady tones at the border of long and short windows read within two decibels of their level`()
    throws
  {
    var farthest = 0.0
    for step in 0..<40 {
      let tone = sine(350 * pow(2, Double(step) / 40), seconds: 0.2)
      let rig = try Signal.measured("type: bands, count: 12, from: 60, to: 15 kHz, window: auto", [tone])
      let sum = try levels(rig, 12).reduce(0.0) { $0 + pow(10, Double($1) / 10) }
      farthest = max(farthest, abs(10 * log10(sum)))
    }
    #expect(farthest <= 2, "\(farthest) dB")
  }

  @Test(arguments: [("44100", ["20k"]), ("48000", [])])
  func `a third of an octave above half the sample rate is reported`(rate: String, dead: [String])
    throws
  {
    let rig = try Signal.measured(
      "type: bands, method: third-octave", [[Float](repeating: 0, count: 4800)], rate: Int(rate)!)
    let messages = rig.plan.controls.flatMap { $0.control.takeMessages() }
    #expect(messages == dead.map { "m: the band \($0) reads -160: at \(rate) Hz there is nothing so high" })
    #expect(rig.plan.controls.allSatisfy { $0.control.takeMessages().isEmpty })
  }

  @Test func `the whole of a long frame is measured`() throws {
    // 20 ms of tone in a frame of half a second are 1/25 of its power.
    var signal = [Float](repeating: 0, count: 24_000)
    signal.replaceSubrange(5000..<5960, with: sine(1000, seconds: 0.02))
    let rig = try Signal.measured("type: bands, count: 1", [signal], fps: "2")
    #expect(isNear(try levels(rig, 1)[0], 10 * log10(0.04), 0.5))
  }

  @Test func `a third of an octave reads tones in its band, and 20 dB less an octave away`() throws {
    for (frequency, band) in [(501.187, 15), (1000.0, 18), (15_848.9, 30)] {
      let rig = try Signal.measured("type: bands, method: third-octave", [sine(frequency, seconds: 1)])
      let read = try levels(rig, 31)
      #expect(isNear(read[band - 1], 0, 0.1), "\(frequency) Hz: \(read[band - 1])")
      #expect(read[band - 4] < -40 && read[band == 30 ? 20 : band + 2] < -40)
    }
  }

  @Test func `falling edges, and bands without width, are faults`() {
    for (setting, code) in [
      ("edges: [100, 50]", "edges-out-of-order"), ("edges: { a: [200, 100] }", "edges-out-of-order"),
      ("from: 200, to: 100", "edges-out-of-order"), ("edges: {}", "edges-out-of-order"),
      ("count: 512, edges: [1, 2]", ""),
    ] {
      let checked = Checker(Catalog(types: everyNode)).check(
        SourceText(
          path: "/g.yaml",
          text:
            "visgraph: 1\nnodes: { t: { type: tone-source }, m: { type: bands, \(setting) } }\nwires: [t -> m]\n"
        ))
      #expect(checked.faults.map(\.code) == (code.isEmpty ? [] : [code]), "\(setting)")
    }
  }
}
