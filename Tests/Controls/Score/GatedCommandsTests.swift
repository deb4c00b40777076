import Engine
import Graphs
import Nodes
import OSC
import Realtime
import System
import TestSupport
import Testing

@testable import Controls

/// Commands of a show that is recorded, while no callback makes frames.
@Suite(.waiting) struct GatedCommandsTests {
  /// A show with a plan that no callback has taken.
  private final class Rig: Sendable {
    let recorded = Locked<[Message]>([])
    /// The time on the timeline at which the first of them acts, in seconds.
    let first = Locked<Double?>(nil)
    let refused = Locked<[String]>([])
    let gated: GatedCommands
    let show: Show
    let router: CommandRouter

    init(records: Bool = true, fps: Int = 60) throws {
      let (recorded, first) = (recorded, first)
      let record: GatedCommands.Record = { message, seconds in
        recorded.withLock { $0.append(message) }
        first.withLock { $0 = $0 ?? seconds }
      }
      let gated = GatedCommands(record: records ? record : nil)
      let show = Show(timing: gated.timing)
      let checked = try ControlFixture.checked(
        """
        visgraph: 1
        fps: \(fps)
        nodes: { tone: { type: tone-source }, gain: { type: gain }, meter: { type: meter } }
        wires: [tone -> gain -> meter]
        """)
      let graph = try #require(checked.graph)
      try show.open(
        graph,
        StreamConfiguration(
          sampleRate: 48_000, isRealTime: false, packets: .nowhere, dimmer: show.dimmer, timing: gated.timing),
        host: nil)
      (self.gated, self.show) = (gated, show)
      router = CommandRouter(show: show, gated: gated) {}
    }

    deinit { show.close() }

    func request(_ commands: ShowCommand...) {
      for command in commands {
        router.perform(command) { [refused] fault in refused.withLock { $0.append(fault.code) } }
      }
    }

    /// Changes a setting, on a thread of its own.
    func changing() -> TestThread {
      let (gated, show) = (gated, show)
      return TestThread {
        gated.change(of: show) { [Override(target: "gain.gain", value: "-3")] }
      }
    }

    /// Begins a frame as a callback does, which takes the waiting commands.
    func takeCommands() {
      gated.timing.gate.shared.pointee.begin(at: 0)
      gated.timing.gate.shared.pointee.end()
    }

    /// Takes the record of the frame as the frame thread does; it ends at a sample. Returns the recorded messages.
    func see(until end: Int64 = 800) throws -> [Message] {
      var header = RecordHeader()
      header.samples = 800
      header.endSample = end
      header.commands = gated.timing.gate.lastTaken
      gated.begins(try #require(show.plan), header)
      return recorded.withLock { recorded in
        defer { recorded = [] }
        return recorded
      }
    }
  }

