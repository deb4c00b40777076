import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// The graph file changes while a file of it is played.
@Suite(.serialized, .waiting) struct PlayReloadTests {
  private static func graph(_ settings: String) -> String {
    """
    visgraph: 1
    nodes:
      song: { type: file-source, path: song.wav\(settings) }
      meter: { type: meter, release: 0 }
      level: { type: meter-table }
      out: { type: jack-output }
    wires:
      - song -> meter -> level
      - song -> out

    """
  }

  @Test func `volume, rate, pan and section change without a dropout and without a restart`() throws {
    let folder = try TemporaryFolder()
    // 400 Hz: every frame holds whole periods.
    let tone = [Float](count: 48_000 * 60) { place in
      let angle: Double = Double(place % 120) / 120 * 2 * .pi
      return 0.5 * Float(sin(angle))
    }
    try folder.write(Wave.bytes([tone, tone]), to: "song.wav")
    let graph = try folder.write(Self.graph(""), to: "graph.yaml")
    let run = try SteppedRun(graph)
    var peaks: [Float] = []
    func place() -> Double {
      if case .double(let seconds)? = run.status("node/song/currentTime")?.first { seconds } else { .nan }
    }
    try run.frames(60)
    var last = place()
    #expect(last == 1, "\(run.notes)")
    let edits: [(text: String, rate: Double)] = [
      (", volume: 0.5", 1), (", volume: 0.5, rate: 1.5", 1.5),
      (", volume: 0.5, rate: 0.75, pitch: varispeed", 0.75),
      (", rate: 0.75, pitch: varispeed, pan: 0.2", 0.75),
      (", pan: 0.2, section: { from: 0.5, to: 30 }", 1), (", loop: 3", 1),
    ]
    for (index, edit) in edits.enumerated() {
      _ = try folder.write(Self.graph(edit.text), to: "graph.yaml")
      try run.reload()
      #expect(run.says("reloaded \(graph)", times: index + 1), "\(edit): \(run.notes)")
      peaks += try run.levels("meter.peak/1", frames: 60)
      // It goes on, and not from the beginning; what was decoded before the change is heard at its own rate.
      let now = place()
      #expect(abs(now - last - edit.rate) < 0.5, "\(edit): \(last) → \(now)")
      last = now
    }
    #expect(run.end() == 0, "\(run.notes)")
    // Never below half of the quietest.
    let quiet = peaks.indices.filter { peaks[$0] < -18.1 }
    #expect(quiet.isEmpty, "\(quiet.map { "\($0): \(peaks[$0])" })")
    #expect(peaks.allSatisfy { $0 < -5.5 })
  }
}
