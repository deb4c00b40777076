import Engine
import Graphs
import Nodes
import OSC
import Realtime
import System
import Testing

@testable import Controls

/// What a show is asked for and what changes its graph, in a show that runs without a process.
@Suite struct ChangeRunnerTests {
  private static let text = """
    visgraph: 1
    main: calm
    scenes:
      calm: { gain.gain: -6 }
      storm: { seconds: 1, gain.gain: -18 dB, other.gain: -1 dB }
    cues:
      1: { label: Doors, scene: storm, continue: 0 }
      2: { label: Rain, do: [/visgraph/master 0.25, osc.udp://127.0.0.1:9000/lift 1] }
    nodes:
      tone: { type: tone-source, level: -12 dB }
      gain: { type: gain }
      other: { type: gain }
      out: { type: jack-output }
      low: { type: bands, count: 3 }
    wires: [tone -> gain -> other -> out, other -> low]
    """

  /// A show with its runner, which notes what is done and reported, in order.
  private final class Rig {
    let show = Show()
    let router: CommandRouter
    let told = Locked<[String]>([])
    var isEnding = false
    /// Why the next graph cannot run.
    var fault: ControlError?
    private(set) var runner: ChangeRunner!
    private let configuration: StreamConfiguration

    init(_ text: String = ChangeRunnerTests.text) throws {
      let source = SourceText(path: "/nowhere/graph.yaml", text: text)
      let checked = Checker.complete.check(source)
      let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
      configuration = StreamConfiguration(
        sampleRate: 48_000, isRealTime: false, packets: .nowhere, dimmer: show.dimmer)
      try show.open(graph, configuration, host: nil)
      router = CommandRouter(show: show) {}
      let runner = ChangeRunner(
        graph, SettingOverrides(Checker.complete, source, given: []), router: router,
        folders: AllowedFolders(["/nowhere"]), effects: Effects(self))
      runner.events.isEnding = { [unowned self] in isEnding }
      runner.events.note = { [unowned self] in tell($0) }
      runner.events.fadeEnded = { [told] path, fault in
        told.withLock { $0.append("\(path): \(fault.code)") }
      }
      runner.events.send = { [unowned self] messages, _ in
        for message in messages { tell("send \(message.message.address)") }
      }
      runner.events.other = { [unowned self] change in
        tell("\(change.command)")
        if change.command == .quit { isEnding = true }
      }
      self.runner = runner
      runner.begin()
    }

    /// Does not keep the rig alive.
    private final class Effects: ChangeEffects {
      private unowned let rig: Rig
      init(_ rig: Rig) { self.rig = rig }
      func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> {
        rig.set(nodes, as: graph, at: number)
      }
      func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
        try rig.change(to: graph, fade: seconds)
      }
    }

    func tell(_ line: String) { told.withLock { $0.append(line) } }

    func takeTold() -> [String] {
      told.withLock { told in
        defer { told = [] }
        return told
      }
    }

    func set(_ nodes: [Int], as graph: CheckedGraph, at number: Int64?) -> Set<Int> {
      tell("set \(nodes.map { graph.nodes[$0].id }.joined(separator: " "))")
      return show.set(nodes, as: graph, at: number)
    }