  @Test func `while no frame comes, only the newest of commands that replace each other waits`() throws {
    let rig = try Rig()
    for number in 0..<1000 {
      rig.request(.master(Float(number) / 1000), .blackout(number % 2 == 0))
      rig.gated.timing.gate.perform {
        rig.gated.pass([Override(target: "gain.gain", value: "-\(number)")], $0)
      }
    }
    rig.takeCommands()
    #expect(
      try rig.see() == [
        Message("/visgraph/master", .float(0.999)), Message("/visgraph/blackout", .int(0)),
        Message("/visgraph/node/gain/gain", .double(-999)),
      ])
    #expect(rig.show.dimmer.master == 0.999)
    // A fade starts at the value of a command without a time.
    let fade = FadeTime(seconds: 5)
    rig.request(.master(0.5), .master(0.1, fade: fade), .master(0, fade: fade))
    rig.takeCommands()
    #expect(
      try rig.see() == [
        Message("/visgraph/master", .float(0.5)), Message("/visgraph/master", .float(0), .double(5)),
      ])
  }

  @Test func `commands that a frame has taken stay, whatever follows them`() throws {
    let rig = try Rig()
    rig.request(.blackout(true))
    rig.takeCommands()
    rig.request(.blackout(false))
    rig.takeCommands()
    #expect(
      try rig.see() == [Message("/visgraph/blackout", .int(1)), Message("/visgraph/blackout", .int(0))])
  }

  @Test(arguments: [(fps: 60, isAtOnce: false), (10, true)])
  func `a blackout waits for the frame in which it is recorded, unless that may be far off`(
    _ rate: (fps: Int, isAtOnce: Bool)
  ) throws {
    let rig = try Rig(fps: rate.fps)
    rig.request(.blackout(true))
    #expect(rig.show.dimmer.isBlackout == rate.isAtOnce)
    rig.takeCommands()
    #expect(try rig.see() == [Message("/visgraph/blackout", .int(1))])
    #expect(rig.show.dimmer.isBlackout)
    // Light may wait: the recorded place is that of its return.
    rig.request(.blackout(false))
    #expect(rig.show.dimmer.isBlackout)
    rig.takeCommands()
    #expect(try rig.see() == [Message("/visgraph/blackout", .int(0))])
    #expect(!rig.show.dimmer.isBlackout)
    // A master of 0 is as dark; one with a fade has its place during the fade.
    rig.request(.master(0))
    #expect(rig.show.dimmer.master == (rate.isAtOnce ? 0 : 1))
    rig.takeCommands()
    #expect(try rig.see() == [Message("/visgraph/master", .float(0))])
    #expect(rig.show.dimmer.master == 0)
    rig.request(.master(1))
    #expect(rig.show.dimmer.master == 0)
    rig.takeCommands()
    _ = try rig.see()
    rig.request(.master(0, fade: FadeTime(seconds: 1)))
    #expect(rig.show.dimmer.master == 1 && rig.show.dimmer.way == nil)
  }

  @Test(arguments: [60, 1])
  func `while a score is played, darkening by hand waits for no frame, and a cue's waits for a near one`(
    fps: Int
  ) throws {
    let switches: [(dark: ShowCommand, light: ShowCommand)] = [
      (.blackout(true), .blackout(false)), (.master(0), .master(1)),
    ]
    for (dark, light) in switches {
      let rig = try Rig(records: false, fps: fps)
      let dimmer = rig.show.dimmer
      // An entry of the score waits for its frame.
      rig.gated.timing.gate.perform(notBefore: 48_000) { rig.router.perform(.master(1), as: $0) { _ in } }
      rig.request(dark)
      #expect(dimmer.now.isDark)
      rig.takeCommands()
      #expect(dimmer.now.isDark)
      // The score's own command comes with its frame, and so does the light that a client requests.
      rig.gated.timing.gate.shared.pointee.begin(at: 48_000)
      rig.gated.timing.gate.shared.pointee.end()
      rig.request(light)
      #expect(dimmer.now.isDark)
      rig.takeCommands()
      _ = try rig.see()
      #expect(!dimmer.now.isDark)
      rig.gated.timing.gate.perform { rig.router.perform(dark, as: $0) { _ in } }
      #expect(!dimmer.now.isDark)
      rig.request(light)
      rig.router.perform(dark, withFrame: true)
      #expect(dimmer.now.isDark == (fps == 1))
      rig.takeCommands()
      _ = try rig.see()
      #expect(dimmer.now.isDark)
    }
  }

  @Test
  func
    `lights that were darkened at once stay dark, although a frame that took a lighting command comes first`()
    throws
  {
    let rig = try Rig(fps: 1)
    rig.request(.blackout(true), .master(0))
    rig.takeCommands()
    _ = try rig.see()
    rig.request(.blackout(false), .master(1, fade: FadeTime(seconds: 1)))
    rig.takeCommands()
    rig.request(.blackout(true), .master(0))
    // The requests are recorded all the same.
    #expect(
      try rig.see() == [
        Message("/visgraph/blackout", .int(0)), Message("/visgraph/master", .float(1), .double(1)),
      ])
    #expect(rig.show.dimmer.isBlackout && rig.show.dimmer.master == 0 && rig.show.dimmer.way == nil)
    rig.takeCommands()
    #expect(
      try rig.see(until: 1600) == [
        Message("/visgraph/blackout", .int(1)), Message("/visgraph/master", .float(0)),
      ])
    rig.request(.blackout(false))
    rig.takeCommands()
    _ = try rig.see(until: 2400)
    #expect(!rig.show.dimmer.isBlackout)
  }

  @Test
  func `a lighting command taken before the dark stays without effect, although another one follows it`()
    throws
  {
    let rig = try Rig(fps: 1)
    rig.request(.master(1))
    rig.takeCommands()
    rig.request(.master(0), .master(0.3))
    #expect(rig.show.dimmer.master == 0)
    #expect(try rig.see() == [Message("/visgraph/master", .float(1))])
    #expect(rig.show.dimmer.master == 0)
    rig.takeCommands()
    #expect(
      try rig.see(until: 1600) == [
        Message("/visgraph/master", .float(0)), Message("/visgraph/master", .float(0.3)),
      ])
    #expect(rig.show.dimmer.master == 0.3)
  }

  @Test func `the dark waits for no thread within the gate, and no earlier light comes back`() throws {
    let rig = try Rig(fps: 10)
    rig.request(.master(0.5))
    rig.takeCommands()
    var threads: [TestThread] = []
    let isDark = try rig.gated.timing.gate.perform { _ in
      threads.append(TestThread { rig.request(.master(0)) })
      guard (poll { rig.show.dimmer.master == 0 }) else { return false }
      _ = try rig.see()
      return rig.show.dimmer.master == 0
    }
    #expect(isDark && poll { threads[0].isDone })
    rig.takeCommands()
    #expect(try rig.see() == [Message("/visgraph/master", .float(0))])
  }

  @Test func `more commands than may wait are refused, and a blackout is not`() throws {
    let rig = try Rig()
    for _ in 0..<GatedCommands.most + 2 { rig.request(.tap(node: "beat")) }
    rig.request(.blackout(true), .master(0.5), .blackout(false))
    #expect(rig.refused.withLock { $0 } == ["control-too-much", "control-too-much"])
    rig.takeCommands()
    #expect(try rig.see().count == GatedCommands.most + 2)
    rig.request(.tap(node: "beat"))
    #expect(rig.refused.withLock { $0.count } == 2)
  }

  @Test func `while no frame comes, only one change of a node's settings waits`() throws {
    let rig = try Rig()
    let plan = try #require(rig.show.plan)
    for number in 1...100 {
      let setting = Override(target: "meter.release", value: "\(number) ms")
      let (graph, node) = try #require(plan.graph.setting(setting))
      let set = rig.gated.timing.gate.perform { rig.show.set([node], as: graph, at: $0) }
      #expect(set == [node])
    }
    #expect(plan.frames.waitingNodes == 1)
    rig.takeCommands()
    let (graph, node) = try #require(
      plan.graph.setting(Override(target: "meter.release", value: "3 s")))
    rig.gated.timing.gate.perform { _ = rig.show.set([node], as: graph, at: $0) }
    // The frame that took the change before may not be reported yet.
    #expect(plan.frames.waitingNodes == 2)
  }

  @Test func `a change waits for its first frame, and is recorded where that begins`() throws {
    // On a busy machine the frame may come after the wait's timeout.
    for _ in 1...5 {
      let rig = try Rig()
      let thread = rig.changing()
      let waited = stays(for: 0.1) { !thread.isDone && rig.recorded.withLock(\.isEmpty) }
      _ = try rig.see(until: 8000)
      #expect(poll { thread.isDone })
      if waited, rig.first.withLock({ $0 }) == 0.15 { return }
    }
    Issue.record("no change has waited for its frame")
  }

  @Test(arguments: [true, false])
  func `a change waits for no frame if none can come or nothing is recorded`(records: Bool) throws {
    let rig = try Rig(records: records)
    if records { rig.show.frames.setStalled(true) }
    let seconds = shortest(below: 0.4) {
      let start = now()
      rig.gated.change(of: rig.show) { [Override(target: "gain.gain", value: "-3")] }
      return now() - start
    }
    #expect(seconds < 0.4)
    let expected = Message("/visgraph/node/gain/gain", .double(-3))
    #expect(rig.recorded.withLock { $0.first } == (records ? expected : nil))
  }
}
