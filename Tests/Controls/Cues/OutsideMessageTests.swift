import Engine
import Graphs
import OSC
import TestSupport
import Testing

@testable import Controls

/// Messages of cues and alarms to other programs.
@Suite(.waiting) struct OutsideMessageTests {
  private func graph(_ text: String) throws -> CheckedGraph {
    let checked = Checker.complete.check(SourceText(path: "/nowhere/graph.yaml", text: text))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))")
  }

  private func text(_ port: UInt16) -> String {
    """
    visgraph: 1
    scenes: { calm: { gain.gain: -6 dB } }
    cues:
      1: { scene: calm, do: ['osc.udp://127.0.0.1:\(port)/lift 1 0.5 "so high"', /visgraph/master 0.5, '127.0.0.1:\(port)/haze'] }
    clock:
      - { at: "22:00", do: [/visgraph/blackout, '127.0.0.1:\(port)/gong 22'] }
    nodes: { tone: { type: tone-source }, gain: { type: gain }, out: { type: jack-output } }
    wires: [tone -> gain -> out]
    """
  }

  @Test func `a cue sends its messages to another program, and carries out the rest in its own show`() throws
  {
    let receiver = try OscReceiver()
    let text = text(receiver.port)
    let graph = try graph(text)
    let show = Show()
    defer { show.close() }
    try show.open(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
    let router = CommandRouter(show: show) {}
    router.cues.restore(at: nil, follows: false, in: graph)
    var overrides = SettingOverrides(
      Checker.complete, SourceText(path: "/nowhere/graph.yaml", text: text), given: [])
    let go = GraphChange(command: .cue(.go)) { fault in Issue.record("\(fault)") }
    let steps = overrides.steps(of: go, in: graph, router, show, AllowedFolders([]))
    #expect(steps.commands.count == 1 && steps.settings.map(\.command.settingPath) == ["gain.gain"])
    let sender = MessageSender(show)
    // Its first cue comes before its receivers are known.
    for message in steps.outside {
      sender.send(message, at: 0) { fault in Issue.record("\(fault)") }
    }
    #expect(poll { receiver.messages.map(\.address) == ["/lift", "/haze"] }, "\(receiver.messages)")
    #expect(receiver.messages.map(\.values) == [[.int(1), .float(0.5), .string("so high")], []])
    sender.take(graph.hooks, cues: graph.cues, alarms: graph.alarms)
    #expect(show.reports.map(\.id) == ["cues"] && show.reports.first?.sent == 2)
    #expect(show.reports.first?.sample == "127.0.0.1:\(receiver.port)/haze")
    sender.take(ShowHooks())
    #expect(show.reports == [])
  }

  @Test func `an alarm sends to another program, and none of its messages is refused`() throws {
    let receiver = try OscReceiver()
    let graph = try graph(text(receiver.port))
    let show = Show()
    let alarm = try #require(graph.alarms.first)
    let commands = alarm.commands(show, AllowedFolders([])) { fault in Issue.record("\(fault)") }
    #expect(commands.count == 1)
    let sender = MessageSender(show)
    sender.take(graph.hooks, alarms: graph.alarms)
    #expect(show.reports.map(\.id) == ["clock"])
    for message in alarm.action.outside {
      sender.send(message, at: 0) { fault in Issue.record("\(fault)") }
    }
    #expect(
      poll { receiver.messages.map(\.address) == ["/gong"] && receiver.messages[0].values == [.int(22)] })
  }
}