    func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
      tell("change")
      if let fault { throw fault }
      do { try show.change(to: graph, configuration, host: nil, fade: seconds, while: { false }) } catch {
        throw .graph(code: "cannot-run", "\(error)", notes: [])
      }
    }

    /// Carries out commands that come together.
    func carryOut(_ commands: ShowCommand...) {
      runner.carryOut(
        commands.map { command in
          GraphChange(command: command) { [told] fault in told.withLock { $0.append(fault.code) } }
        })
    }

    /// So many frames of 60 a second, with the commands that came meanwhile.
    func frames(_ count: Int) {
      for _ in 0..<count {
        router.fades.advance(by: 1.0 / 60)
        runner.carryOut(router.takeChanges())
        runner.followCues()
      }
    }

    func text(at path: String) -> String? { runner.graph.text(at: path) }
    func number(at path: String) -> Double { runner.graph.number(at: path)?.value ?? .nan }
  }

  @Test func `settings that come together are one change, and a wrong one takes no other with it`() throws {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "gain.gain", value: "-3"), .set(path: "other.gain", value: "nonsense"),
      .set(path: "tone.level", value: "-20"))
    #expect(rig.takeTold() == ["set tone gain", "wrong-value"])
    #expect(rig.text(at: "gain.gain") == "-3 dB" && rig.text(at: "tone.level") == "-20 dB")
    #expect(rig.runner.overrides.live.map(\.target) == ["tone.level", "gain.gain"])
    #expect(rig.show.plan?.graph.text(at: "gain.gain") == "-3 dB")
  }

  @Test func `a setting that asks for new state is another graph, which stays out where it cannot run`()
    throws
  {
    let rig = try Rig()
    let number = rig.show.plan?.number
    rig.carryOut(.set(path: "low.count", value: "5"))
    #expect(rig.takeTold() == ["change"])
    #expect(rig.text(at: "low.count") == "5" && rig.show.plan?.number != number)
    rig.fault = .graph(code: "cannot-run", "no", notes: [])
    rig.carryOut(.set(path: "low.count", value: "7"))
    #expect(rig.takeTold() == ["change", "cannot-run"])
    #expect(rig.text(at: "low.count") == "5")
    #expect(rig.runner.overrides.live.map(\.value) == ["5"])
  }

  @Test func `a scene goes step by step, and a setting by hand ends its fade there`() throws {
    let rig = try Rig()
    #expect(rig.runner.overrides.scene == "calm" && rig.router.scenes.now?.name == "calm")
    rig.carryOut(.scene(.named("storm")))
    #expect(rig.takeTold() == ["scene storm in 1 s"])
    rig.frames(30)
    #expect((-17 ... -7).contains(rig.number(at: "gain.gain")))
    rig.carryOut(.set(path: "gain.gain", value: "0"))
    rig.frames(30)
    #expect(rig.text(at: "gain.gain") == "0 dB" && rig.text(at: "other.gain") == "-1 dB")
    #expect(rig.router.fades.snapshot.isEmpty)
    #expect(rig.runner.overrides.live.map(\.target) == ["gain.gain"])
    #expect(rig.takeTold().filter { $0 == "set gain" }.count == 1)
  }

  @Test func `a cue goes to its scene, and the next follows with its messages`() throws {
    let rig = try Rig()
    rig.carryOut(.cue(.go))
    #expect(rig.takeTold() == ["cue 1 Doors", "scene storm in 1 s"])
    rig.frames(1)
    #expect(rig.takeTold().filter { !$0.hasPrefix("set") } == ["cue 2 Rain", "send /lift"])
    #expect(rig.router.cues.now?.cue?.number.description == "2")
    #expect(rig.show.dimmer.master == 0.25)
  }

  @Test func `settings before a reload are made before it, and after an end nothing is`() throws {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "gain.gain", value: "-3"), .reload, .set(path: "gain.gain", value: "-4"), .save)
    #expect(rig.takeTold() == ["set gain", "reload", "set gain", "save"])
    rig.carryOut(.set(path: "gain.gain", value: "-5"), .quit, .set(path: "gain.gain", value: "-6"), .reload)
    #expect(rig.takeTold() == ["quit"])
    #expect(rig.text(at: "gain.gain") == "-4 dB")
  }

  @Test func `a graph that is read again keeps what was set and the way to its scene`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "tone.level", value: "-20"), .scene(.named("storm")))
    rig.frames(30)
    let before = rig.router.scenes.now
    let text = Self.text.replacing("gain.gain: -18 dB", with: "gain.gain: -24 dB")
    let reading = rig.runner.read { overrides in
      Checker.complete.check(SourceText(path: "/nowhere/graph.yaml", text: text), overrides: overrides)
    }
    try rig.runner.change(to: #require(reading.checked.graph))
    rig.runner.take(reading)
    rig.runner.keep(before)
    #expect(reading.lost == [])
    #expect(rig.text(at: "tone.level") == "-20 dB" && (-17 ... -7).contains(rig.number(at: "gain.gain")))
    rig.frames(31)
    #expect(rig.text(at: "gain.gain") == "-24 dB")
    #expect(rig.runner.overrides.live.map(\.target) == ["tone.level"])
  }

  @Test func `another graph begins without what was set, and before its first cue`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "tone.level", value: "-20"), .cue(.go))
    let source = SourceText(path: "/nowhere/other.yaml", text: Self.text)
    try rig.runner.change(to: #require(Checker.complete.check(source).graph), fade: 2)
    rig.runner.load(source)
    #expect(rig.text(at: "tone.level") == "-12 dB" && rig.text(at: "gain.gain") == "-6 dB")
    #expect(rig.runner.overrides.live.isEmpty && rig.runner.overrides.scene == "calm")
    #expect(rig.router.fades.snapshot.isEmpty && rig.router.cues.now?.cue == nil)
  }
}
