import Foundation
import Glibc
import TestSupport
import Testing

@testable import System
@testable import visgraph

/// A run as a service of systemd: what it sends the manager, and what the manager does about it.
@Suite(.blocking) struct ServiceTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    graph = try folder.write(
      """
      visgraph: 1
      name: Rack
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
      wires:
        - tone -> meter -> level -> rig

      """, to: "graph.yaml")
  }

  private func start(_ variables: [String: String]) throws -> Child {
    try Child(
      [Visgraph.path, "run", graph, "--host", "clock", "--control", "off", "--for", "600"],
      variables: variables)
  }

  @Test(arguments: [false, true])
  func `a show is ready with its first frame, and reports its state and its end`(
    isAbstract: Bool
  ) throws {
    // Where a thread is late by 0.75 s at the end, the process ends without it, and without a word to the manager.
    let wrong = try lastOf(3) { () -> [String]? in
      let lines = try reported(isAbstract)
      return lines.suffix(2) == ["STOPPING=1", "STATUS=ends"] ? nil : lines
    }
    #expect(wrong == nil)
  }

  /// What a show reports that is reloaded once and ends.
  private func reported(_ isAbstract: Bool) throws -> [String] {
    let manager = try NotifyEar(isAbstract: isAbstract)
    let before = ear.messages.count
    let child = try start(["NOTIFY_SOCKET": manager.name])
    #expect(poll { manager.lines.contains("READY=1") }, "\(child.notes)")
    #expect(poll { ear.messages.count > before })
    // On a busy machine a hint may follow.
    let status = "STATUS=Rack runs by the clock at 48000 Hz"
    #expect(poll { manager.lines.contains { $0.hasPrefix(status) } }, "\(manager.lines)")
    #expect(manager.lines.first == "STATUS=starts")
    // Nobody has asked for signs of life.
    #expect(manager.beats(of: child.identity).isEmpty)

    child.signal(SIGHUP)
    #expect(poll { manager.lines.filter { $0 == "READY=1" }.count == 2 }, "\(manager.lines)")
    #expect(manager.lines.contains("RELOADING=1"))

    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    // What was sent is there: its receiver may be late.
    _ = poll(within: 0.9) { manager.lines.last == "STATUS=ends" }
    #expect(manager.fault(in: child.identity) == nil)
    #expect(manager.notices.allSatisfy { $0.process == child.identity })
    return manager.lines
  }

  @Test func `a frame thread that hangs is ended with its lights out, and the next run begins`() throws {
    let manager = try NotifyEar()
    let allowed = 1.5
    let watched = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "\(Int(allowed * 1e6))"]
    let first = try start(
      watched.merging(["VISGRAPH_HANG_FRAMES": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 })
    #expect(poll { manager.beats(of: first.identity).count >= 2 }, "\(first.notes)")
    #expect(poll { ear.floats("/visgraph/rig/1").last ?? 0 > 0.5 })

    // The manager's part, as systemd.service(5) has it for WatchdogSec and Restart=on-failure.
    #expect(poll { now() - (manager.beats(of: first.identity).last?.time ?? now()) > allowed })
    #expect(!first.hasEnded)
    first.signal(SIGABRT)
    #expect(first.exitCode() == -SIGABRT)
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
    #expect(manager.fault(in: first.identity) == nil)

    let second = try start(watched)
    #expect(poll { ear.floats("/visgraph/rig/1").last ?? 0 > 0.5 }, "\(second.notes)")
    #expect(poll { manager.beats(of: second.identity).count >= 5 })
    second.signal(SIGTERM)
    #expect(second.exitCode() == 0)
    #expect(manager.fault(in: second.identity) == nil)
  }

  @Test
  func `watchdog messages come from the process that the manager named, and a missing manager stops nothing`()
    throws
  {
    var manager: NotifyEar? = try NotifyEar()
    let name = try #require(manager?.name)
    let child = try start(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": "1"])
    #expect(poll { manager?.lines.contains("READY=1") == true }, "\(child.notes)")
    #expect(stays(for: 0.5) { manager?.beats(of: child.identity).isEmpty == true })
    manager = nil
    unlink(name)
    let before = ear.messages.count
    #expect(poll { ear.messages.count > before + 100 })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(NotifySocket("relative") == nil && NotifySocket("@") == nil && NotifySocket("") == nil)
    #expect(NotifySocket("/" + String(repeating: "x", count: 200)) == nil)
  }

  @Test func `a graph that waits for its sound server is ready, because its lights are dark by then`() throws
  {
    let manager = try NotifyEar()
    let child = try Child(
      [
        Visgraph.path, "run", graph, "--host", "jack", "--server", "visgraph-nobody", "--control", "off",
      ], variables: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "600000", "JACK_NO_START_SERVER": "1"])
    #expect(poll { manager.lines.contains("READY=1") }, "\(child.notes)")
    #expect(poll { manager.beats(of: child.identity).count >= 5 })
    // A hint follows after some seconds.
    let status = "STATUS=Rack waits for the JACK server"
    #expect(poll { manager.lines.contains { $0.hasPrefix(status) } }, "\(manager.lines)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(manager.fault(in: child.identity) == nil)
  }

  // MARK: - The journal

  @Test func `every line for the journal begins with its priority, and lines elsewhere do not`() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var status = stat()
    try #require(fstat(ends[1], &status) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let stream = "\(status.st_dev):\(status.st_ino)"
    let child = try Child(
      [Visgraph.path, "run", graph, "--host", "clock", "--control", "off", "--for", "1"],
      variables: ["JOURNAL_STREAM": stream], files: [2: ends[1]])
    #expect(child.exitCode() == 0)
    let broken = try folder.write("visgraph: 1\nnodes: { a: { type: metre } }\n", to: "broken.yaml")
    let faulty = try Child(
      [Visgraph.path, "run", broken], variables: ["JOURNAL_STREAM": stream], files: [2: ends[1]])
    #expect(faulty.exitCode() == 2)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends[0], &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("<6>visgraph: runs by the clock") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("<3>") && $0.contains("error: ") }, "\(lines)")
    #expect(lines.allSatisfy { $0.firstMatch(of: /^<[346]>/) != nil }, "\(lines)")

    // Where stderr leads elsewhere by now, the variable is of no account.
    let other = try Child([Visgraph.path, "run", broken], variables: ["JOURNAL_STREAM": stream])
    #expect(other.exitCode() == 2)
    #expect(!other.notes.contains("<3>"))
  }

  // MARK: - Limits

  @Test func `missing real-time rights are one line with the command that grants them`() throws {
    let none = RealTimeLimits(hasPriority: false, hasMemoryLock: false)
    #expect(
      RealTimeNote.sentence(none, locksMemory: true, isService: false, user: "ada") == """
        the system does not allow real-time priority and locking memory, and a busy machine may interrupt sound and \
        light: as root `printf '@audio - rtprio 95\\n@audio - memlock unlimited\\n' > \
        /etc/security/limits.d/audio.conf && usermod -aG audio ada`, then log in again
        """)
    let fine = RealTimeLimits(hasPriority: true, hasMemoryLock: false)
    #expect(RealTimeNote.sentence(fine, locksMemory: false, isService: false, user: "ada") == nil)
    let service = RealTimeNote.sentence(fine, locksMemory: true, isService: true, user: "ada")
    #expect(service?.contains("allow locking memory, and") == true)
    #expect(service?.contains("`systemctl edit`") == true)

    // A process that may do neither, also where root runs the tests.
    let isRoot = getuid() == 0
    let bound = ["setpriv", "--bounding-set", "-sys_nice,-ipc_lock", "--inh-caps", "-sys_nice,-ipc_lock"]
    let child = try Child(
      (isRoot ? bound : []) + ["prlimit", "--rtprio=0", "--memlock=65536"]
        + [Visgraph.path, "run", graph, "--host", "clock", "--control", "off", "--for", "0.2"])
    #expect(child.exitCode() == 0, "\(child.notes)")
    let lines = child.notes.split(separator: "\n").filter { $0.contains("does not allow") }
    #expect(lines.count == 1, "\(child.notes)")
    #expect(lines.first?.hasPrefix("visgraph: the system does not allow real-time priority, and") == true)
  }
}
