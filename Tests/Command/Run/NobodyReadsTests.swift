import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// Whatever is not read, not answered or full: the show goes on, and a signal ends it with its lights out.
@Suite(.serialized, .blocking) struct NobodyReadsTests {
  /// A show with a lit lamp.
  private struct Stage {
    let folder: TemporaryFolder
    let ear: OscReceiver
    let graph: String

    init(fps: Int = 60, channels: Int = 2) throws {
      folder = try TemporaryFolder()
      ear = try OscReceiver()
      graph = try folder.write(Self.text(ear, fps: fps, channels: channels), to: "graph.yaml")
    }

    static func text(_ ear: OscReceiver, fps: Int = 60, channels: Int = 2) -> String {
      """
      visgraph: 1
      fps: \(fps)
      nodes:
        tone: { type: tone-source, channels: \(channels), level: -6 }
        gain: { type: gain }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
      wires:
        - tone -> gain -> meter -> level -> rig

      """
    }

    var isLit: Bool { ear.floats("/visgraph/rig/1").last ?? 0 > 0.5 }

    /// Ends it by a signal; gives the exit code. The lights are out.
    func end(_ child: Child, _ signal: Int32 = SIGTERM) -> Int32? {
      child.signal(signal)
      let code = child.exitCode(within: 10)
      #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
      return code
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a log without a reader delays nothing, and lines are dropped and counted`(signal: Int32) throws {
    let stage = try Stage()
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { close(end) } }
    let port = try OscReceiver.closedPort()
    let child = try Child(
      [Visgraph.path, "run", stage.graph, "--host", "clock", "--control", "\(port)"], files: [2: ends[1]])
    #expect(poll { stage.isLit })
    let peer = try ControlPeer(port)
    // Each reload reports a hundred faults.
    let faults = (1...100).map { "  no\($0): { type: nothing }\n" }.joined()
    _ = try stage.folder.write("visgraph: 1\nnodes:\n" + faults, to: "graph.yaml")
    for _ in 1...20 { try peer.send("/visgraph/graph/reload") }
    // It obeys all the same.
    #expect(
      try poll {
        try peer.send("/visgraph/node/gain/gain", .float(-60))
        return !stage.isLit
      })
    if signal == SIGINT {
      // A reader at last learns that something is missing.
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      var text: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      let isReported = try poll {
        let count = read(ends[0], &bytes, bytes.count)
        if count > 0 { text += bytes[..<count] }
        // A fault more is reported once there is room.
        try peer.send("/visgraph/graph/reload")
        return String(decoding: text, as: UTF8.self).contains("left out here: they were not read\n")
      }
      #expect(isReported)
    }
    #expect(stage.end(child, signal) == 0)
  }

  @Test func `levels without a reader wait, and those lost at the end are reported`() throws {
    let stage = try Stage(channels: 64)
    let pipe = stage.folder.file("levels.csv")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let child = try Visgraph.start(
      "run", stage.graph, "--host", "clock", "--control", "off", "--levels", pipe)
    // Until the pipe is full, and more has come.
    var waiting = Self.waiting(reader)
    #expect(
      poll {
        waiting = Self.waiting(reader)
        return waiting > 60_000 && stays(for: 0.4) { Self.waiting(reader) == waiting }
      }, "\(child.notes)")
    #expect(poll { stage.isLit })
    #expect(stage.end(child) == 1)
    #expect(
      child.notes.contains(/levels\.csv: it was not read fast enough; \d+ rows are missing/), "\(child.notes)"
    )
  }

  /// How many bytes wait in a pipe.
  private static func waiting(_ reader: Int32) -> Int32 {
    var count: Int32 = 0
    return ioctl(reader, UInt(FIONREAD), &count) == 0 ? count : -1
  }

  @Test func `a show starts although its levels are not read yet`() throws {
    let stage = try Stage()
    let pipe = stage.folder.file("levels.csv")
    #expect(mkfifo(pipe, 0o600) == 0)
    let child = try Visgraph.start(
      "run", stage.graph, "--host", "clock", "--control", "off", "--levels", pipe)
    #expect(poll { stage.isLit }, "\(child.notes)")
    let reader = open(pipe, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    var bytes = [UInt8](repeating: 0, count: 14)
    #expect(read(reader, &bytes, bytes.count) == 14)
    #expect(
      String(decoding: bytes, as: UTF8.self) == "frame,time,ton" || bytes.starts(with: "frame,time".utf8))
    _ = stage.end(child)
  }

  @Test func `a full disk is told while the show goes on, and at its end`() throws {
    let stage = try Stage()
    let levels = stage.folder.file("levels.csv")
    #expect(symlink("/dev/full", levels) == 0)
    let child = try Visgraph.start(
      "run", stage.graph, "--host", "clock", "--control", "off", "-q", "--levels", levels)
    #expect(child.says("levels.csv: No space left on device; levels wait for room\n"), "\(child.notes)")
    #expect(!child.hasEnded)
    #expect(poll { stage.isLit })
    #expect(stage.end(child) == 1)
    #expect(child.notes.contains(/No space left on device; \d+ rows are missing/), "\(child.notes)")
  }

  @Test(.blockingInJack) func `a hung server and a reload that makes a port do not hold the end`() throws {
    let stage = try Stage()
    let server = try JackServer()
    let child = try Visgraph.start("run", stage.graph, "--host", "jack", "--server", server.name)
    let peer = try ControlPeer(child.controlPort())
    #expect(poll { stage.isLit }, "\(child.notes)")
    server.freeze(true)
    defer { server.freeze(false) }
    let more = "  - tone -> more\n"
    let text = Stage.text(stage.ear).replacing("  rig:", with: "  more: { type: jack-output }\n  rig:") + more
    _ = try stage.folder.write(text, to: "graph.yaml")
    try peer.send("/visgraph/graph/reload")
    #expect(stage.end(child) == 0, "\(child.notes)")
  }

  @Test func `a queue of changes does not hold the end`() throws {
    let stage = try Stage(fps: 5, channels: 64)
    let child = try Visgraph.start("run", stage.graph, "--host", "clock")
    let peer = try ControlPeer(child.controlPort())
    #expect(poll { stage.isLit }, "\(child.notes)")
    for channel in 1...64 { try peer.send("/visgraph/node/gain/\(channel)/gain", .float(-1)) }
    try peer.send("/visgraph/node/gain/9/gain", .float(1000))
    let begin = now()
    for _ in 1...60 { try peer.send("/visgraph/graph/reload") }
    #expect(child.says("reloaded"), "\(child.notes)")
    let seconds = now() - begin
    #expect(stage.end(child) == 0, "\(child.notes)")
    // Each of them takes a frame, 0.2 s: what still waited was given up. A busy machine may have come to the last.
    if seconds > 8 { return noteTooBusy("the end was asked for after \(seconds) s") }
    #expect(child.notes.components(separatedBy: "reloaded").count - 1 < 60, "\(child.notes)")
  }

  @Test(arguments: [
    ["schema"], ["schema", "--emitter"], ["nodes"], ["nodes", "meter"], ["nodes", "--format", "json"],
    ["controls"], ["--help"], ["--version"], ["check", "GRAPH", "--format", "json"],
  ])
  func `results that cannot be written are a failure`(arguments: [String]) throws {
    let stage = try Stage()
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let child = try Child(
      [Visgraph.path] + arguments.map { $0 == "GRAPH" ? stage.graph : $0 }, files: [1: full])
    #expect(child.exitCode() == 1)
    #expect(child.notes == "visgraph: stdout: No space left on device\n")
  }

  @Test(arguments: [[0], [1], [2], [1, 2], [0, 1, 2]] as [[Int32]])
  func `descriptors that are closed at the start lead nowhere, not into files`(closed: [Int32]) throws {
    let stage = try Stage()
    let levels = stage.folder.file("levels.csv")
    let child = try Child(
      [Visgraph.path, "run", stage.graph, "--host", "clock", "--control", "off", "--levels", levels],
      files: Dictionary(uniqueKeysWithValues: closed.map { ($0, .none) }))
    #expect(poll { stage.isLit })
    for number in closed {
      let place = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(child.identity)/fd/\(number)")
      #expect(place == "/dev/null", "\(number)")
    }
    #expect(child.endsWell())
    #expect(poll { stage.ear.floats("/visgraph/rig/1").last == 0 })
    let rows = LevelRows(levels)
    #expect(rows.count > 0 && rows.isConsecutive(of: child))
    // Nothing but rows: what is reported has not been written in between.
    let lines = String(decoding: bytes(of: levels), as: UTF8.self).split(separator: "\n")
    #expect(lines.first?.hasPrefix("frame,time,") == true)
    #expect(lines.dropFirst().allSatisfy { $0.allSatisfy { $0.isNumber || ",.-e".contains($0) } })
  }
}
