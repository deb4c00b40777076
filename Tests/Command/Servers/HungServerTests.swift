import Controls
import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// Lights, blackout and the end while a sound server hangs, and what lasts when one is back.
@Suite(.serialized, .blockingInJack) struct HungServerTests {
  @Test func `while the server hangs lights follow the timer, a blackout is sent, and that is reported`()
    throws
  {
    let rig = try LitRig()
    let server = try JackServer()
    // It falls so slowly that a light goes out by a blackout alone.
    let path = try rig.graph(release: "600 s")
    let child = try Visgraph.start("run", path, "--host", "jack", "--server", server.name)
    let peer = try ControlPeer(try child.controlPort())
    #expect(rig.isLit(within: 10), "\(child.notes)")
    _ = try rig.folder.write(
      try String(contentsOfFile: path, encoding: .utf8).replacing(
        "wires:", with: "  more: { type: jack-output }\nwires:\n  - tone -> more"), to: "graph.yaml")
    server.freeze(true)
    defer { server.freeze(false) }
    // A port is asked for before anybody knows that the server hangs.
    try peer.send("/visgraph/graph/reload")
    #expect(try rig.goesDark(within: 1) { try peer.send("/visgraph/blackout", .int(1)) })
    #expect(child.says("the JACK server runs no cycles; a timer drives the lights"), "\(child.notes)")
    try peer.send("/visgraph/blackout", .int(0))
    #expect(rig.isLit(within: 1))
    #expect(try rig.blackout(peer) < 0.05)
    let before = peer.answers.count
    try peer.send("/visgraph/status")
    #expect(poll { peer.answers.dropFirst(before).contains { $0.address == "/visgraph/status/blackout" } })
    let start = now()
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    // A second on a machine that is not busy; a client that waits for the server waits until it is let go.
    #expect(now() - start < 60)
    #expect(poll { rig.ear.messages.last?.float == 0 })
  }

  @Test func `a recording is completed although the server hangs`() throws {
    // An end by a signal has less than a second for its files, which a busy machine may need for something else.
    let wrong = try lastOf(4) { try completes() }
    #expect(wrong == nil)
  }

  /// What is wrong with the end of a recording; nil: nothing.
  private func completes() throws -> String? {
    let rig = try LitRig()
    let server = try JackServer()
    let file = rig.folder.file("show.osc")
    let child = try Visgraph.start(
      "run", try rig.graph(), "--host", "jack", "--server", server.name, "--record-control", file)
    let peer = try ControlPeer(try child.controlPort())
    #expect(rig.isLit(within: 60), "\(child.notes)")
    server.freeze(true)
    defer { server.freeze(false) }
    #expect(child.says("the JACK server runs no cycles", within: 60), "\(child.notes)")
    try peer.send("/visgraph/master", .float(0.25))
    let moved = Message("/visgraph/master", .float(0.25))
    #expect(poll(within: 60) { bytes(of: file).count > 60 }, "\(child.notes)")
    child.signal(SIGTERM)
    let code = child.exitCode(within: 60)
    guard code == 0, let score = try? ControlScore(path: file), score.end != nil else {
      return "\(code as Any): \(child.notes)"
    }
    #expect(score.entries.contains { $0.messages == [moved] })
    return nil
  }

  @Test(arguments: ["auto", "jack"])
  func `a server that does not answer at the start delays no light, and is reported`(host: String) throws {
    let rig = try LitRig()
    let server = try JackServer()
    server.freeze(true)
    defer { server.freeze(false) }
    let child = try Visgraph.start("run", try rig.graph(), "--host", host, "--server", server.name)
    // A client that waits for the server's answer waits for ever.
    #expect(poll(within: 20) { !rig.ear.messages.isEmpty })
    #expect(rig.ear.messages.first?.float == 0)
    #expect(child.says("the JACK server \"\(server.name)\" does not answer."), "\(child.notes)")
    if host == "auto" {
      #expect(child.says("a timer runs the engine at 48000 Hz"))
      #expect(rig.isLit(within: 5))
    }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    #expect(poll { rig.ear.messages.last?.float == 0 })
  }

