import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// The graph file changes while a file of it is played.
@Suite(.serialized, .blocking) struct PlayReloadTests {
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

  private static func place(_ peer: ControlPeer) throws -> Double {
    let head = "/visgraph/status/node/song/currentTime"
    if case .double(let seconds)? = try peer.status(with: head).last(where: { $0.address == head })?.arguments
      .first
    {
      return seconds
    }
    return .nan
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
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "clock", "--watch", "-v", "--for", "100", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(try poll(within: 20) { try Self.place(peer) > 1 }, "\(child.notes)")
    var last = try Self.place(peer)
    let edits = [
      ", volume: 0.5", ", volume: 0.5, rate: 1.5", ", volume: 0.5, rate: 0.75, pitch: varispeed",
      ", rate: 0.75, pitch: varispeed, pan: 0.2", ", pan: 0.2, section: { from: 0.5, to: 30 }", ", loop: 3",
    ]
    for (index, edit) in edits.enumerated() {
      _ = try folder.write(Self.graph(edit), to: "graph.yaml")
      #expect(child.says("reloaded \(graph)", times: index + 1), "\(edit): \(child.notes)")
      // It goes on, and not from the beginning.
      let now = try Self.place(peer)
      #expect(now >= last && now < last + 30, "\(edit): \(last) → \(now)")
      #expect(try poll(within: 10) { try Self.place(peer) > now + 0.3 }, "\(edit)")
      last = try Self.place(peer)
    }
    child.signal(SIGINT)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    #expect(child.notes.contains("missing samples 0"), "\(child.notes)")
    let rows = LevelRows(levels)
    #expect(rows.isConsecutive)
    // The first frames are the ramp of the start. Then never below half of the quietest.
    let peaks = rows["meter.peak/1"].dropFirst(3)
    let quiet = peaks.indices.filter { peaks[$0] < -18.1 }
    #expect(quiet.isEmpty, "\(quiet.map { "\(rows.times[$0]): \(peaks[$0])" })")
    #expect(peaks.allSatisfy { $0 < -5.5 })
  }
}
