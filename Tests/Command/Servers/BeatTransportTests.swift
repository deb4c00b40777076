import TestSupport
import Testing

/// Beats that are those of a real server's transport.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct BeatTransportTests {
  @Test func `bars and beats of JACK's timebase master are those of the node`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        beat: { type: beat, follow: transport }
        flash: { type: envelope, attack: 0, decay: 0.1 s }
      wires: [beat.events -> flash]

      """, to: "graph.yaml")
    // Of long cycles a busy machine misses fewer.
    var settings = JackServer.Settings()
    settings.period = 1024
    let server = try JackServer(settings)
    let peer = try JackPeer(JackTurn.clientName("peer"), server: server.name)
    #expect(peer.keepTime(beatsPerMinute: 90, beatsPerBar: 3))
    // A cycle that a busy machine misses is a jump of the transport; in freewheel frames are merged there.
    var notes: [String] = []
    for attempt in 1...4 {
      let out = folder.file("levels\(attempt).csv")
      let child = try Visgraph.start(
        "run", path, "--host", "jack", "--server", server.name, "--for", "600", "-v", "--levels",
        out)
      #expect(child.says("JACK client"), "\(child.notes)")
      peer.start()
      #expect(poll { LevelRows(out)["beat.locked/1"].count { $0 == 1 } > 180 }, "\(child.notes)")
      child.signal(15)
      #expect(child.exitCode(within: 20) == 0, "\(child.notes)")
      let isEven = try check(LevelRows(out), child)
      if isEven { return }
      #expect(
        !child.notes.contains("xruns 0\n") || child.notes.contains("runs no cycles") || !child.missedNothing,
        "\(child.notes)")
      notes.append(child.notes)
      peer.stop()
      peer.locate(0)
    }
    noteTooBusy("cycles were missed in all four tries: \(notes)")
  }

  /// Whether every beat is there, and most of the way between them is even.
  private func check(_ rows: LevelRows, _ child: Child) throws -> Bool {
    let (phases, bars) = (rows["beat/1 [phase]"], rows["beat.bars/1 [phase]"])
    let (tempo, locked, flash) = (rows["beat.tempo/1 [bpm]"], rows["beat.locked/1"], rows["flash/1"])
    let rolling = locked.indices.filter { locked[$0] == 1 }
    #expect(rolling.count > 60, "\(child.notes)")
    #expect(rolling.allSatisfy { tempo[$0] == 90 })
    // The first sample of the transport is a beat.
    let first = try #require(rolling.first)
    var isFlashing = flash[first] > 0.5
    var even = 0
    var beats = 0
    for row in rolling.dropFirst().dropLast() where locked[row - 1] == 1 {
      let place = Double(bars[row]) * 3
      #expect(abs((place - Double(phases[row])).remainder(dividingBy: 1)) < 0.001)
      // A sixtieth of a second; a cycle that the machine misses is a jump.
      if abs((phases[row] - phases[row - 1] - 0.025).remainder(dividingBy: 1)) < 0.001 { even += 1 }
      guard phases[row] < phases[row - 1] else { continue }
      beats += 1
      isFlashing = isFlashing && max(flash[row], flash[row + 1]) > 0.5
    }
    return isFlashing && beats >= 1 && even >= rolling.count * 9 / 10
  }
}
