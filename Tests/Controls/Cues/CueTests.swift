import Engine
import Graphs
import OSC
import Playback
import System
import TestSupport
import Testing

@testable import Controls

/// The place of a show in its cues, and its follow-ons.
@Suite struct CueTests {
  private static let text = """
    visgraph: 1
    scenes:
      calm: { seconds: 2, gain.gain: -6 dB }
    cues:
      10: { label: Last }
      1: { label: Doors, scene: calm, follow: 3 s }
      2: { continue: 0.5 s }
      2.5: { label: Storm, continue: 0, do: /visgraph/master 0 5 }
      3: { link: 1 }
    nodes:
      tone: { type: tone-source }
      gain: { type: gain }
      out: { type: jack-output }
    wires: [tone -> gain -> out]
    """

  private let fades = SettingFades()
  private let progress: CueProgress
  private let graph: CheckedGraph

  init() throws {
    progress = CueProgress(fades)
    graph = try Self.graph(Self.text)
    progress.restore(at: nil, follows: false, in: graph)
  }

  private static func graph(_ text: String) throws -> CheckedGraph {
    let checked = Checker.complete.check(SourceText(path: "/nowhere/graph.yaml", text: text))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }

  /// Goes to a cue. Returns its number, `none`, or `CODE: MESSAGE`.
  @discardableResult
  private func go(_ choice: CueChoice = .go, seconds: Double = 0) -> String {
    do throws(ControlError) {
      guard let cue = try progress.take(choice, in: graph) else { return "none" }
      progress.begin(cue, choice, seconds: seconds, in: graph)
      return "\(cue.number)"
    } catch {
      return "\(error.code): \(error)"
    }
  }