  @Test func `a server back at another rate keeps track, place, volume and pause`() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 20)), to: "\(name).wav")
    }
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: [one.wav, two.wav] }
        out: { type: jack-output }
        meter: { type: meter }
      wires: [song -> out, song -> meter]

      """, to: "graph.yaml")
    var settings = JackServer.Settings()
    settings.rate = 44100
    let server = try JackServer(settings)
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { (try? Self.status(peer)["track"]) == [.int(1)] }, "\(child.notes)")
    // Sent until they act: UDP may lose them, such as where a busy machine does not take them in time.
    let isChosen = try poll {
      try peer.send("/visgraph/transport/track", .int(2))
      return (try? Self.status(peer)["track"]) == [.int(2)]
    }
    #expect(isChosen, "\(child.notes)")
    let isSet = try poll {
      try peer.send("/visgraph/transport/volume", .float(0.3))
      try peer.send("/visgraph/transport/pause")
      try peer.send("/visgraph/transport/seek", .float(5))
      return (try? Self.status(peer)["currentTime"]) == [.double(5)]
    }
    #expect(isSet, "\(child.notes)")
    for (round, rate) in [48000, 96000, 44100].enumerated() {
      server.kill()
      server.settings.rate = rate
      try server.start()
      // The line of the log may be missed on a busy machine: a server that is back at once was never away.
      #expect(
        poll(within: 20) { (try? Self.rate(peer)) == [.int(Int32(rate))] },
        "\(child.exitCode(within: 0.1) as Any) \(child.notes) \(child.threads)")
      #expect(poll { (try? Self.status(peer)["interrupted"]) == [.int(0)] }, "\(child.notes)")
      #expect(stays(for: 0.5) { (try? Self.status(peer)["playing"]) ?? [.int(0)] == [.int(0)] })
      let reported = try Self.status(peer)
      #expect(
        reported["track"] == [.int(2)] && reported["tracks"] == [.int(2)],
        "round \(round): \(reported) \(child.notes)")
      #expect(reported["volume"] == [.float(0.3)] && reported["playing"] == [.int(0)], "round \(round)")
      guard case .double(let time)? = reported["currentTime"]?.first else {
        Issue.record("round \(round): \(child.exitCode(within: 0.1) as Any)")
        return
      }
      #expect(abs(time - 5) < 0.02, "round \(round)")
    }
    #expect(child.endsWell(), "\(child.notes)")
    // Seconds add up, whatever the rate.
    let rows = LevelRows(levels)
    #expect(rows.isConsecutive(of: child), "\(child.notes)")
    // Seconds that were counted at another rate are a step of many frames, or back.
    #expect(rows.isEven(within: 0.5))
  }

  @Test func `a run ends at its length, although the server comes back at other rates`() throws {
    // A busy machine may take longer for the servers than the run lasts: then a longer one is made.
    var length = 8
    let tooShort = try lastOf(4) { () -> String? in
      defer { length *= 3 }
      return try ends(after: length)
    }
    #expect(tooShort == nil)
  }

  /// Checks a run of that length. Returns its notes if it was over before all servers had been there.
  private func ends(after length: Int) throws -> String? {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes: { tone: { type: tone-source }, out: { type: jack-output }, meter: { type: meter } }
      wires: [tone -> out, tone -> meter]

      """, to: "graph.yaml")
    var settings = JackServer.Settings()
    (settings.rate, settings.period) = (44100, 64)
    let server = try JackServer(settings)
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--for", "\(length)", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    // At the rate of the end alone the first second would be 5.5, at that of the beginning the last five 28.
    for (seconds, rate) in [(1.0, 96000), (3.0, 8000)] {
      #expect(poll(within: 20) { LevelRows(levels).times.last ?? 0 >= seconds }, "\(child.notes)")
      server.kill()
      server.settings.rate = rate
      try server.start()
      let isThere = poll(within: 20) { child.hasEnded || (try? Self.rate(peer)) == [.int(Int32(rate))] }
      if child.hasEnded {
        #expect(child.exitCode() == 0, "\(child.notes)")
        return child.notes
      }
      #expect(isThere, "\(child.notes)")
    }
    #expect(child.exitCode(within: Double(length) + 20) == 0, "\(child.notes)")
    let rows = LevelRows(levels)
    #expect(rows.isConsecutive(of: child), "\(child.notes)")
    #expect(zip(rows.times, rows.times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(
      abs((rows.times.last ?? 0) - Double(length)) < 1.5 / 60, "\(rows.times.suffix(3)) \(child.notes)")
    return nil
  }

  /// The newest answer about the server's rate.
  private static func rate(_ peer: ControlPeer) throws -> [Argument]? {
    let address = "/visgraph/status/rate"
    return try peer.status(with: address, within: 2).last { $0.address == address }?.arguments
  }

  /// The newest answers about the player.
  private static func status(_ peer: ControlPeer) throws -> [String: [Argument]] {
    let node = "/visgraph/status/node/song/"
    let reported = try peer.status(with: node + "underruns", within: 2).filter { $0.address.hasPrefix(node) }
    return Dictionary(
      reported.map { (String($0.address.dropFirst(node.utf8.count)), $0.arguments) }, uniquingKeysWith: { $1 }
    )
  }
}
