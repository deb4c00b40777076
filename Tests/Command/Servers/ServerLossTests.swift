import Glibc
import OSC
import TestSupport
import Testing

/// The sound server goes and comes back; the show goes on.
@Suite(.serialized, .blockingInJack) struct ServerLossTests {
  @Test func `after a restart ports, connections, levels and frame numbers are there again`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let server = try JackServer()
    let name = JackTurn.clientName("tone")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        in: { type: jack-input, connect: ["\(name):out_1", "\(name):out_2"] }
        meter: { type: meter, release: 0.3 s }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
        out: { type: jack-output }
      wires:
        - in -> meter -> level -> rig
        - in -> out

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--for", "1000", "--levels", levels)
    let ports = ["in_1", "in_2", "out_1", "out_2"].map { "visgraph:\($0)" }
    let inputs = [name + ":out_1", name + ":out_2"]
    let playbacks = ["system:playback_1", "system:playback_2"]
    var longestPause = 0.0
    for round in 1...3 {
      do {
        let tone = try JackPeer(name, server: server.name, outputs: 2, sound: .silence)
        #expect(poll(within: 10) { tone.ports(of: "visgraph") == ports }, "round \(round): \(child.notes)")
        #expect(
          poll(within: 10) {
            ports.flatMap { tone.connections($0) } == inputs + playbacks
          }, "round \(round): \(child.notes)")
        let before = ear.messages.count
        tone.play(.tone, on: 1)
        #expect(poll { ear.messages.dropFirst(before).contains { $0.float ?? 0 > 0.7 } }, "round \(round)")
        if round == 3 {
          // The last leaves nothing on: asked to end, it puts the lights out.
          #expect(child.endsWell(), "\(child.notes)")
          longestPause = max(longestPause, tone.longestPause)
          break
        }
        longestPause = max(longestPause, tone.longestPause)
        round == 1 ? server.kill() : server.terminate()
      }
      #expect(child.says("the JACK server has gone", times: round), "\(child.notes)")
      // Nothing arrives any more: the level falls by its own release, down to an exact 0.
      #expect(poll(within: 10) { ear.floats("/visgraph/rig/1").last == 0 }, "round \(round)")
      try server.start()
      #expect(child.says("the JACK server is back", times: round), "\(child.notes)")
    }
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 })
    let rows = LevelRows(levels)
    #expect(
      rows.isConsecutive(of: child), "\(zip(rows.frames, rows.frames.dropFirst()).filter { $1 != $0 + 1 })")
    #expect(zip(rows.times, rows.times.dropFirst()).allSatisfy { $0 <= $1 })
    // Three times up, and between them down to exact 0; the fall goes on frame by frame.
    var ups = 0
    var isUp = false
    for level in rows["level/1"] {
      if level > 0.7 && !isUp { (ups, isUp) = (ups + 1, true) }
      if level == 0 { isUp = false }
    }
    // Where a busy server runs no cycle for 0.2 s, the level falls and is up again when it goes on.
    #expect(ups == 3 || ups > 3 && longestPause > 0.2, "\(ups): \(child.notes)")
    #expect(rows["meter/1"].contains { $0 < -20 && $0 > -140 })
    #expect(rows["level/2"].allSatisfy { $0 == 0 })
    let lines = child.notes.split(separator: "\n")
    #expect(lines.filter { $0.contains("waiting for it to return") }.count == 2, "\(child.notes)")
    #expect(!child.notes.contains("libjack"), "\(child.notes)")
  }

  @Test func `a run waits for a server, reports that once, and a signal ends the wait`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\nnodes:\n  tone: { type: tone-source }\n  out: { type: jack-output }\nwires: [tone -> out]\n",
      to: "graph.yaml")
    let server = try JackServer(isStarted: false)
    let child = try Visgraph.start("run", graph, "--host", "jack", "--server", server.name)
    let lines =
      "visgraph: waiting for the JACK server\nvisgraph: no JACK server answers: start one (qjackctl, or jackd -d alsa),"
      + " or quit and use --host clock\n"
    #expect(poll(within: 10) { child.notes.hasSuffix(lines) })
    let notes = child.notes
    #expect(stays(for: 1.5) { child.notes == notes })
    try server.start()
    #expect(child.says("JACK client \"visgraph\", 48000 Hz, 256 samples a cycle"), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0)

    let seconds = try shortest(below: 1) {
      let waiting = try Visgraph.start("run", graph, "--host", "jack", "--server", server.name + "-never")
      #expect(waiting.says("waiting for the JACK server"))
      let start = now()
      waiting.signal(SIGTERM)
      #expect(waiting.exitCode() == 0, "\(waiting.notes)")
      return now() - start
    }
    #expect(seconds < 1)
  }

  @Test func `a blackout before there is a server is in effect when the server starts`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, level: -6 dB }
        beat: { type: tone-source, tone: impulses, frequency: 8, level: 0 }
        out: { type: jack-output }
        meter: { type: meter, release: 0 }
        level: { type: meter-table }
        hit: { type: trigger, above: -12, gap: 0 }
        peak: { type: meter, release: 0 }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.1 s }
        raw: { type: osc-output, to: "127.0.0.1:\(ear.port)", repeat: 0.1 s }
      wires:
        - tone -> out
        - tone -> meter -> level -> rig
        - meter -> raw
        - beat -> peak
        - peak.peak -> hit
        - hit.events -> rig.events

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let server = try JackServer(isStarted: false)
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name, "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(child.says("waiting for the JACK server"), "\(child.notes)")
    try peer.send("/visgraph/blackout", .int(1))
    let reported = try peer.status(with: "/visgraph/status/blackout")
    #expect(
      reported.contains { $0.address == "/visgraph/status/blackout" && $0.arguments == [.int(1)] },
      "\(reported)")
    // What has nothing to show yet is sent as dark all the while.
    let before = ear.messages.count
    #expect(poll { ear.messages.count > before + 5 }, "\(child.notes)")
    try server.start()
    #expect(child.says("JACK client \"visgraph\""), "\(child.notes)")
    // Half a second of sound, in which the lights are held.
    let rows = LevelRows(levels).count
    #expect(poll { LevelRows(levels).count > rows + 30 && LevelRows(levels)["level/1"].last ?? 0 > 0.5 })
    let dark = ear.messages
    #expect(
      dark.allSatisfy { $0.address.hasPrefix("/visgraph/raw") ? $0.float == -160 : $0.float == 0 }, "\(dark)")
    #expect(dark.contains { $0.address == "/visgraph/raw/1" })
    #expect(peer.refusals == [])
    try peer.send("/visgraph/blackout", .int(0))
    #expect(
      poll {
        let lit = ear.messages.dropFirst(dark.count)
        return lit.contains { $0.address == "/visgraph/rig/1" && $0.float ?? 0 > 0.5 }
          && lit.contains { $0.address == "/visgraph/raw/1" && $0.float ?? -160 > -10 }
          && lit.contains { $0.values == [.int(1)] }
      })
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
  }

  @Test func `a signal ends a run within a second although the server hangs`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\nnodes:\n  tone: { type: tone-source }\n  out: { type: jack-output }\nwires: [tone -> out]\n",
      to: "graph.yaml")
    let server = try JackServer()
    var tries = 0
    let seconds = try shortest(below: 1) {
      let running = try Visgraph.start("run", graph, "--host", "jack", "--server", server.name)
      #expect(running.says("JACK client \"visgraph"), "\(running.notes)")
      server.freeze(true)
      defer { server.freeze(false) }
      tries += 1
      let levels = folder.file("levels\(tries).csv")
      let opening = try Visgraph.start(
        "run", graph, "--host", "auto", "--server", server.name, "--levels", levels)
      // The file is there as soon as the graph has been read.
      #expect(poll { access(levels, F_OK) == 0 })
      return [running, opening].map { child in
        let start = now()
        child.signal(SIGTERM)
        #expect(child.exitCode() == 0, "\(child.notes)")
        return now() - start
      }.max() ?? 0
    }
    #expect(seconds < 1)
  }
}
