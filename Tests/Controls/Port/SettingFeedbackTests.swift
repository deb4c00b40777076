import Graphs
import OSC
import Testing

@testable import Controls

@Suite struct SettingFeedbackTests {
  private func values(_ state: FeedbackState) -> [String: [Argument]] {
    Dictionary(uniqueKeysWithValues: state.entries.map { ($0.address, $0.arguments) })
  }

  @Test func `a subscriber is sent settings as values, and numbers also as fader positions`() throws {
    let graph = try #require(try ControlFixture.checked().graph)
    var (feedback, state) = (SettingFeedback(), FeedbackState())
    feedback.write(graph, to: &state)
    let values = values(state)
    #expect(values["/visgraph/node/gain/gain"] == [.float(0)])
    #expect(values["/visgraph/fader/gain/gain"] == [.float(0.75)])
    #expect(values["/visgraph/node/gain/mute"] == [.int(0)])
    #expect(values["/visgraph/fader/gain/mute"] == nil)
    #expect(values["/visgraph/node/meter/reference"] == [.string("sine")])
    // A record of other settings has no message of its own.
    #expect(values["/visgraph/node/sparks/cells"] == nil)
  }

  @Test func `an unchanged setting is not sent again, and a channel is sent once it has its own value`()
    throws
  {
    let graph = try #require(try ControlFixture.checked().graph)
    var (feedback, state) = (SettingFeedback(), FeedbackState())
    state.beginPoll()
    feedback.write(graph, to: &state)
    func changed(_ path: String, _ value: SettingValue, in graph: inout CheckedGraph) throws -> Set<String> {
      let changed = try #require(graph.setting(Override(target: path, value: value)))
      graph = changed.graph
      state.beginPoll()
      feedback.write(graph, to: &state)
      return Set(state.entries.filter { $0.version == state.version }.map(\.address))
    }
    var now = graph
    #expect(
      try changed("gain.gain", .number(-0.0), in: &now) == [])
    #expect(
      try changed("gain.gain", .number(-10), in: &now)
        == ["/visgraph/node/gain/gain", "/visgraph/fader/gain/gain"])
    #expect(values(state)["/visgraph/fader/gain/gain"] == [.float(0.5)])
    #expect(
      try changed("gain.each.2.gain", "-10 dB", in: &now).isSuperset(of: [
        "/visgraph/node/gain/2/gain", "/visgraph/fader/gain/2/gain",
      ]))
    #expect(values(state)["/visgraph/node/gain/2/gain"] == [.float(-10)])
    #expect(try changed("gain.mute", .flag(true), in: &now).contains("/visgraph/node/gain/mute"))
    #expect(values(state)["/visgraph/node/gain/mute"] == [.int(1)])
  }
}
