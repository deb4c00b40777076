import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A running show, controlled from outside.
@Suite(.serialized, .waiting) struct ControlPortTests {
  @Test func `a setting, a channel's own and a fader act from the next frame on`() throws {
    let stage = try SteppedStage()
    // -20 dB of a sine over -60…0 dB.
    let base: Float = (60 - 23.0103) / 60
    #expect(try stage.shines(base, base), "\(stage.last(1))")
    try stage.run.send("/visgraph/node/gain/gain", .float(-6))
    #expect(try stage.shines(base - 0.1, base - 0.1))
    try stage.run.send("/visgraph/node/gain/2/gain", .string("6 dB"))
    #expect(try stage.shines(base - 0.1, base + 0.1))
    // As on a console: three quarters of the way is 0 dB, and the bottom is silence.
    try stage.run.send("/visgraph/fader/gain/gain", .double(0.75))
    #expect(try stage.shines(base, base + 0.1) || stage.shines(base, base), "\(stage.last(2))")
    try stage.run.send("/visgraph/fader/gain/*/gain", .int(0))
    #expect(try stage.shines(0, 0))
    try stage.run.send("/visgraph/fader/gain/*/gain", .float(0.75))
    #expect(try stage.shines(base, base))
    #expect(stage.run.refusals == [] && stage.run.end() == 0)
  }

