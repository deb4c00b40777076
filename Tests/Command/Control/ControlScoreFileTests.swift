import Controls
import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import visgraph

/// The file that a run is recorded to, where it gets too long or its disk takes nothing.
@Suite(.blocking) struct ControlScoreFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func score(_ path: String) throws -> ControlScore { try ControlScore(path: path) }

  @Test func `a recording ends at the longest readable length, which is reported once, at once`() throws {
    let path = folder.file("long.osc")
    let file = try ControlScoreFile(path, most: 1000)
    #expect(file.takeMessage(at: 0) == nil)
    for number in 1...100 { file.add(Message("/visgraph/master", .float(0.5)), at: Double(number)) }
    // 56 bytes of the beginning, 52 of each message, 48 of the end; it ends where what did not fit would have stood.
    let line = "\(path) is full (32 MB, the limit of a control score): the control score ends at 18 s"
    #expect(file.takeMessage(at: 1) == "\(line); what is asked for from now on is not recorded")
    #expect(file.takeMessage(at: 100) == nil)
    #expect(file.fault == "\(line); what is asked for is not recorded")
    file.end(at: 200)
    #expect(file.close(within: 60) == line)
    #expect(bytes(of: path).count == 56 + 17 * 52 + 48)
    let score = try score(path)
    #expect(score.isRecorded && score.torn == nil && score.entries.count == 19 && score.end == 18)
  }

  @Test func `a recording below that length ends with the timeline`() throws {
    let path = folder.file("short.osc")
    let file = try ControlScoreFile(path)
    file.add(Message("/visgraph/master", .float(0.5)), at: 2)
    // Time does not go back.
    file.add(Message("/visgraph/master", .float(1)), at: 1)
    file.end(at: 3)
    file.end(at: 9)
    file.add(Message("/visgraph/master", .float(0)), at: 10)
    #expect(file.close(within: 60) == nil)
    #expect(file.close(within: 0) == nil && file.takeMessage(at: 0) == nil)
    let score = try score(path)
    #expect(score.entries.map(\.seconds) == [0, 2, 2, 3] && score.end == 3)
  }

  @Test func `a pipe without a reader loses bytes, and that is reported`() throws {
    let path = folder.file("pipe.osc")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let file = try ControlScoreFile(path)
    // More than a pipe holds, and no byte of it is a newline.
    for _ in 1...3000 { file.add(Message("/visgraph/master", .float(0.5)), at: 0.5) }
    file.end(at: 1)
    let fault = file.close(within: 0)
    #expect(fault == "\(path): it was not written fast enough; the control score is not whole")
  }

  @Test func `a full disk is reported while the show goes on, and at its end`() throws {
    let graph = try folder.write(
      """
      visgraph: 1
      nodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
    let file = folder.file("show.osc")
    // Where a thread is late by 0.75 s at the end, the process ends without it and its last line.
    let loss = "show.osc: No space left on device; the control score is not whole\n"
    let wrong = try lastOf(3) { () -> String? in
      let said = try notes(recording: graph, to: file)
      return said.contains(loss) ? nil : said
    }
    #expect(wrong == nil)
  }

  /// What a run says whose recording takes nothing.
  private func notes(recording graph: String, to file: String) throws -> String {
    unlink(file)
    #expect(symlink("/dev/full", file) == 0)
    let child = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "600", "--record-control", file)
    #expect(
      child.says("show.osc: No space left on device; entries wait for room\n", within: 60), "\(child.notes)")
    let peer = try ControlPeer(try child.controlPort())
    // That no frame came for a second may be another for a while.
    #expect(try poll { try peer.faults() == ["\(file): No space left on device; entries wait for room"] })
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 60) == 1)
    return child.notes
  }
}
