import Engine
import Graphs
import Nodes
import OSC
import Realtime
import System
import Testing

@testable import Controls

/// Commands that change the graph, in a show that no host runs.
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

  /// A show with its runner, and a log of what the runner does and reports, in order.
  private final class Rig {
    let show = Show()
    let router: CommandRouter
    let log = Locked<[String]>([])
    var isEnding = false
    /// The reason why the next graph cannot run.
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
      runner.events.note = { [unowned self] in note($0) }
      runner.events.fadeEnded = { [log] path, fault in
        log.withLock { $0.append("\(path): \(fault.code)") }
      }
      runner.events.send = { [unowned self] messages, _ in
        for message in messages { note("send \(message.message.address)") }
      }
      runner.events.other = { [unowned self] change in
        note("\(change.command)")
        if change.command == .quit { isEnding = true }
      }
      self.runner = runner
      runner.begin()
    }

    /// Passes the runner's effects to the rig. The reference is unowned, so that rig and runner form no cycle.
    private final class Effects: ChangeEffects {
      private unowned let rig: Rig
      init(_ rig: Rig) { self.rig = rig }
      func set(_ nodes: [Int], as graph: CheckedGraph, at frame: Int64?) -> Set<Int> {
        rig.set(nodes, as: graph, at: frame)
      }
      func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
        try rig.change(to: graph, fade: seconds)
      }
    }

    func note(_ line: String) { log.withLock { $0.append(line) } }

    func takeLog() -> [String] {
      log.withLock { log in
        defer { log = [] }
        return log
      }
    }

    func set(_ nodes: [Int], as graph: CheckedGraph, at frame: Int64?) -> Set<Int> {
      note("set \(nodes.map { graph.nodes[$0].id }.joined(separator: " "))")
      return show.set(nodes, as: graph, at: frame)
    }

    func change(to graph: CheckedGraph, fade seconds: Double?) throws(ControlError) {
      note("change")
      if let fault { throw fault }
      do { try show.change(to: graph, configuration, host: nil, fade: seconds, while: { false }) } catch {
        throw .graph(code: "cannot-run", "\(error)", notes: [])
      }
    }

    /// Carries out commands that come together.
    func carryOut(_ commands: ShowCommand...) {
      runner.carryOut(
        commands.map { command in
          GraphChange(command: command) { [log] fault in log.withLock { $0.append(fault.code) } }
        })
    }

    /// Advances fades and cues by `count` frames of 1/60 s, and carries out the queued commands before each.
    func advance(_ count: Int) {
      for _ in 0..<count {
        router.fades.advance(by: 1.0 / 60)
        runner.carryOut(router.takeChanges())
        runner.followCues()
      }
    }

    func text(at path: String) -> String? { runner.graph.text(at: path) }
    func number(at path: String) -> Double { runner.graph.number(at: path)?.value ?? .nan }
  }

  @Test func `settings that come together are one change, and a faulty one does not stop the others`() throws
  {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "gain.gain", value: "-3"), .set(path: "other.gain", value: "nonsense"),
      .set(path: "tone.level", value: "-20"))
    #expect(rig.takeLog() == ["set tone gain", "wrong-value"])
    #expect(rig.text(at: "gain.gain") == "-3 dB" && rig.text(at: "tone.level") == "-20 dB")
    #expect(rig.runner.overrides.live.map(\.target) == ["tone.level", "gain.gain"])
    #expect(rig.show.plan?.graph.text(at: "gain.gain") == "-3 dB")
  }

  @Test func `a setting that needs new state makes another graph, and one that cannot run changes nothing`()
    throws
  {
    let rig = try Rig()
    let number = rig.show.plan?.number
    rig.carryOut(.set(path: "low.count", value: "5"))
    #expect(rig.takeLog() == ["change"])
    #expect(rig.text(at: "low.count") == "5" && rig.show.plan?.number != number)
    rig.fault = .graph(code: "cannot-run", "no", notes: [])
    rig.carryOut(.set(path: "low.count", value: "7"))
    #expect(rig.takeLog() == ["change", "cannot-run"])
    #expect(rig.text(at: "low.count") == "5")
    #expect(rig.runner.overrides.live.map(\.value) == ["5"])
  }

  @Test func `a scene fades step by step, and a setting by hand ends the fade of that setting`() throws {
    let rig = try Rig()
    #expect(rig.runner.overrides.scene == "calm" && rig.router.scenes.now?.name == "calm")
    rig.carryOut(.scene(.named("storm")))
    #expect(rig.takeLog() == ["scene storm in 1 s"])
    rig.advance(30)
    #expect((-17 ... -7).contains(rig.number(at: "gain.gain")))  // on its way from -6 dB to -18 dB
    rig.carryOut(.set(path: "gain.gain", value: "0"))
    rig.advance(30)
    #expect(rig.text(at: "gain.gain") == "0 dB" && rig.text(at: "other.gain") == "-1 dB")
    #expect(rig.router.fades.snapshot.isEmpty)
    #expect(rig.runner.overrides.live.map(\.target) == ["gain.gain"])
    #expect(rig.takeLog().filter { $0 == "set gain" }.count == 1)
  }

  @Test func `a cue goes to its scene, and the next one follows with its messages`() throws {
    let rig = try Rig()
    rig.carryOut(.cue(.go))
    #expect(rig.takeLog() == ["cue 1 Doors", "scene storm in 1 s"])
    rig.advance(1)
    #expect(rig.takeLog().filter { !$0.hasPrefix("set") } == ["cue 2 Rain", "send /lift"])
    #expect(rig.router.cues.now?.cue?.number.description == "2")
    #expect(rig.show.dimmer.master == 0.25)
  }

  @Test func `settings before a reload are made before it, and quit drops all commands that come with it`()
    throws
  {
    let rig = try Rig()
    rig.carryOut(
      .set(path: "gain.gain", value: "-3"), .reload, .set(path: "gain.gain", value: "-4"), .save)
    #expect(rig.takeLog() == ["set gain", "reload", "set gain", "save"])
    rig.carryOut(.set(path: "gain.gain", value: "-5"), .quit, .set(path: "gain.gain", value: "-6"), .reload)
    #expect(rig.takeLog() == ["quit"])
    #expect(rig.text(at: "gain.gain") == "-4 dB")
  }

  @Test func `offline a cue leaves out commands that read or save graphs, and that is reported once`() throws
  {
    let first = Self.text.replacing(
      "scene: storm, continue: 0", with: "do: [/visgraph/graph/reload, /visgraph/graph/save]")
    let text = first.replacing("do: [/visgraph/master", with: "do: [/visgraph/graph/save, /visgraph/master")
    let rig = try Rig(text)
    let go = GraphChange(command: .cue(.go)) { [log = rig.log] fault in
      log.withLock { $0.append(fault.code) }
    }
    rig.runner.carryOut([go], as: 1)
    #expect(rig.takeLog() == ["cue 1 Doors", "control-value"])
    rig.runner.carryOut([go], as: 2)
    #expect(rig.takeLog() == ["cue 2 Rain", "send /lift"])
    #expect(rig.show.dimmer.master == 0.25)
  }

  @Test func `a reloaded graph keeps the settings that were made, and the crossfade to its scene`() throws {
    let rig = try Rig()
    rig.carryOut(.set(path: "tone.level", value: "-20"), .scene(.named("storm")))
    rig.advance(30)
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
    rig.advance(31)
    #expect(rig.text(at: "gain.gain") == "-24 dB")
    #expect(rig.runner.overrides.live.map(\.target) == ["tone.level"])
  }

  @Test func `another graph starts without the settings that were made, and before its first cue`() throws {
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
