import Foundation
import OSC
import TestSupport
import Testing

/// What becomes of the sockets of a show whose settings are changed again and again.
@Suite(.blocking) struct TargetKeptTests {
  /// The sockets of a process, by their numbers in the kernel.
  private func sockets(_ process: pid_t) throws -> Set<String> {
    let folder = "/proc/\(process)/fd"
    let links = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
    return Set(links.filter { $0.hasPrefix("socket:") })
  }

  private func threads(_ process: pid_t) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count
  }

  @Test func `a changed setting opens no socket, resolves no address and starts no thread`() throws {
    let folder = try TemporaryFolder()
    let ear = try OscReceiver()
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, level: -20 dB }
        meter: { type: meter }
        level: { type: range }
        rig: { type: osc-output, to: ["localhost:\(ear.port)", "127.0.0.1:\(ear.port)"], rate: 60, repeat: 0.1 s }
        sparks:
          type: emitter
          cells: { drop: { birthRate: 10 } }
          particles: { to: "localhost:\(ear.port)" }
      wires: [tone -> meter -> level -> rig, level -> sparks]

      """, to: "graph.yaml")
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "120"])
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { ear.messages.contains { $0.address.contains("particles") } })
    // A thread for each target looks up its host, and then opens its socket.
    #expect(
      try poll(within: 20) {
        let answer = try peer.status(with: "/visgraph/status/end")
        let targets = answer.filter { $0.address.hasPrefix("/visgraph/status/target/rig/") }
        let states = targets.map { $0.arguments[2] }
        return states.count == 2 && states.allSatisfy { "\($0)".contains("sending to ") }
      }, "\(peer.answers)")
    let (sockets, threads) = (try sockets(child.identity), try threads(child.identity))
    for turn in 1...25 {
      try peer.send("/visgraph/node/rig/rate", .int(Int32(30 + turn)))
      try peer.send("/visgraph/node/tone/level", .float(Float(-20 - turn)))
      // Each has been carried out before the next: a setting is seen in what the rig gets.
      let wanted = (Float(60 - 20 - turn) / 60 * 100).rounded()
      #expect(
        poll(within: 20) { ((ear.floats("/visgraph/rig/1").last ?? 0) * 100).rounded() == wanted }, "\(turn)")
      #expect(try self.sockets(child.identity) == sockets, "\(turn)")
    }
    // Not one for each change; old plans are freed by threads that the system lends.
    #expect(try self.threads(child.identity) < threads + 8)
    #expect(peer.refusals == [])
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
  }

  @Test
  func `a changed schedule does not put out a light in between, and a light that is no longer sent goes out`()
    throws
  {
    let folder = try TemporaryFolder()
    let (ear, other) = try (OscReceiver(), OscReceiver())
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 2, level: -20 dB }
        meter: { type: meter }
        level: { type: range }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
      wires: [tone -> meter -> level -> rig]

      """, to: "graph.yaml")
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "120"])
    let peer = try ControlPeer(try child.controlPort())
    let isLit = { ear.floats("/visgraph/rig/2").last ?? 0 > 0.6 }
    #expect(poll(within: 20) { isLit() }, "\(child.notes)")
    let before = ear.messages.count
    let changes: [(String, Argument)] = [
      ("rate", .int(30)), ("rate", .int(0)), ("repeat", .float(0.1)), ("change", .float(0.001)),
      ("bundle", .string("immediate")), ("zeroOnStop", .int(0)), ("zeroOnStop", .int(1)),
      ("to", .string("[127.0.0.1:\(other.port), 127.0.0.1:\(ear.port)]")),
    ]
    for (turn, (setting, value)) in changes.enumerated() {
      try peer.send("/visgraph/node/rig/\(setting)", value)
      // It has been carried out before the next: both are seen in what the rig gets.
      try peer.send("/visgraph/node/tone/level", .float(Float(-21 - turn)))
      let wanted = (Float(60 - 21 - turn) / 60 * 100).rounded()
      #expect(
        poll(within: 20) { ((ear.floats("/visgraph/rig/2").last ?? 0) * 100).rounded() == wanted },
        "\(setting): \(peer.refusals)")
    }
    #expect(poll(within: 20) { other.floats("/visgraph/rig/2").last ?? 0 > 0.4 })
    let lit = ear.messages.dropFirst(before).compactMap(\.float)
    #expect(lit.allSatisfy { $0 > 0.4 }, "\(lit)")
    // Another address is another light, and another target too.
    try peer.send("/visgraph/node/rig/address", .string("/other/{channel}"))
    #expect(poll(within: 20) { ear.floats("/other/2").last ?? 0 > 0.4 }, "\(peer.refusals)")
    #expect(poll { ear.floats("/visgraph/rig/1").last == 0 && ear.floats("/visgraph/rig/2").last == 0 })
    try peer.send("/visgraph/node/rig/to", .string("127.0.0.1:\(ear.port)"))
    #expect(poll(within: 20) { other.floats("/other/1").last == 0 && other.floats("/other/2").last == 0 })
    #expect(ear.floats("/other/2").allSatisfy { $0 > 0.4 })
    #expect(peer.refusals == [])
    child.signal(SIGINT)
    #expect(child.exitCode(within: 10) == 0)
    #expect(poll { ear.floats("/other/1").last == 0 && ear.floats("/other/2").last == 0 })
  }
}