  private func number(_ text: String) throws -> CueNumber { try #require(CueNumber(text)) }

  @Test func `a number of a cue has up to three places, and is written as in the file`() {
    for text in ["0", "1", "2.5", "10", "99999.999"] { #expect(CueNumber(text)?.description == text) }
    #expect(CueNumber("2.50") == CueNumber("2.5") && CueNumber("02")?.description == "2")
    for text in ["", ".", "2.", ".5", "-1", "+1", "1e3", "1.2345", "100000", "1.2.3", " 1", "1,5", "٣"] {
      #expect(CueNumber(text) == nil, "\(text)")
    }
  }

  @Test func `cues follow in the order of their numbers, or by their links`() throws {
    #expect(graph.cues.map(\.number.description) == ["1", "2", "2.5", "3", "10"])
    #expect(progress.now == CueProgress.Fact(cue: nil, next: .init(graph.cues[0]), left: nil))
    #expect(go(.back) == "control-cue: no cue comes before this one")
    #expect((1...6).map { _ in go() } == ["1", "2", "2.5", "3", "1", "2"])
    #expect(go(.number(try number("10"))) == "10")
    #expect(progress.now?.cue?.text == "10 Last" && progress.now?.next == nil)
    #expect(go() == "control-cue: this is the last cue; /visgraph/cue/goto NUMBER goes to another")
    #expect(go(.back) == "3" && go(.back) == "2.5")
    #expect(go(.number(try number("7"))) == "unknown-cue: there is no cue 7; the graph has: 1, 2, 2.5, 3, 10")
    #expect(progress.now?.cue?.text == "2.5 Storm" && progress.now?.next?.text == "3")
  }

  @Test func `a cue follows on at its time, counted by frames from when it was due`() throws {
    // 2 s of the cue's own action, and 3 s after it.
    #expect(go(seconds: 2) == "1")
    #expect(progress.now?.left == 5 && progress.takeDue() == nil)
    fades.advance(by: 4.9)
    #expect(progress.takeDue() == nil)
    fades.advance(by: 0.4)
    let first = try #require(progress.takeDue())
    #expect(first == .cue(.followOn(at: 5)) && progress.takeDue() == nil)
    #expect(go(.followOn(at: 5)) == "2")
    // 0.5 s after 5 s, not after the frame at 5.3 s.
    #expect(abs((progress.now?.left ?? 0) - 0.2) < 1e-9)
    fades.advance(by: 0.2)
    #expect(progress.takeDue() == .cue(.followOn(at: 5.5)))
    #expect(go(.followOn(at: 5.5)) == "2.5")
    // With no time between them it is due at once.
    #expect(progress.takeDue() == .cue(.followOn(at: 5.5)))
    #expect(go(.followOn(at: 5.5)) == "3" && progress.now?.left == nil)
  }

  @Test func `go replaces a follow-on that is due later, stop cancels it, and back begins none`()
    throws
  {
    go()
    #expect(go() == "2" && progress.now?.left == 0.5)
    #expect(go(.stop) == "none" && progress.now?.left == nil)
    fades.advance(by: 10)
    #expect(progress.takeDue() == nil)
    #expect(go() == "2.5" && progress.now?.left == 0)
    #expect(go(.back) == "2" && progress.now?.left == nil)
  }

  @Test func `the handler of steps is called once, in the frame in which a cue is due`() {
    let wakeUps = Locked(0)
    fades.onStep { wakeUps.withLock { $0 += 1 } }
    go(seconds: 0)
    for _ in 0..<179 { fades.advance(by: 1.0 / 60) }
    #expect(wakeUps.withLock { $0 } == 0)
    fades.advance(by: 1.0 / 60)
    #expect(wakeUps.withLock { $0 } == 1 && progress.takeDue() != nil)
    for _ in 0..<100 { fades.advance(by: 1.0 / 60) }
    #expect(wakeUps.withLock { $0 } == 1)
  }

  @Test func `a reloaded graph stays at its cue, or goes on after a cue that was removed`() throws {
    go()
    let other = try Self.graph(
      Self.text.replacing("  1: { label: Doors", with: "  1.5: { label: Doors")
        .replacing("link: 1 ", with: "link: 10 "))
    progress.renew(in: other)
    #expect(progress.now == CueProgress.Fact(cue: nil, next: .init(other.cues[0]), left: nil))
    let same = try Self.graph(Self.text.replacing("Doors", with: "Foyer"))
    progress.restore(at: nil, follows: false, in: same)
    go()
    fades.advance(by: 1)
    progress.renew(in: same)
    #expect(progress.now?.cue?.label == "Foyer" && progress.now?.left == 2)
    // A changed `follow` counts from now, and makes the follow-on no later than it was.
    for (follow, left) in [("60 s", 2.0), ("0.5 s", 0.5)] {
      progress.renew(in: try Self.graph(Self.text.replacing("follow: 3 s", with: "follow: \(follow)")))
      #expect(progress.now?.left == left)
    }
    progress.renew(in: try Self.graph(Self.text.replacing(", follow: 3 s", with: "")))
    #expect(progress.now?.cue?.text == "1 Doors" && progress.now?.left == nil)
    // After a restart a follow-on starts anew.
    progress.restore(at: try number("2"), follows: true, in: graph)
    #expect(progress.now?.left == 0.5)
    // After a restart the actions of a cue count as finished, its own seconds and those of its scene; `follow` is left.
    let timed = try Self.graph(Self.text.replacing("scene: calm,", with: "scene: calm, seconds: 8,"))
    for graph in [graph, timed] {
      progress.restore(at: try number("1"), follows: true, in: graph)
      #expect(progress.now?.left == 3)
    }
    progress.restore(at: nil, follows: false, in: .nothing)
    #expect(progress.now == nil && go(.go) == "1")
  }

  @Test func `a cue follows on when the scenes and volumes of its messages have been reached`() throws {
    let text = """
      visgraph: 1
      scenes: { calm: { seconds: 2, gain.gain: -6 dB } }
      cues:
        1: { do: /visgraph/scene calm 10, follow: 1 }
        2: { do: [/visgraph/scene calm, /visgraph/master 1 0.5], follow: 1 }
        3: {}
      nodes: { tone: { type: tone-source }, gain: { type: gain }, out: { type: jack-output } }
      wires: [tone -> gain -> out]
      """
    let graph = try Self.graph(text)
    let show = Show()
    defer { show.close() }
    try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    let router = CommandRouter(show: show) {}
    router.cues.restore(at: nil, follows: false, in: graph)
    var overrides = SettingOverrides(
      Checker.complete, SourceText(path: "/nowhere/graph.yaml", text: text), given: [])
    let goChange = GraphChange(command: .cue(.go)) { fault in Issue.record("\(fault)") }
    // 10 s of the message, or 2 s of the scene if the message has none; and 1 s of `follow`.
    for (left, seconds) in [(11.0, Double?.some(10)), (3, nil)] {
      let steps = overrides.steps(of: goChange, in: graph, router, show, AllowedFolders([]))
      #expect(steps.commands.first == .scene(.named("calm"), seconds: seconds))
      #expect(router.cues.now?.left == left)
    }
    #expect(overrides.length(of: .transport(node: nil, .volume(0, fade: 4)), in: graph) == 4)
  }

  @Test func `messages go to cues`() throws {
    let view = ControlView(graph: graph, players: [], folders: AllowedFolders([]))
    func requests(_ address: String, _ arguments: Argument...) throws -> [ControlRequest] {
      try CommandReader(view: view).requests(Message(address, arguments: arguments))
    }
    #expect(try requests("/visgraph/cue/go") == [.command(.cue(.go))])
    #expect(try requests("/visgraph/cue/go", .float(0)).isEmpty)
    #expect(try requests("/visgraph/cue/back", .int(1)) == [.command(.cue(.back))])
    #expect(try requests("/visgraph/cue/stop") == [.command(.cue(.stop))])
    let storm = ControlRequest.command(.cue(.number(try number("2.5"))))
    for argument: Argument in [.float(2.5), .string("2.5"), .string("2.50"), .double(2.5)] {
      #expect(try requests("/visgraph/cue/goto", argument) == [storm])
    }
    #expect(
      try ControlFixture.refusal("/visgraph/cue/goto", .int(4), view: view)
        == "unknown-cue: there is no cue 4; the graph has: 1, 2, 2.5, 3, 10")
    #expect(
      try ControlFixture.refusal("/visgraph/cue/goto", .string("next"), view: view)
        == "control-argument: the cue is \"next\"; it takes a number such as 2 or 2.5")
    #expect(
      try ControlFixture.refusal("/visgraph/cue/goto", .int(1)) == "unknown-cue: this graph has no cues")
  }
}
