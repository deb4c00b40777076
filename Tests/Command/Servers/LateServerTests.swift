import Foundation
import OSC
import TestSupport
import Testing

/// Runs that begin before their sound server, and servers that take their time to refuse a client.
@Suite(.serialized, .blockingInJack) struct LateServerTests {
  @Test func `a run by the timer moves to a server that starts later, at its rate, and to the next one`()
    throws
  {
    var length = 12
    // A busy machine may take longer for the servers than the run lasts: then a longer one is made.
    let tooShort = try lastOf(4) { () -> String? in
      defer { length *= 3 }
      return try moves(seconds: length)
    }
    #expect(tooShort == nil)
  }

  /// Checks a run of that length. Returns its notes if it was over before both servers had been there.
  private func moves(seconds: Int) throws -> String? {
    let rig = try LitRig()
    let levels = rig.folder.file("levels.csv")
    var settings = JackServer.Settings()
    settings.rate = 44100
    let server = try JackServer(settings, isStarted: false)
    let child = try Visgraph.start(
      "run", try rig.graph(), "--server", server.name, "--for", "\(seconds)", "--levels", levels, "-v")
    #expect(
      child.says("visgraph: no JACK server answers: a timer runs the engine at 48000 Hz until one does\n"),
      "\(child.notes)")
    let peer = try ControlPeer(try child.controlPort())
    #expect(rig.isLit(within: 10) && poll { LevelRows(levels).count > 60 }, "\(child.notes)")
    if child.hasEnded { return notesOfEnded(child) }
    let unheard = "no JACK server answers: a timer runs the engine, and the sound is not heard"
    #expect(poll { child.hasEnded || (try? peer.faults()) == [unheard] })
    try server.start()
    let isThere = child.says(
      "visgraph: a JACK server is there, and runs the engine in the place of the timer\n")
    if child.hasEnded { return notesOfEnded(child) }
    #expect(isThere, "\(child.notes)")
    #expect(child.says("JACK client \"visgraph\", 44100 Hz, 256 samples a cycle"), "\(child.notes)")
    try Self.isHeard(server, orHasEnded: child)
    #expect(poll { child.hasEnded || (try? peer.faults()) == [] })
    // From now on it is as one that was there from the beginning.
    server.kill()
    let hasGone = child.says("the JACK server has gone; waiting for it to return")
    if child.hasEnded { return notesOfEnded(child) }
    #expect(hasGone, "\(child.notes)")
    server.settings.rate = 48000
    try server.start()
    let isBack = child.says("the JACK server is back")
    if child.hasEnded { return notesOfEnded(child) }
    #expect(isBack, "\(child.notes)")
    try Self.isHeard(server, orHasEnded: child)
    if child.hasEnded { return notesOfEnded(child) }
    #expect(child.exitCode(within: Double(seconds) + 60) == 0, "\(child.notes) \(child.threads)")
    #expect(poll { rig.ear.messages.last?.float == 0 })
    let rows = LevelRows(levels)
    #expect(rows.isConsecutive(of: child), "\(child.notes)")
    #expect(rows.isEven(within: 0.5))
    #expect(
      abs((rows.times.last ?? 0) - Double(seconds)) < 1.5 / 60, "\(rows.times.suffix(3)) \(child.notes)")
    return nil
  }

  /// The notes of a run that is over, which must not have failed.
  private func notesOfEnded(_ child: Child) -> String {
    #expect(child.exitCode() == 0, "\(child.notes)")
    return child.notes
  }

  @Test(arguments: [["--host", "auto", "--no-wait"], ["--host", "clock"]])
  func `a run that waits for no server stays with the timer`(options: [String]) throws {
    let rig = try LitRig()
    let server = try JackServer(isStarted: false)
    let child = try Child([Visgraph.path, "run", try rig.graph(), "--server", server.name] + options)
    #expect(rig.isLit(within: 10), "\(child.notes)")
    try server.start()
    let listener = try JackPeer(JackTurn.clientName("listener"), server: server.name, inputs: 1)
    #expect(stays(for: 1.5) { listener.ports(of: "visgraph") == [] })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0 && !child.notes.contains("a JACK server is there"), "\(child.notes)")
  }

  @Test func `a server at a rate that the graph does not support leaves the show to the timer`() throws {
    let rig = try LitRig()
    let path = try rig.graph()
    _ = try rig.folder.write(
      try String(contentsOfFile: path, encoding: .utf8).replacing(
        "fps: 60", with: "fps: 60\nrequires: { rates: [48000] }"), to: "graph.yaml")
    var settings = JackServer.Settings()
    settings.rate = 44100
    let server = try JackServer(settings, isStarted: false)
    let child = try Visgraph.start("run", path, "--server", server.name)
    #expect(rig.isLit(within: 10), "\(child.notes)")
    try server.start()
    let line =
      "a JACK server is there, but the graph requires a sample rate of 48000 Hz, not 44100 Hz: the timer goes on"
    #expect(child.says(line), "\(child.notes)")
    let count = rig.ear.messages.count
    #expect(poll { rig.ear.messages.count > count + 20 } && rig.ear.messages.last?.float ?? 0 > 0.5)
    server.kill()
    server.settings.rate = 48000
    try server.start()
    #expect(child.says("a JACK server is there, and runs the engine"), "\(child.notes)")
    #expect(child.notes.components(separatedBy: line).count == 2, "\(child.notes)")
    try Self.isHeard(server)
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0, "\(child.notes)")
  }

  @Test(arguments: ["auto", "jack"])
  func `a taken client name ends a run that requires it, however late the server answers`(host: String)
    throws
  {
    let rig = try LitRig()
    let server = try JackServer()
    let other = try JackPeer(JackTurn.clientName("other"), server: server.name, inputs: 1)
    server.freeze(true)
    let child = try Visgraph.start(
      "run", try rig.graph(), "--host", host, "--server", server.name, "--client", other.name, "--exact-name")
    #expect(child.says("does not answer."), "\(child.notes)")
    server.freeze(false)
    #expect(child.exitCode(within: 60) == 1, "\(child.notes)")
    #expect(
      child.notes.hasSuffix(
        "visgraph: another JACK client is called \"\(other.name)\". Stop it, or give another name with --client\n"
      ),
      "\(child.notes)")
    #expect(poll { rig.ear.messages.last?.float == 0 })
  }

  /// That the output of the graph is in the server, and sounds there; or that the run is over.
  private static func isHeard(_ server: JackServer, orHasEnded child: Child? = nil) throws {
    let listener = try JackPeer(JackTurn.clientName("listener"), server: server.name, inputs: 1)
    #expect(poll { child?.hasEnded == true || listener.ports(of: "visgraph") == ["visgraph:out_1"] })
    // Refused as long as the host only has its ports, and runs no cycles yet.
    #expect(
      poll {
        listener.connect("visgraph:out_1", "\(listener.name):in_1")
        return child?.hasEnded == true || listener.heard != 0
      })
  }
}
