import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import Graphs
@testable import visgraph

/// A disk that fills up below a running show, and is emptied again.
@Suite(.serialized, .blocking) struct DiskFullTests {
  /// The bytes of a disk of its own, on which only some more than those lie that a show calls few.
  private static let size = 20 << 20

  @Test
  func `a full disk is reported, runs its hook, delays no light, and gets all rows once there is room`()
    throws
  {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let disk = folder.file("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let graph = try folder.write(
      """
      visgraph: 1
      hooks: { disk-full: ["127.0.0.1:\(ear.port)/hook/disk-full", /visgraph/node/gain/gain -20] }
      nodes:
        tone: { type: tone-source, level: 0 dB }
        gain: { type: gain }
        meter: { type: meter }
        level: { type: range, from: [-60, 0], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.2 s }
      wires: [tone -> gain -> meter -> level -> rig]

      """, to: "graph.yaml")
    let small = Namespaces(mounts: ["-t tmpfs -o size=\(Self.size) tmpfs '\(disk)'"])
    let child = try Child(
      small.command([
        Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--levels", disk + "/levels.csv",
        "--state", disk + "/show.state",
      ]))
    // The disk is the child's alone; this is how others see it.
    let seen = "/proc/\(child.identity)/root" + disk
    let peer = try ControlPeer(try child.controlPort())
    var kept: ShowState? { try? StateFile(seen + "/show.state").read().get() }
    func hooks() -> Int { ear.messages.count { $0.address == "/hook/disk-full" } }
    try peer.send("/visgraph/master", .float(0.75))
    #expect(poll { kept?.master == 0.75 }, "\(child.notes)")
    #expect(hooks() == 0 && !child.notes.contains("nearly full"))

    try fill(seen + "/filler", upTo: 5 << 20)
    #expect(child.says("a disk that is written to is nearly full: \(disk)/levels.csv", within: 60))
    #expect(poll(within: 60) { hooks() == 1 && kept?.settings.first?.path == "gain.gain" }, "\(child.notes)")
    let status = try peer.status(with: "/visgraph/status/end")
    #expect(status.contains { $0.address == "/visgraph/status/event/disk-full" && $0.arguments == [.int(1)] })

    try fill(seen + "/filler", upTo: .max)
    try peer.send("/visgraph/master", .float(0.5))
    #expect(
      child.says("/levels.csv: No space left on device; levels wait for room", within: 60), "\(child.notes)")
    #expect(
      child.says("the state is not kept: \(disk)/show.state: No space left", within: 60), "\(child.notes)")
    let faults = [
      "\(disk)/levels.csv: No space left on device; levels wait for room",
      "the state is not kept: \(disk)/show.state: No space left on device",
    ]
    #expect(try poll(within: 60) { try peer.faults() == faults }, "\(child.notes)")
    // The old state is whole, and the lights go on.
    #expect(kept?.master == 0.75)
    let count = ear.floats("/visgraph/rig/1").count
    #expect(poll { ear.floats("/visgraph/rig/1").count > count + 10 })
    #expect(hooks() == 1)

    #expect(unlink(seen + "/filler") == 0)
    #expect(poll(within: 60) { kept?.master == 0.5 }, "\(child.notes)")
    #expect(child.says("/levels.csv is written again", within: 60), "\(child.notes)")
    #expect(try poll(within: 60) { try peer.faults() == [] }, "\(child.notes)")
    let rows = LevelRows(seen + "/levels.csv").count
    #expect(poll { LevelRows(seen + "/levels.csv").count > rows + 60 })
    #expect(LevelRows(seen + "/levels.csv").isConsecutive(of: child), "\(child.notes)")
    #expect(child.endsWell(), "\(child.notes)")
  }

  @Test func `rows that never find room are a fault of the show, which ends with exit code 1`() throws {
    let folder = try TemporaryFolder()
    let disk = folder.file("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let graph = try folder.write(
      """
      visgraph: 1
      nodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
    for file in ["levels.csv", "show.state", "control.log", "show.osc", "notes.log"] {
      let option = [
        "levels.csv": "--levels", "show.state": "--state", "control.log": "--log-control",
        "show.osc": "--record-control",
      ][file]
      let path = "\(disk)/\(file)"
      let small = Namespaces(
        mounts: ["-t tmpfs -o size=256k tmpfs '\(disk)'"], then: option == nil ? ["exec 2>'\(path)'"] : [])
      let port = try OscReceiver.closedPort()
      let child = try Child(
        small.command(
          [Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--control", "\(port)"]
            + (option.map { [$0, path] } ?? [])))
      let peer = try ControlPeer(port)
      #expect(try poll(within: 60) { try peer.faults() == [] }, "\(file): \(child.notes)")
      try fill("/proc/\(child.identity)/root\(disk)/filler", upTo: .max)
      let lost = { (fault: String) in
        fault.contains(option == nil ? "stderr: " : path) && fault.contains("No space left on device")
      }
      let isTold = try poll(within: 60) {
        // For the log and the state there has to be something to be kept; refused is what is reported on stderr.
        try peer.send("/visgraph/master", .float(Float.random(in: 0...1)))
        try peer.send("/visgraph/nothing")
        return try peer.faults().contains(where: lost)
      }
      #expect(isTold, "\(file): \(child.notes)")
      child.signal(SIGTERM)
      // What stderr does not take is nothing that was asked for.
      #expect(child.exitCode(within: 60) == (option == nil ? 0 : 1), "\(file): \(child.notes)")
      let end = child.notes.split(separator: "\n").last ?? ""
      #expect(
        option == nil || end.contains(path) && end.contains("No space left on device"), "\(child.notes)")
    }
  }

  /// Makes a file so long, or as long as there is room.
  private func fill(_ path: String, upTo count: Int) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(file >= 0)
    defer { close(file) }
    let piece = [UInt8](repeating: 1, count: 4096)
    var size = Int(lseek(file, 0, SEEK_END))
    while size < count, write(file, piece, piece.count) == piece.count { size += piece.count }
  }
}