  @Test(.blocking) func `a wrong message is answered, changes nothing and ends nothing`() throws {
    let stage = try ControlStage()
    let base = stage.last(1)
    try stage.peer.send("/visgraph/node/gain/gain", .string("loud"))
    #expect(
      poll(within: 20) {
        stage.peer.refusals == [
          "gain.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence) [wrong-value]"
        ]
      }, "\(stage.peer.refusals)")
    #expect(stage.peer.answers[0].arguments[0] == .string("/visgraph/node/gain/gain"))
    stage.peer.send(bytes: [1, 2, 3])
    try stage.peer.send("/visgraph/lights", .int(1))
    try stage.peer.send("/visgraph/transport/play")
    try stage.peer.send("/visgraph/graph/load", .string("/etc/passwd"))
    #expect(poll(within: 20) { stage.peer.refusals.count == 5 }, "\(stage.peer.refusals)")
    #expect(
      stage.peer.refusals.dropFirst().map { String($0[$0.lastIndex(of: "[")!...].dropFirst()) } == [
        "osc-packet]", "control-address]", "control-no-player]", "control-file]",
      ])
    // Errors without end are answered so often and no more.
    for _ in 0..<500 { try stage.peer.send("/visgraph/lights", .int(1)) }
    // As a fader does: of so many datagrams the system may drop some.
    #expect(
      try poll(within: 20) {
        try stage.peer.send("/visgraph/master", .float(0.5))
        return stage.isNear(1, base / 2)
      })
    #expect(stage.peer.refusals.count < 200)
    #expect(stage.end() == 0)
  }

  @Test(.blocking)
  func `a blackout is sent past the rate, holds across a reload, and lowers dBFS to the floor`()
    throws
  {
    let stage = try ControlStage(rate: "1", change: "0.5")
    let base = stage.last(1)
    #expect(base > 0.5)
    // A second would be the rate; a frame is meant.
    let seconds = try shortest(below: 0.9) {
      try stage.peer.send("/visgraph/blackout", .int(0))
      #expect(poll(within: 20) { stage.last(1) > 0.5 && stage.last(2) > 0.5 })
      let start = now()
      try stage.peer.send("/visgraph/blackout", .int(1))
      #expect(poll(within: 20) { stage.last(1) == 0 && stage.last(2) == 0 })
      return now() - start
    }
    #expect(seconds < 0.9)
    let count = stage.ear.floats("/visgraph/rig/1").count
    #expect(poll(within: 20) { stage.ear.floats("/raw/1").last == -160 })
    let raw = stage.ear.floats("/raw/1").count
    try stage.peer.send("/visgraph/graph/reload")
    #expect(stage.child.says("reloaded"))
    try stage.peer.send("/visgraph/node/gain/gain", .float(3))
    #expect(poll(within: 20) { stage.ear.floats("/raw/1").count > raw + 5 })
    #expect(stage.ear.floats("/visgraph/rig/1")[count...].allSatisfy { $0 == 0 })
    #expect(stage.ear.floats("/raw/1")[raw...].allSatisfy { $0 == -160 })
    try stage.peer.send("/visgraph/blackout", .bool(false))
    #expect(poll(within: 20) { stage.last(1) > base && stage.ear.floats("/raw/1").last ?? -160 > -30 })
    #expect(stage.end() == 0)
  }

  @Test func `settings survive a reload, which logs warnings, and not the load of another graph`() throws {
    let stage = try SteppedStage("--set", "gain.gain=-3")
    let base = stage.last(1) + 0.05
    try stage.run.send("/visgraph/node/gain/2/gain", .int(-6))
    #expect(try stage.shines(base - 0.05, base - 0.1))
    // The file on the disk is not read again by a setting.
    _ = try stage.folder.write(ControlStage.graph(to: 9, gain: "faulty"), to: "graph.yaml")
    try stage.run.send("/visgraph/node/gain/1/gain", .int(-12))
    #expect(try stage.shines(base - 0.2, base - 0.1))
    try stage.run.send("/visgraph/graph/reload", .int(0))
    #expect(!stage.run.says("reloaded"))
    try stage.run.send("/visgraph/graph/reload", .int(1))
    #expect(stage.run.refusals == [] && stage.run.says("reloaded"))
    #expect(try stage.shines(base - 0.2, base - 0.1))
    #expect(stage.run.count(of: "warning") == 0, "\(stage.run.notes)")
    let spare = ControlStage.graph(to: 9).replacing("  raw:", with: "  spare: { type: tone-source }\n  raw:")
    _ = try stage.folder.write(spare, to: "graph.yaml")
    try stage.run.send("/visgraph/graph/reload")
    #expect(stage.run.says("warning: the node spare has no wires [unused-node]"), "\(stage.run.notes)")
    _ = try stage.folder.write(ControlStage.graph(to: 9, gain: "-30"), to: "other.yaml")
    try stage.run.send("/visgraph/graph/load", .string("other.yaml"))
    #expect(try stage.shines(base - 0.5, base - 0.5), "\(stage.run.notes)")
    #expect(stage.run.end() == 0)
  }

  @Test func `the status answers the sender with the state of the show`() throws {
    let stage = try SteppedStage()
    try stage.run.send("/visgraph/master", .float(0.25))
    #expect(stage.run.status("name") == [.string("Controlled")])
    #expect(stage.run.status("host") == [.string("clock")])
    #expect(stage.run.status("rate") == [.int(48_000)])
    #expect(stage.run.status("master") == [.float(0.25)])
    #expect(stage.run.status("blackout") == [.int(0)])
    #expect(stage.run.status("timeline") == [.double(0.5)])
    #expect(stage.run.end() == 0)
  }

  @Test(.blocking) func `a taken port is skipped, or refused if it was named`() throws {
    let stage = try ControlStage()
    let other = try Visgraph.start("run", stage.graph, "--host", "clock", "--for", "60")
    // Shows of other tests take ports, and free them.
    #expect(try other.controlPort() != stage.port)
    let named = try Visgraph.run("run", stage.graph, "--host", "clock", "--control", "\(stage.port)")
    #expect(named.code == 1)
    #expect(
      named.notes.contains("visgraph: the control port \(stage.port) of 127.0.0.1 is taken, "),
      "\(named.notes)")
    #expect(named.notes.contains("use another with --control PORT, or --control off"))
    let off = try Visgraph.run("run", stage.graph, "--host", "clock", "--control", "off", "--for", "0.2")
    #expect(off.code == 0 && !off.notes.contains("control "), "\(off.notes)")
    let wrong = try Visgraph.run("run", stage.graph, "--control", "no")
    #expect(wrong.code == 64)
    #expect(stage.end() == 0)
  }

  @Test(.blocking) func `4,000 hostile packets change nothing and end nothing`() throws {
    let stage = try ControlStage()
    let base = stage.last(1)
    var dice = Dice(0xFADE)
    let seeds = try [
      ("node/gain/gain", [.string("x")]), ("fader/*/*/hold", [.float(0.5)]),
      ("graph/load", [.string("../../..")]), ("node/{gain,meter}/[1-9]/x", [.int(1)]),
      ("transport/section", [.float(1), .float(2)]), ("status", []),
      ("node/tone/channels", [.double(1e308)]), ("node/gain/each", [.blob([1])]),
    ].map { (address: String, arguments: [Argument]) in
      try ControlPeer.packet("/visgraph/\(address)", arguments)
    }
    for round in 0..<4000 {
      var packet = seeds[round % seeds.count]
      for _ in 0...dice.next() % 5 {
        let place = Int(dice.next() % UInt64(packet.count))
        switch dice.next() % 3 {
        case 0: packet[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: packet[place] ^= 1 << UInt8(dice.next() % 8)
        default:
          packet.insert(contentsOf: [[0, 0, 0, 0], [0x2A, 0x2F], [0xFF]][Int(dice.next() % 3)], at: place)
        }
      }
      stage.peer.send(bytes: packet)
      if round % 100 == 0 { usleep(20_000) }
    }
    // Of so many datagrams the system may drop some, and the last ones.
    #expect(
      try poll(within: 60) {
        try stage.peer.send("/visgraph/node/gain/gain", .float(0))
        try stage.peer.send("/visgraph/master", .float(0.5))
        return stage.isNear(1, base / 2)
      }, "\(stage.last(1)) \(base) \(stage.child.notes)")
    #expect(stage.end() == 0, "\(stage.child.notes)")
  }
}
