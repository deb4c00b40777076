import Glibc
import OSC
import TestSupport
import Testing

/// Surfaces that follow a running show.
@Suite(.serialized, .waiting) struct FeedbackLiveTests {
  @Test(.blocking) func `a new subscriber gets the whole state at once, then changes`() throws {
    let stage = try ControlStage()
    try stage.peer.send("/visgraph/subscribe", .string("/visgraph"), .int(30), .int(600))
    let wanted = [
      "/visgraph/level/level/2", "/visgraph/node/gain/gain", "/visgraph/node/tone/level", "/visgraph/master",
      "/visgraph/blackout", "/visgraph/status/healthy", "/visgraph/status/target/rig/1",
      "/visgraph/status/graph",
    ]
    #expect(
      poll(within: 20) { Set(wanted).isSubset(of: stage.peer.answers.map(\.address)) },
      "\(stage.peer.answers.map(\.address))")
    let first = stage.peer.answers
    #expect(first.first { $0.address == "/visgraph/node/gain/gain" }?.arguments == [.float(0)])
    #expect(first.first { $0.address == "/visgraph/node/tone/level" }?.arguments == [.float(-20)])
    #expect(first.first { $0.address == "/visgraph/master" }?.arguments == [.float(1)])
    // What others set is sent, at the address that sets it.
    let other = try ControlPeer(stage.port)
    try other.send("/visgraph/node/gain/gain", .float(-6))
    try other.send("/visgraph/node/gain/2/gain", .float(-12))
    try other.send("/visgraph/master", .float(0.5))
    try other.send("/visgraph/blackout", .int(1))
    try other.send("/visgraph/nonsense")
    func has(_ address: String, _ values: Argument...) -> Bool {
      stage.peer.answers.last { $0.address == address }?.arguments == values
    }
    #expect(
      poll(within: 20) {
        has("/visgraph/node/gain/gain", .float(-6)) && has("/visgraph/fader/gain/gain", .float(0.6))
          && has("/visgraph/node/gain/2/gain", .float(-12))
          && has("/visgraph/master", .float(0.5)) && has("/visgraph/blackout", .int(1))
      })
    #expect(
      poll(within: 20) {
        has(
          "/visgraph/status/refused", .string("/visgraph/nonsense"),
          .string(
            "nothing is called /visgraph/nonsense; `visgraph controls` lists what there is [control-address]"),
          .int(1))
      })
    try stage.peer.send("/visgraph/unsubscribe")
    #expect(stage.peer.refusals == [] && stage.end() == 0, "\(stage.child.notes)")
  }

  @Test(.blocking) func `subscriptions end with their TCP connection`() throws {
    let stage = try ControlStage()
    for _ in 0..<10 {
      let gone = try PacketClient(Endpoint("127.0.0.1:\(stage.port)"), .stream, within: 20)
      for number in 0..<8 {
        let request = Message(
          "/visgraph/subscribe", .string("/visgraph/level/level/\(number)"), .int(30), .int(3600))
        try gone.send(try request.packet())
      }
    }
    // Until the program has seen the ends of all connections, it refuses this.
    #expect(
      try poll(within: 20) {
        try stage.peer.send("/visgraph/subscribe", .string("/visgraph/master"), .int(30), .int(60))
        return poll(within: 0.5) { stage.peer.answers.contains { $0.address == "/visgraph/master" } }
      })
    #expect(stage.end() == 0, "\(stage.child.notes)")
  }

  @Test(.blocking) func `a subscriber that the graph names is sent values without a request`() throws {
    let stage = try ControlStage(control: "control: { feedback: \"SURFACE\" }")
    #expect(
      poll(within: 20) {
        stage.reported("/visgraph/master") == [.float(1)]
          && stage.reported("/visgraph/node/gain/gain") == [.float(0)]
          && stage.reported("/visgraph/level/level/1") != nil
      })
    try stage.peer.send("/visgraph/master", .float(0.25))
    #expect(poll(within: 20) { stage.reported("/visgraph/master") == [.float(0.25)] })
    #expect(stage.end() == 0, "\(stage.child.notes)")
  }

  @Test(.blocking) func `a subscriber that is gone, or reads nothing, delays no other`() throws {
    let stage = try ControlStage(
      control: "control: { feedback: [\"127.0.0.1:9\", \"nowhere.invalid:9000\", \"SURFACE\"] }")
    // One that has gone after it subscribed, one that listens and never reads.
    do {
      let gone = try ControlPeer(stage.port)
      try gone.send("/visgraph/subscribe", .int(60), .int(3600))
      #expect(poll(within: 20) { !gone.answers.isEmpty })
    }
    let deaf = try ControlPeer(stage.port)
    try deaf.send("/visgraph/subscribe", .int(60), .int(3600))
    try stage.peer.send("/visgraph/subscribe", .int(60), .int(3600))
    for step in 1...5 {
      let master = Float(step) / 8
      try stage.peer.send("/visgraph/master", .float(master))
      #expect(
        poll(within: 20) {
          stage.reported("/visgraph/master") == [.float(master)]
            && stage.peer.answers.last { $0.address == "/visgraph/master" }?.arguments == [.float(master)]
        })
    }
    #expect(stage.peer.refusals == [] && stage.end() == 0, "\(stage.child.notes)")
  }

  @Test(.blocking) func `subscribers that are gone, stopped or stuck delay no light`() throws {
    let stage = try ControlStage()
    // Noise: every frame has other levels, and sends them.
    try stage.peer.send("/visgraph/node/tone/tone", .string("white"))
    // The longest pause between packets of the rig, of so many that come from now on.
    func longestPause(_ count: Int = 30) throws -> Double {
      let first = stage.ear.messages.count
      var times: [Double] = []
      try #require(
        poll(within: 60) {
          let messages = stage.ear.messages.dropFirst(first).filter { $0.address == "/visgraph/rig/1" }
          let all = stage.ear.times
          times = messages.map { all[$0.packet - 1] }
          return times.count > count
        })
      return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity
    }
    // This machine, at the worst of some times.
    let without = try (0..<5).map { _ in try longestPause() }.max() ?? .infinity
    let patterns = ["", "/level", "/node", "/status", "/fader", "/*", "/{level,node}", "/l*"].map {
      "/visgraph\($0)"
    }
    do {
      let gone = try ControlPeer(stage.port)
      for pattern in patterns { try gone.send("/visgraph/subscribe", .string(pattern), .int(60), .int(3600)) }
      #expect(poll(within: 20) { !gone.answers.isEmpty })
    }
    let deaf = try ControlPeer(stage.port)
    let stuck = try PacketClient(Endpoint("127.0.0.1:\(stage.port)"), .stream, within: 20)
    for pattern in patterns {
      let subscription: [Argument] = [.string(pattern), .int(60), .int(3600)]
      try deaf.send("/visgraph/subscribe", arguments: subscription)
      try stuck.send(Message("/visgraph/subscribe", arguments: subscription).packet())
    }
    // One that listens, to see that the others are sent it.
    try stage.peer.send("/visgraph/subscribe", .int(60), .int(3600))
    #expect(poll(within: 20) { stage.peer.answers.contains { $0.address == "/visgraph/level/level/1" } })
    // A frame more, at the best of some times: what holds the lights up does so each time.
    let limit = without + 1.0 / 60
    let with = try shortest(of: 20, below: limit) { try longestPause() }
    #expect(with < limit, "\(with) s beside \(without) s")
    #expect(stage.peer.refusals == [] && stage.end() == 0, "\(stage.child.notes)")
  }

  @Test func `a surface is sent what others set, at the address that sets it`() throws {
    let run = try SteppedStage().run
    try run.send("/visgraph/subscribe", .string("/visgraph"), .int(30), .int(60))
    try run.frames(1)
    let first = run.feedbackMessages
    let wanted = [
      "/visgraph/level/level/2", "/visgraph/node/gain/gain", "/visgraph/node/tone/level", "/visgraph/master",
      "/visgraph/blackout", "/visgraph/status/healthy", "/visgraph/status/target/rig/1",
      "/visgraph/status/graph",
    ]
    #expect(Set(wanted).isSubset(of: first.map(\.address)), "\(first.map(\.address))")
    #expect(run.fed("/visgraph/node/gain/gain") == [.float(0)])
    #expect(run.fed("/visgraph/node/tone/level") == [.float(-20)])
    #expect(run.fed("/visgraph/master") == [.float(1)])
    try run.send([
      Message("/visgraph/node/gain/gain", .float(-6)), Message("/visgraph/node/gain/2/gain", .float(-12)),
      Message("/visgraph/master", .float(0.5)), Message("/visgraph/blackout", .int(1)),
    ])
    // At a 30th of a second.
    try run.frames(2)
    #expect(run.fed("/visgraph/node/gain/gain") == [.float(-6)])
    #expect(run.fed("/visgraph/fader/gain/gain") == [.float(0.6)])
    #expect(run.fed("/visgraph/node/gain/2/gain") == [.float(-12)])
    #expect(run.fed("/visgraph/master") == [.float(0.5)] && run.fed("/visgraph/blackout") == [.int(1)])
    try run.send("/visgraph/unsubscribe")
    let count = run.feedbackMessages.count
    try run.frames(30)
    #expect(run.feedbackMessages.count == count && run.refusals == [] && run.end() == 0)
  }

  @Test func `the whole state is sent after a load`() throws {
    let stage = try SteppedStage()
    _ = try stage.folder.write(
      ControlStage.graph(to: 9, gain: "-3").replacing("Controlled", with: "Next"), to: "next.yaml")
    try stage.run.send("/visgraph/subscribe", .string("/visgraph/{node,status}"), .int(30))
    try stage.run.frames(2)
    #expect(stage.run.fed("/visgraph/status/name") == [.string("Controlled")])
    try stage.run.send("/visgraph/graph/load", .string("next.yaml"))
    try stage.run.frames(40)
    #expect(stage.run.fed("/visgraph/status/name") == [.string("Next")])
    #expect(stage.run.fed("/visgraph/node/gain/gain") == [.float(-3)])
    #expect(stage.run.end() == 0, "\(stage.run.notes)")
  }
}
