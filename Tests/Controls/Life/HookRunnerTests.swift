import Graphs
import Engine
import System
import TestSupport
import Testing

@testable import Controls
@testable import OSC

@Suite(.waiting) struct HookRunnerTests {
  private func hooks(_ text: String) throws -> ShowHooks {
    let checked = Checker.complete.check(
      SourceText(
        path: "/nowhere/graph.yaml",
        text: """
          visgraph: 1
          hooks: \(text)
          nodes: { tone: { type: tone-source }, meter: { type: meter } }
          wires: [tone -> meter]
          """))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))").hooks
  }

  /// Runs hooks, and sends their messages to other programs.
  private struct Rig {
    let runner: HookRunner
    let sender: MessageSender

    func take(_ hooks: ShowHooks) {
      runner.take(hooks)
      sender.take(hooks)
    }

    func run(_ event: LifeEvent, at time: Double, tell: @escaping @Sendable (String) -> Void) {
      runner.run(event, at: time, tell: tell)
    }

    func look(at time: Double) { sender.sendKept(at: time) }
  }

  private func rig(_ show: Show, target: @escaping (Endpoint) -> Target = { Target($0) }) -> Rig {
    let sender = MessageSender(show, target: target)
    let router = CommandRouter(show: show) {}
    return Rig(runner: HookRunner(show, router, AllowedFolders([]), sender: sender), sender: sender)
  }

  @Test func `a hook controls its own show and sends to other programs`() throws {
    let receiver = try OscReceiver()
    let show = Show()
    let runner = rig(show)
    runner.take(
      try hooks(
        "{ silence: [/visgraph/master 0.25, /visgraph/blackout, '127.0.0.1:\(receiver.port)/quiet 1 0.5 \"so still\"'] }"
      ))
    let notes = Locked<[String]>([])
    runner.run(.silence, at: 0) { line in notes.withLock { $0.append(line) } }
    runner.run(.sound, at: 0) { line in notes.withLock { $0.append(line) } }
    #expect(show.dimmer.master == 0.25 && show.dimmer.isBlackout)
    #expect(
      poll {
        receiver.messages.map(\.values) == [[.int(1), .float(0.5), .string("so still")]]
          && receiver.messages[0].address == "/quiet"
      })
    #expect(notes.withLock { $0 } == [])
  }

  @Test
  func `hooks that trigger each other are soon limited to one every six seconds, reported once a minute`()
    throws
  {
    let receiver = try OscReceiver()
    let show = Show()
    let runner = rig(show)
    runner.take(try hooks("{ sound: '127.0.0.1:\(receiver.port)/sound', silence: /visgraph/master 0.5 }"))
    let notes = Locked<[String]>([])
    for step in 0..<3000 {
      runner.run(.sound, at: Double(step) / 100) { line in notes.withLock { $0.append(line) } }
    }
    // Ten at once, and four within the next half minute.
    #expect(poll { receiver.messages.count == 14 })
    #expect(
      notes.withLock { $0 } == [
        "hook sound: left out, as it has run 10 times in a short while; hooks that trigger each other in a loop run every "
          + "6 s at most"
      ])
    // A hook outside of that loop is not limited.
    runner.run(.silence, at: 30) { line in notes.withLock { $0.append(line) } }
    #expect(show.dimmer.master == 0.5)
  }

  @Test func `a message that waited for its host is sent before a later one`() throws {
    let receiver = try OscReceiver()
    let (gate, made) = (Latch(resets: .never), Locked<[Target]>([]))
    let here = try Endpoint("127.0.0.1:\(receiver.port)")
    let runner = rig(Show()) { endpoint in
      let target = Target(
        endpoint, pauses: [3600],
        lookup: { _ in
          gate.wait(until: .after(seconds: 60))
          return Lookup.ask(here)
        }, clock: { 0 })
      made.withLock { $0.append(target) }
      return target
    }
    func messages(_ number: Int) throws -> [OutsideMessage] {
      let text = "desk:9000/go \(number)"
      return [try #require(OutsideMessage(try MessageText(text), source: text))]
    }
    let notes = Locked<[String]>([])
    runner.sender.send(try messages(1)) { fault in notes.withLock { $0.append("\(fault)") } }
    gate.set()
    #expect(poll { made.withLock { $0.first?.timesReady } == 1 })
    runner.sender.send(try messages(2)) { fault in notes.withLock { $0.append("\(fault)") } }
    #expect(poll { receiver.messages.map(\.values) == [[.int(1)], [.int(2)]] })
    #expect(notes.withLock { $0 } == [])
  }

  @Test func `a message waits until its host is resolved, or is given up`() throws {
    let receiver = try OscReceiver()
    let (show, gate) = (Show(), Latch(resets: .never))
    let here = try Endpoint("127.0.0.1:\(receiver.port)")
    let runner = rig(show) { endpoint in
      Target(
        endpoint, pauses: [3600],
        lookup: { _ in
          guard endpoint.host == "desk" else { return .failure("nobody knows it") }
          gate.wait(until: .after(seconds: 60))
          return Lookup.ask(here)
        }, clock: { 0 })
    }
    runner.take(try hooks("{ launch: ['desk:9000/go 1', 'nowhere:9000/go 2'], end: 'nowhere:9000/go 3' }"))
    let notes = Locked<[String]>([])
    let tell: @Sendable (String) -> Void = { line in notes.withLock { $0.append(line) } }
    runner.run(.launch, at: 0, tell: tell)
    runner.look(at: MessageSender.timeout - 0.1)
    #expect(receiver.messages.isEmpty && notes.withLock { $0.isEmpty })
    gate.set()
    #expect(
      poll(within: 60) {
        runner.look(at: MessageSender.timeout - 0.1)
        return receiver.messages.map(\.values) == [[.int(1)]]
      })
    // The other host cannot be resolved.
    runner.look(at: MessageSender.timeout)
    let first = notes.withLock { $0 }
    #expect(
      first.count == 1 && first[0].hasPrefix("hook launch: nowhere:9000/go 2: it could not be sent: "),
      "\(first)")
    // At the end no message is kept.
    runner.run(.end, at: 100, tell: tell)
    runner.look(at: .infinity)
    let all = notes.withLock { $0 }
    #expect(
      all.count == 2 && all[1].hasPrefix("hook end: nowhere:9000/go 3: it could not be sent: "), "\(all)")
    #expect(receiver.messages.count == 1)
  }

  @Test
  func
    `a receiver that does not listen is reported after one message, and one that listens again after the next`()
    throws
  {
    let port = try OscReceiver.closedPort()
    let show = Show()
    let runner = rig(show)
    runner.take(try hooks("{ sound: '127.0.0.1:\(port)/alarm 1', silence: '127.0.0.1:\(port)/alarm 0' }"))
    func report() -> NodeReport? { show.reports.first }
    #expect(show.reports.count == 1)
    #expect(report()?.id == "hooks" && report()?.target == "127.0.0.1:\(port)" && report()?.sample == "")
    #expect(report()?.isWell == true && report()?.state == "sending to 127.0.0.1:\(port)")
    runner.run(.sound, at: 0) { _ in }
    var time = 1.0
    func look() {
      time += 1
      runner.look(at: time)
    }
    let isRefused = poll {
      look()
      return report()?.isWell == false
    }
    #expect(isRefused && report()?.state == "nobody listens on 127.0.0.1:\(port)")
    #expect(report()?.sample == "127.0.0.1:\(port)/alarm 1" && report()?.sent == 1)
    var health = ShowHealth()
    let found = health.report(show, HostSnapshot(name: "", rate: 0, timeline: 0), at: 0)
    #expect(found.faults == ["the show has not begun"] && found.targets.isEmpty)
    let later = try OscReceiver(port: port)
    runner.run(.silence, at: time) { _ in }
    #expect(poll { later.messages.map(\.values) == [[.int(0)]] })
    let isWell = poll {
      look()
      return report()?.isWell == true
    }
    #expect(isWell && report()?.sent == 2)
    // Hooks of another graph have other receivers.
    runner.take(ShowHooks())
    #expect(show.reports == [])
  }

  @Test func `replaced hooks do not wait for a name server that does not answer`() throws {
    let gate = Latch(resets: .never)
    defer { gate.set() }
    let show = Show()
    let hooks = try hooks("{ launch: 'desk:9000/go 1' }")
    let seconds = shortest(below: 0.09) {
      let began = Latch(resets: .never)
      let runner = rig(show) {
        Target(
          $0, pauses: [3600],
          lookup: { _ in
            began.set()
            gate.wait(until: .after(seconds: 60))
            return .failure("late")
          }, clock: { 0 })
      }
      runner.take(hooks)
      #expect(began.wait(until: .after(seconds: 60)))
      let start = now()
      runner.take(ShowHooks())
      return now() - start
    }
    #expect(seconds < 0.09)
  }

  @Test func `a command that the graph no longer allows is reported`() throws {
    let show = Show()
    let runner = rig(show)
    runner.take(try hooks("{ sound: /visgraph/node/tone/level -6 }"))
    let notes = Locked<[String]>([])
    runner.run(.sound, at: 0) { line in notes.withLock { $0.append(line) } }
    #expect(
      notes.withLock { $0 } == ["hook sound: /visgraph/node/tone/level -6: there is no node tone"])
  }
}
