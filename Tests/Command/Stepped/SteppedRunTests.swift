import OSC
import TestSounds
import TestSupport
import Testing

/// A run that tests advance, beside the one that goes by itself.
@Suite(.waiting) struct SteppedRunTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 1, level: 0 dB }
        gain: { type: gain }
        meter: { type: meter, release: 0 s }
        level: { type: range, from: [-60, 0], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0.2 s }
      wires: [tone -> gain -> meter.in, meter.peak -> level -> rig]

      """, to: "graph.yaml")
  }

  @Test func `a message acts in the frame that comes next, and a frame is a frame`() throws {
    let run = try SteppedRun(graph)
    try run.frames(30)
    #expect(run.last("/visgraph/rig/1") == 1 && run.frame == 30)
    try run.send("/visgraph/master", .float(0.5))
    try run.send("/visgraph/node/gain/gain", .float(30), .float(0))
    try run.send("/visgraph/node/gain/gain", .float(300))
    #expect(run.refusals.count == 1 && run.refusals[0].hasSuffix("[out-of-range]"), "\(run.refusals)")
    try run.frames(1)
    #expect(run.sent(to: "/visgraph/rig/1").last?.frame == 31 && run.last("/visgraph/rig/1") == 0.5)
    #expect(run.end() == 0, "\(run.notes)")
  }

  @Test func `it ends with what is wrong at its start, and by itself when its time is over`() throws {
    let broken = try SteppedRun(folder.file("nothing.yaml"))
    #expect(broken.exitCode == 2 && broken.says("there is no file"), "\(broken.notes)")
    let run = try SteppedRun(graph, "--for", "0.5")
    try run.frames(100)
    #expect(run.exitCode == 0 && run.frame == 30, "\(run.frame) \(run.notes)")
  }
}
