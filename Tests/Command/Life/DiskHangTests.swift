import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A disk that hangs below a running show, and a pipe that nobody reads.
@Suite(.serialized, .blocking) struct DiskHangTests {
  private let rig: Rig

  /// A show with a light that falls so slowly that it goes out by a blackout alone.
  private struct Rig {
    let folder: TemporaryFolder
    let ear: OscReceiver
    let graph: String

    init() throws {
      folder = try TemporaryFolder()
      ear = try OscReceiver()
      graph = try folder.write(
        """
        visgraph: 1
        nodes:
          tone: { type: tone-source, level: -6 dB, channels: 64 }
          meter: { type: meter, release: 600 s }
          level: { type: meter-table }
          rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.1 s }
        wires: [tone -> meter -> level -> rig]

        """, to: "graph.yaml")
    }

    var newest: Float? { ear.floats("/visgraph/rig/1").last }
  }

  init() throws { rig = try Rig() }

  @Test(.enabled(if: FrozenDisk.isPossible, "needs root, a loop device and fsfreeze"))
  func `a disk that hangs is reported, delays neither lights nor the end, and is written when it goes on`()
    throws
  {
    let disk = try FrozenDisk(rig.folder.file("disk"))
    let child = try Child(
      disk.namespaces.command([
        Visgraph.path, "run", rig.graph, "--host", "clock", "--for", "600", "--levels",
        disk.path + "/levels.csv", "--state", disk.path + "/show.state", "--log-control",
        disk.path + "/control.log",
      ]))
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 60) { rig.newest ?? 0 > 0.5 }, "\(child.notes)")
    // A disk of a busy machine may take nothing for a while by itself.
    #expect(try poll(within: 60) { try peer.faults() == [] }, "\(child.notes)")
    let faults = [
      "\(disk.path)/levels.csv has taken nothing for",
      "the state is not kept: \(disk.path)/show.state has taken nothing for",
      "\(disk.path)/control.log has taken nothing for",
    ]
    func isTold() throws -> Bool {
      try poll(within: 60) {
        // So that there is a state to be kept.
        try peer.send("/visgraph/master", .float(Float.random(in: 0.8...1)))
        let told = try peer.faults()
        return faults.allSatisfy { fault in told.contains { $0.hasPrefix(fault) } }
      }
    }
    try disk.freeze(below: child)
    #expect(try isTold(), "\(child.notes)")
    for fault in faults { #expect(child.says(fault), "\(child.notes)") }
    let dark = try shortest(of: 10, below: 0.1) {
      let start = now()
      try peer.send("/visgraph/blackout", .int(1))
      #expect(poll { rig.newest == 0 })
      let seconds = now() - start
      try peer.send("/visgraph/blackout", .int(0))
      #expect(poll { rig.newest ?? 0 > 0.4 })
      return seconds
    }
    #expect(dark < 0.1)
    try disk.thaw()
    #expect(try poll(within: 60) { try peer.faults() == [] }, "\(child.notes)")
    #expect(child.says("levels.csv is written again", within: 60), "\(child.notes)")

    try disk.freeze(below: child)
    #expect(try isTold(), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(poll { rig.newest == 0 })
    #expect(child.says("levels.csv: ", within: 60), "\(child.notes)")
    // The kernel keeps a process whose thread waits for such a disk.
    try disk.thaw()
    #expect(child.exitCode(within: 60) == 1, "\(child.notes)")
  }

  @Test func `a pipe without a reader is a fault until it is read`() throws {
    let pipe = rig.folder.file("levels.csv")
    #expect(mkfifo(pipe, 0o600) == 0)
    let child = try Visgraph.start("run", rig.graph, "--host", "clock", "--for", "600", "--levels", pipe)
    let peer = try ControlPeer(try child.controlPort())
    let isStuck = try poll(within: 60) {
      try peer.faults().contains {
        $0.hasPrefix("\(pipe) has taken nothing for ") && $0.hasSuffix(" s; levels wait")
      }
    }
    #expect(isStuck, "\(child.notes)")
    #expect(child.says("levels.csv has taken nothing for "), "\(child.notes)")
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let isWell = try poll(within: 60) {
      while read(reader, &bytes, bytes.count) > 0 {}
      return try peer.faults() == []
    }
    #expect(isWell, "\(child.notes)")
  }
}

/// A file system of its own that can be frozen by fsfreeze(8): a writer there waits, as where a disk hangs.
final class FrozenDisk {
  /// Where it is mounted, for those who are started in its namespaces.
  let path: String
  let namespaces: Namespaces
  private var holder: (child: Child, leash: Int32)?

  /// Whether this user and this machine can.
  static let isPossible =
    geteuid() == 0 && access("/dev/loop-control", W_OK) == 0 && access("/sbin/fsfreeze", X_OK) == 0
    && access("/sbin/mkfs.ext4", X_OK) == 0

  /// Makes one of 64 MB, to be mounted at a folder that it makes.
  init(_ path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let image = path + ".img"
    let maker = try Child(["sh", "-c", "truncate -s 64M \"$0\" && /sbin/mkfs.ext4 -q \"$0\"", image])
    guard maker.exitCode() == 0 else { throw Child.Failure(description: "no file system: \(maker.notes)") }
    // Root of a namespace of users may not mount a device.
    namespaces = Namespaces(mounts: ["-o loop '\(image)' '\(path)'"], keepsUser: true)
  }

  deinit { try? thaw() }

  /// Freezes it until it is thawed, or this process ends.
  func freeze(below child: Child) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Child.Failure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let script =
      "cd \"$0\" && /sbin/fsfreeze -f . && echo frozen && cat >/dev/null; /sbin/fsfreeze -u . && echo thawed"
    let freezer = try Child(
      ["sh", "-c", script, "/proc/\(child.identity)/root\(path)"], files: [0: ends[0]])
    holder = (freezer, ends[1])
    guard poll(within: 30, until: { freezer.results == "frozen\n" }) else {
      throw Child.Failure(description: "not frozen: \(freezer.notes)")
    }
  }

  /// Lets it go on.
  func thaw() throws {
    guard let (freezer, leash) = holder else { return }
    holder = nil
    close(leash)
    guard freezer.exitCode(within: 30) == 0 else {
      throw Child.Failure(description: "not thawed: \(freezer.notes)")
    }
  }
}
