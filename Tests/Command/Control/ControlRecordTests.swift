import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// `--log-control FILE`: all that comes to the control port, a line each.
@Suite(.blocking) struct ControlRecordTests {
  private let folder: TemporaryFolder
  private let graph: String

  init() throws {
    folder = try TemporaryFolder()
    graph = try folder.write(
      """
      visgraph: 1
      nodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
  }

  private func start(_ file: String) throws -> Child {
    try Visgraph.start("run", graph, "--host", "clock", "--for", "120", "--log-control", file)
  }

  private func lines(_ file: String) -> [String] {
    String(decoding: bytes(of: file), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `every message is logged, accepted or refused, with its time and sender, after the old log`()
    throws
  {
    let file = try folder.write("of yesterday\n", to: "control.log")
    let child = try start(file)
    let peer = try ControlPeer(try child.controlPort())
    let begin = now()
    try peer.send("/visgraph/master", .float(0.5))
    // More of a sort than the log on the screen shows in a second.
    for number in 1...40 { try peer.send("/visgraph/node/gain/gain", .int(Int32(-number))) }
    for _ in 1...40 { try peer.send("/visgraph/mastr", .float(1)) }
    try peer.send("/visgraph/node/gain/gain", .string("loud\nand new"))
    peer.send(bytes: Array("no packet".utf8))
    #expect(poll(within: 20) { lines(file).count == 1 + 1 + 40 + 40 + 1 + 1 + 1 }, "\(lines(file))")
    let seconds = Int(now() - begin)
    #expect(child.endsWell(), "\(child.notes)")
    let all = lines(file)
    #expect(all.first == "of yesterday")
    let day =
      /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z (.*) of 127\.0\.0\.1:([0-9]+)(.*)$/
    var reported: [String] = []
    var peers: Set<Substring> = []
    for line in all.dropFirst() {
      let match = try #require(line.wholeMatch(of: day), "\(line)")
      reported.append("\(match.1)\(match.3)")
      peers.insert(match.2)
    }
    #expect(peers.count == 1)
    #expect(reported.first == "/visgraph/master 0.5")
    for number in 1...40 { #expect(reported.count { $0 == "/visgraph/node/gain/gain -\(number)" } == 1) }
    let refused =
      "/visgraph/mastr is refused: nothing is called /visgraph/mastr; did you mean /visgraph/master? [control-address]"
    #expect(reported.count { $0 == refused } == 40)
    #expect(reported.contains { $0.hasPrefix("a packet is refused: ") }, "\(reported)")
    // What is carried out may still be refused when its turn comes: then both stand there.
    #expect(
      reported.count { $0.hasPrefix("/visgraph/node/gain/gain") && $0.contains("loud") } == 2, "\(reported)")
    // No message writes a line of its own making.
    #expect(!all.contains { $0.hasPrefix("and new") })
    let shown = child.notes.components(separatedBy: "/visgraph/mastr of").count
    #expect(shown < 10 * (1 + seconds), "\(shown) in \(seconds) s")
  }

  @Test(arguments: [false, true])
  func `a live run prints refusals, and with -v also accepted messages`(all: Bool) throws {
    let child = try Visgraph.start(
      "run", graph, "--host", "clock", "--for", "120", all ? "-v" : "--control=on")
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/master", .float(0.5))
    try peer.send("/visgraph/mastr", .float(0.25))
    #expect(child.says("control: /visgraph/mastr of 127.0.0.1:"), "\(child.notes)")
    #expect(
      child.notes.contains(" is refused: nothing is called /visgraph/mastr; did you mean /visgraph/master?"))
    #expect(child.notes.contains("control: /visgraph/master 0.5 of 127.0.0.1:") == all, "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 10) == 0, "\(child.notes)")
  }

  @Test func `the screen of a run shows refusals, and with -v also accepted messages`() throws {
    let port = try OscReceiver.closedPort()
    // Wide enough for each in a row.
    let terminal = try PseudoTerminal(columns: 200, rows: 24)
    var environment = ["TERM=xterm", "LANG=C.UTF-8"]
    for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
      if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
    }
    try terminal.start(
      [Visgraph.path, "run", graph, "--host", "clock", "--for", "120", "-v", "--control", "\(port)"],
      environment, prints: true)
    #expect(terminal.shows("127.0.0.1:\(port)"), "\(terminal.output)")
    let peer = try ControlPeer(port)
    try peer.send("/visgraph/master", .float(0.5))
    #expect(terminal.shows("control: /visgraph/master 0.5 of 127.0.0.1:"), "\(terminal.output)")
    try peer.send("/visgraph/mastr", .float(0.25))
    #expect(terminal.shows("control: /visgraph/mastr of 127.0.0.1:"), "\(terminal.output)")
    #expect(terminal.shows(" is refused: nothing is called /visgraph/mastr; did you mean /visgraph/master?"))
    terminal.type("q")
    #expect(terminal.end() == 0)
  }

  @Test func `a full disk is reported while the show goes on`() throws {
    let file = folder.file("control.log")
    // Where a thread is late by 0.75 s at the end, the process ends without it and its last line.
    let wrong = try lastOf(3) { () -> String? in
      let said = try notes(onFullDisk: file)
      return said.contains(/control\.log: No space left on device; [0-9]+ messages? (is|are) missing\n/)
        ? nil : said
    }
    #expect(wrong == nil)
  }

  /// What a run says whose log takes nothing.
  private func notes(onFullDisk file: String) throws -> String {
    unlink(file)
    #expect(symlink("/dev/full", file) == 0)
    let child = try start(file)
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/master", .float(0.5))
    #expect(child.says("control.log: No space left on device; messages wait for room\n"), "\(child.notes)")
    #expect(!child.hasEnded)
    // Messages are carried out all the same.
    #expect(
      try !peer.status(with: "/visgraph/status/master").filter {
        $0.address == "/visgraph/status/master" && $0.arguments.first == .float(0.5)
      }.isEmpty)
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 10) == 1)
    return child.notes
  }

  @Test(arguments: [
    ("none/control.log", "No such file or directory"), ("graph.yaml/control.log", "Not a directory"),
    ("", "Is a directory"),
  ])
  func `a file that cannot be written is a fault before anything is lit`(name: String, reason: String) throws
  {
    let file = name.isEmpty ? folder.path : folder.file(name)
    let child = try start(file)
    #expect(child.exitCode() == 1)
    #expect(child.notes == "visgraph: --log-control \(file): \(reason)\n", "\(child.notes)")
  }
}
