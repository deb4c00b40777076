import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

/// `visgraph play` and the transport of a real server, heard and steered by other clients.
@Suite(.serialized, .blockingInJack, .enabled(if: JackTurn.isPossible)) struct PlayInTransportTests {
  /// Ten milliseconds: the ramp of every start.
  private static let ramp = 480
  private let folder: TemporaryFolder
  private let song: String

  init() throws {
    folder = try TemporaryFolder()
    song = try folder.write(Wave.bytes(Counted.sound(seconds: 60)), to: "song.wav")
  }

  /// A server of each try's own. One whose clients were late for seconds may run its graph no more often than its
  /// timeout of 5 s passes, and its transport moves with the graph.
  private func newServer() throws -> JackServer {
    var settings = JackServer.Settings()
    settings.period = 1024
    return try JackServer(settings)
  }

  private func start(_ server: JackServer, _ words: String...) throws -> Child {
    try Child(
      [Visgraph.path, "play", song, "--host", "jack", "--server", server.name, "-v"] + words)
  }

  /// Where the song is heard at each sample of the tape; nil where it is silent or on a ramp.
  private func places(_ tape: JackPeer) -> [Int?] {
    zip(tape.samples(0), tape.samples(1)).map { Counted.place($0, $1) }
  }

  /// Whether the server missed no cycle, and no timer ran in the place of JACK.
  private func ranEvenly(_ tape: JackPeer, _ child: Child) -> Bool {
    tape.xruns == 0 && tape.longestPause < 0.2 && child.notes.contains("visgraph: xruns 0\n")
      && !child.notes.contains("runs no cycles")
  }

  /// What is reported of a transport that does not do a step.
  private static func standing(_ tape: JackPeer, at step: String, _ child: Child) -> String {
    "\(step): the transport stays at \(tape.transport), \(tape.cycles.count) cycles: \(child.notes)"
  }

  // JACK starts the transport after 2 s, ready or not: where a busy machine reads the file later than that, the sound
  // comes later too, although no cycle is missed. So each of these tests is tried several times.

  @Test func `a follower plays from the exact sample where the transport begins`() throws {
    let wrong = try lastOf(4) { try followsExactly() }
    #expect(wrong == nil)
  }

  /// What is wrong with a follower; nil: nothing, or the machine was too busy to show it.
  private func followsExactly() throws -> String? {
    let server = try newServer()
    let child = try start(server, "--transport", "follow", "--control", "off")
    let tape = try JackPeer(JackTurn.clientName("tape"), server: server.name, inputs: 2, recording: 600)
    #expect(poll(within: 20) { tape.listen(to: "visgraph") }, "\(child.notes)")
    let goals: [UInt32] = [123_457, 1_000_003, 31]
    func stands(_ step: String) -> String { Self.standing(tape, at: step, child) }
    for goal in goals {
      tape.locate(goal)
      guard poll(within: 10, until: { tape.transport.frame == Int64(goal) }) else {
        return stands("to \(goal)")
      }
      tape.start()
      guard
        poll(within: 10, until: { tape.transport.state == 1 && tape.transport.frame > Int64(goal) + 48_000 })
      else { return stands("from \(goal)") }
      tape.stop()
      guard poll(within: 10, until: { tape.transport.state == 0 }) else { return stands("stop") }
    }
    // And while it rolls.
    tape.start()
    guard poll(within: 10, until: { tape.transport.state == 1 }) else { return stands("start") }
    tape.locate(2_000_000)
    guard poll(within: 10, until: { tape.transport.state == 1 && tape.transport.frame > 2_048_000 })
    else { return stands("to 2000000 while it rolls") }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")

    // Where the machine was too busy for a cycle, nobody knows which sample should be where.
    guard ranEvenly(tape, child) else { return nil }
    guard child.notes.contains("missing samples 0") else { return child.notes }
    let cycles = tape.cycles
    let heard = places(tape)
    let left = tape.samples(0)
    for goal in goals.map(Int64.init) + [2_000_000] {
      guard let first = cycles.first(where: { $0.state == 1 && $0.frame == goal }) else {
        return "no cycle rolls from \(goal)"
      }
      // It rises from the first sample of the first rolling cycle on, and not before.
      guard left[first.place + 1] > 0, left[first.place + Self.ramp / 2] > 0.1,
        goal == 2_000_000 || left[first.place - 1] == 0
      else { return "no rise at \(goal)" }
      // Once the ramp is over each sample is that of the transport.
      let from = first.place + Self.ramp
      let wrong = (from..<from + 40_000).first { heard[$0] != Int(goal) + $0 - first.place }
      if let wrong { return "\(goal): sample \(wrong - first.place)" }
    }
    return nil
  }

  @Test func `a leader moves the transport of the server`() throws {
    let wrong = try lastOf(4) { try leads() }
    #expect(wrong == nil)
  }

  /// What is wrong with the sound of a leader; nil: nothing, or the machine was too busy to show it.
  private func leads() throws -> String? {
    let server = try newServer()
    let child = try start(server, "--transport", "lead", "--paused")
    let peer = try ControlPeer(try child.controlPort())
    let tape = try JackPeer(JackTurn.clientName("tape"), server: server.name, inputs: 2, recording: 600)
    #expect(poll(within: 20) { tape.listen(to: "visgraph") }, "\(child.notes)")
    #expect(tape.transport.state == 0)
    func stands(_ step: String) -> String { Self.standing(tape, at: step, child) }
    try peer.send("/visgraph/transport/seek", .float(10))
    guard poll(within: 10, until: { tape.transport.frame == 480_000 }) else { return stands("seek") }
    try peer.send("/visgraph/transport/play")
    guard poll(within: 10, until: { tape.transport.state == 1 && tape.transport.frame > 500_000 })
    else { return stands("play") }
    try peer.send("/visgraph/transport/pause")
    guard poll(within: 10, until: { tape.transport.state == 0 }) else { return stands("pause") }
    try peer.send("/visgraph/transport/skip", .float(-100))
    guard poll(within: 10, until: { tape.transport.frame == 0 }) else { return stands("skip") }
    // Whatever the player has seen of that: each does the opposite of the one before.
    for _ in 0..<3 { try peer.send("/visgraph/transport/toggle") }
    guard poll(within: 10, until: { tape.transport.state == 1 && tape.transport.frame > 24_000 })
    else { return stands("toggle") }
    try peer.send("/visgraph/transport/rewind")
    guard poll(within: 10, until: { tape.transport.state == 0 && tape.transport.frame == 0 })
    else { return stands("rewind") }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    guard ranEvenly(tape, child) else { return nil }
    let cycles = tape.cycles
    let heard = places(tape)
    for goal: Int64 in [480_000, 0] {
      guard let first = cycles.first(where: { $0.state == 1 && $0.frame == goal }) else {
        return "no cycle rolls from \(goal)"
      }
      let from = first.place + Self.ramp
      let wrong = (from..<from + 10_000).first { heard[$0] != Int(goal) + $0 - first.place }
      if let wrong { return "\(goal): sample \(wrong - first.place)" }
    }
    return nil
  }

  @Test func `a player goes on at its place when the server is back`() throws {
    let wrong = try lastOf(4) { try goesOn() }
    #expect(wrong == nil)
  }

  /// What is wrong with the sound of a player whose server comes back; nil: nothing, or the machine was too busy to
  /// show it.
  private func goesOn() throws -> String? {
    let server = try newServer()
    let child = try start(server, "--control", "off")
    var last = 0
    var holes = 0
    for round in 1...2 {
      do {
        let tape = try JackPeer(JackTurn.clientName("tape"), server: server.name, inputs: 2, recording: 600)
        #expect(poll(within: 20) { tape.listen(to: "visgraph") }, "round \(round): \(child.notes)")
        let connected = tape.recorded
        guard poll(within: 60, until: { tape.recorded > connected + 96_000 }) else {
          return "round \(round): \(tape.recorded - connected) samples: \(child.notes)"
        }
        // Then it is interrupted where the server itself stands still.
        if child.notes.contains("the JACK server runs no cycles") {
          noteTooBusy("the server ran no cycles: \(child.notes)")
          return nil
        }
        if round == 1 { server.kill() }
        let heard = places(tape).compactMap { $0 }
        holes += zip(heard, heard.dropFirst()).count { $1 != $0 + 1 }
        if round == 2 {
          // Nothing played on meanwhile, and nothing is played again but what was on its way. What is played before a
          // busy machine connects the tape is not on it.
          let first = heard.first ?? -1
          guard first > last - 2048, first < last + 24_000 else {
            return "\(last) → \(first): \(child.notes)"
          }
        }
        last = heard.last ?? 0
      }
      guard round == 1 else { break }
      #expect(child.says("interrupted at"), "\(child.notes)")
      #expect(stays(for: 1) { !child.hasEnded })
      try server.start()
      #expect(child.says("the JACK server is back"), "\(child.notes)")
    }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
    // Without a hole on the way, but for cycles that the machine was too busy for.
    if child.notes.contains("visgraph: xruns 0\n"), holes > 0 { return "\(holes) holes: \(child.notes)" }
    if child.notes.contains("the JACK server runs no cycles") { return nil }
    let lines = child.notes.split(separator: "\n")
    for text in ["interrupted at", "goes on at", "server has gone", "server is back"]
    where lines.count(where: { $0.contains(text) }) != 1 { return "\(text): \(child.notes)" }
    return nil
  }
}

/// A sound whose samples say where they are: the left is the place modulo 4096, the right which 4096 it is. Both begin
/// at one half, so that silence is no place.
private enum Counted {
  static func sound(seconds: Int) -> [[Float]] {
    let count = seconds * 48_000
    return [
      [Float](count: count) { 0.5 + Float($0 % 4096) / 16_384 },
      [Float](count: count) { 0.5 + Float($0 / 4096) / 16_384 },
    ]
  }

  /// The place of two samples that were heard at full volume; nil where they are none of it.
  static func place(_ left: Float, _ right: Float) -> Int? {
    guard left >= 0.5, right >= 0.5 else { return nil }
    let (low, high) = ((left - 0.5) * 16_384, (right - 0.5) * 16_384)
    guard low == low.rounded(), high == high.rounded(), low < 4096 else { return nil }
    return Int(high) * 4096 + Int(low)
  }
}
