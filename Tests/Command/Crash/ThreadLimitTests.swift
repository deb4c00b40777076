import Glibc
import TestSupport
import Testing

/// A system that has too few threads, or too little address space, for a show.
@Suite(.serialized, .blocking) struct ThreadLimitTests {
  /// What starts a program as a user whose processes are limited: the limit does not hold for the superuser.
  static func limited(to count: Int) -> [String] {
    let user =
      geteuid() == 0
      ? ["setpriv", "--reuid=\(50_000 + getpid() % 10_000)", "--clear-groups"]
      : ["unshare", "--user", "--map-current-user"]
    return user + ["prlimit", "--nproc=\(count)"]
  }

  /// What starts a program with so much address space.
  private static func limited(megabytes: Int) -> [String] {
    ["prlimit", "--stack=8388608", "--as=\(megabytes << 20)"]
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a show of a second by a command that limits it.
  private func start(_ command: [String], to ear: OscReceiver) throws -> Child {
    let graph = try folder.write(graph(to: ear), to: "graph.yaml")
    return try Child(command + [Visgraph.path, "run", graph, "--host", "clock", "--for", "1"])
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 12, 20])
  func `with too few threads a show does not begin, and reports that in a sentence`(count: Int) throws {
    let ear = try OscReceiver()
    let child = try start(Self.limited(to: count), to: ear)
    #expect(child.exitCode() == 1, "\(child.notes)")
    #expect(
      child.notes == "visgraph: the system gives \(count - 1) more threads, and a show needs 24: "
        + "raise the limit of processes (ulimit -u, TasksMax=) or of address space (ulimit -v)\n")
    #expect(ear.messages.isEmpty)
  }

  @Test(arguments: [80, 120, 160, 200, 240])
  func `with too little address space a show does not begin either`(megabytes: Int) throws {
    let ear = try OscReceiver()
    let child = try start(Self.limited(megabytes: megabytes), to: ear)
    #expect(child.exitCode() == 1, "\(child.notes)")
    #expect(
      child.notes.hasPrefix("visgraph: the system gives ") && child.notes.hasSuffix("(ulimit -v)\n"))
    #expect(child.notes.split(separator: "\n").count == 1)
    #expect(ear.messages.isEmpty)
  }

  @Test(arguments: [400, 800])
  func `with enough address space a show runs to its end`(megabytes: Int) throws {
    let ear = try OscReceiver()
    let child = try start(Self.limited(megabytes: megabytes), to: ear)
    #expect(child.exitCode() == 0, "\(child.notes)")
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 })
  }

  private func graph(to ear: OscReceiver) -> String {
    """
    visgraph: 1
    nodes:
      tone: { type: tone-source, level: -6 }
      meter: { type: meter }
      level: { type: meter-table }
      rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
    wires: [tone -> meter -> level -> rig]

    """
  }
}
