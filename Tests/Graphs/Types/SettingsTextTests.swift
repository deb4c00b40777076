import Testing

@testable import Graphs

@Suite struct SettingsTextTests {
  private func node(_ settings: String) throws -> CheckedNode {
    let graph = try #require(check("visgraph: 1\nnodes: { t: { type: tone, \(settings) } }").graph)
    return try #require(graph.nodes.first)
  }

  @Test func `settings are listed as text, and those of single channels last`() throws {
    let texts = try node("channels: 2, each: { 2: { gain: -3 } }").settingsTexts
    #expect(
      texts.map { "\($0.field) \($0.channel ?? -1) \($0.text)" } == [
        "channels -1 2", "names -1 []", "frequency -1 440 Hz", "gain -1 0 dB", "path -1 \"\"",
        "frequency 1 440 Hz",
        "gain 1 -3 dB",
      ])
  }

  @Test func `a key changes only with settings of its kind of change`() throws {
    let before = try node("channels: 2")
    let louder = try node("channels: 2, gain: 3")
    let wider = try node("channels: 3")
    #expect(before.settingsKey(.rebuild) == louder.settingsKey(.rebuild))
    #expect(before.settingsKey(.live) != louder.settingsKey(.live))
    #expect(before.settingsKey(.rebuild) != wider.settingsKey(.rebuild))
  }

  @Test func `records and maps are written so that they read back`() throws {
    let text = "{ a: { birthRate: 5 /s, cells: { \"b, c\": { color: \"#FF000080\" } } } }"
    let graph = try #require(
      check(
        "visgraph: 1\nnodes: { t: { type: tone }, m: { type: gauge }, c: { type: curve }, p: { type: sprinkler, cells: \(text) } }\nwires: [t -> m -> c -> p]"
      ).graph)
    #expect(graph.nodes[3].settingsTexts[0].text == text)
  }
}
