import Foundation
import Glibc
import TestSupport
import Testing

/// The graph file changes while it runs.
@Suite(.serialized, .waiting) struct ReloadTests {
  @Test func `SIGHUP loads a changed gain without a dropout`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(Self.graph(gain: "0"), to: "graph.yaml")
    let run = try SteppedRun(graph)
    var (peaks, means) = ([Float](), [Float]())
    func frames(_ count: Int) throws {
      for _ in 0..<count {
        try run.frames(1)
        peaks.append(run.level("meter.peak/1"))
        means.append(run.level("meter/1"))
      }
    }
    try frames(30)
    _ = try folder.write(Self.graph(gain: "-20"), to: "graph.yaml")
    try run.reload()
    #expect(run.says("reloaded \(graph)"), "\(run.notes)")
    try frames(60)
    // No frame between the old and the new level dips below either: a glide of one frame, then the new for good.
    #expect(peaks[..<30].allSatisfy { abs($0 + 6) < 0.01 }, "\(peaks)")
    #expect(peaks[30] < -5.9 && peaks[30] >= -26.01)
    #expect(peaks[32...].allSatisfy { abs($0 + 26) < 0.01 }, "\(peaks[28...36])")
    // The tone goes on where it was: a frame's mean square is that of whole periods before and after.
    #expect(means[..<30].allSatisfy { abs($0 + 6) < 0.01 })
    #expect(run.end() == 0)
  }

  @Test(.blocking) func `the program reloads at SIGHUP, and keeps the old graph where the new one is faulty`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(Self.graph(gain: "0"), to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--levels", levels)
    #expect(poll { Self.hasWritten(levels, more: 0) }, "\(child.notes)")
    _ = try folder.write(Self.graph(gain: "loud"), to: "graph.yaml")
    child.signal(SIGHUP)
    #expect(child.says("visgraph: the graph has faults; the old one stays\n"), "\(child.notes)")
    _ = try folder.write(Self.graph(gain: "-20"), to: "graph.yaml")
    child.signal(SIGHUP)
    #expect(child.says("reloaded \(graph)"), "\(child.notes)")
    #expect(child.endsWell(SIGINT), "\(child.notes)")
    #expect(LevelRows(levels).isConsecutive(of: child), "\(child.notes)")
  }

  @Test func `a faulty file keeps the old graph and prints the fault`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(Self.graph(gain: "0"), to: "graph.yaml")
    let run = try SteppedRun(graph)
    try run.frames(5)
    _ = try folder.write(Self.graph(gain: "loud"), to: "graph.yaml")
    try run.reload()
    #expect(run.says("visgraph: the graph has faults; the old one stays\n"), "\(run.notes)")
    #expect(run.notes.contains("\(graph):4:29: error: "), "\(run.notes)")
    try run.frames(10)
    #expect(abs(run.level("meter.peak/1") + 6) < 0.01)
    // A file that is not there is no better.
    unlink(graph)
    try run.reload()
    #expect(run.says("the old one stays", times: 2), "\(run.notes)")
    // And a good one is taken at last.
    _ = try folder.write(Self.graph(gain: "-20"), to: "graph.yaml")
    try run.reload()
    #expect(run.says("reloaded \(graph)"), "\(run.notes)")
    try run.frames(3)
    #expect(abs(run.level("meter.peak/1") + 26) < 0.01)
    #expect(run.end() == 0)
  }

  @Test(.blocking) func `watching loads a file that an editor saves`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(Self.graph(gain: "0"), to: "graph.yaml")
    let child = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "600", "--watch", "--levels", folder.file("a.csv"))
    let still = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "600", "--no-watch", "--levels", folder.file("b.csv"))
    // These files are there as soon as the graph has been read.
    #expect(poll { access(folder.file("a.csv"), F_OK) == 0 && access(folder.file("b.csv"), F_OK) == 0 })
    // Written in place, and then as many editors do it: a new file moved over the old.
    _ = try folder.write(Self.graph(gain: "-6.5"), to: "graph.yaml")
    #expect(child.says("reloaded"), "\(child.notes)")
    let new = try folder.write(Self.graph(gain: "-20.25"), to: "graph.yaml~")
    rename(new, graph)
    #expect(child.says("reloaded", times: 2), "\(child.notes)")
    #expect(!still.notes.contains("reloaded"), "\(still.notes)")
    #expect(child.endsWell(), "\(child.notes)")
    #expect(still.endsWell(), "\(still.notes)")
  }

  @Test(.blocking)
  func `watching notices the emitter files that a graph uses, also one that does not exist yet`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("visgraph-emitter: 1\nscale: 2\n", to: "sparks.yaml")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        t: { type: tone-source }
        m: { type: meter }
        l: { type: meter-table }
        e: { type: emitter, emitter: sparks.yaml }
      wires: [t -> m -> l -> e]
      """, to: "graph.yaml")
    let levels = folder.file("a.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "600", "--watch", "--levels", levels)
    #expect(poll { Self.hasWritten(levels, more: 0) }, "\(child.notes)")
    _ = try folder.write("visgraph-emitter: 1\nscale: -1\n", to: "sparks.yaml")
    #expect(child.says("the old one stays"), "\(child.notes)")
    // A file that is still being written has another fault first.
    #expect(poll { child.notes.contains("\(file):2:8: error: scale is -1; ") }, "\(child.notes)")
    let reloads = child.notes.split(separator: "\n").filter { $0.contains("reloaded") }.count + 1
    let new = try folder.write("visgraph-emitter: 1\nscale: 3.5\n", to: "sparks.yaml~")
    rename(new, file)
    #expect(child.says("reloaded", times: reloads), "\(child.notes)")
    // The graph names another one, which comes later.
    let text = try String(contentsOfFile: graph, encoding: .utf8)
    _ = try folder.write(text.replacing("sparks.yaml", with: "other.yaml"), to: "graph.yaml")
    #expect(child.says("the old one stays", times: 2), "\(child.notes)")
    #expect(
      poll { child.notes.contains(": error: e.emitter: there is no file \"other.yaml\"") }, "\(child.notes)")
    _ = try folder.write("visgraph-emitter: 1\n", to: "other.yaml")
    #expect(child.says("reloaded", times: reloads + 1), "\(child.notes)")
    #expect(child.endsWell(), "\(child.notes)")
  }

  @Test(.blockingInJack) func `new ports are added and old ones removed`() throws {
    let folder = try TemporaryFolder()
    let server = try JackServer()
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name, outputs: 2, sound: .silence)
    let old =
      "visgraph: 1\nnodes:\n  kept: { type: jack-input, channels: 1 }\n  old: { type: jack-input, channels: 1 }\n"
    let rest = "  meter: { type: meter }\nwires:\n  - kept -> meter\n  - "
    let graph = try folder.write(old + rest + "old -> meter\n", to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--for", "600", "--levels", levels)
    #expect(poll { peer.ports(of: "visgraph") == ["visgraph:kept_1", "visgraph:old_1"] }, "\(child.notes)")
    // A port can be connected as soon as its client is active.
    #expect(
      poll {
        peer.connect("\(peer.name):out_1", "visgraph:kept_1")
        return peer.connections("visgraph:kept_1") == ["\(peer.name):out_1"]
      })
    _ = try folder.write(
      old.replacing("old: { type: jack-input, channels: 1", with: "new: { type: jack-input, channels: 2")
        + rest
        + "new[2] -> meter\n", to: "graph.yaml")
    child.signal(SIGHUP)
    let expected = ["visgraph:kept_1", "visgraph:new_1", "visgraph:new_2"]
    #expect(poll { peer.ports(of: "visgraph") == expected }, "\(peer.ports(of: "visgraph")) \(child.notes)")
    #expect(peer.connections("visgraph:kept_1") == ["\(peer.name):out_1"])
    #expect(child.endsWell(), "\(child.notes)")
    #expect(poll { peer.ports(of: "visgraph") == [] })
  }

  /// Whether `more` than one frame is in the file; it is written in pieces.
  private static func hasWritten(_ levels: String, more: Int) -> Bool { LevelRows(levels).count > more }

  private static func graph(gain: String) -> String {
    """
    visgraph: 1
    nodes:
      tone: { type: tone-source, level: -6, frequency: 1200 }
      gain: { type: gain, gain: \(gain) }
      meter: { type: meter, release: 0 }
    wires:
      - tone -> gain -> meter

    """
  }
}
