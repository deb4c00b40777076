import Graphs
import Nodes
import OSC
import Playback
import Testing

@testable import Controls

/// The settings of a player are declared once, in `PlayerParameters`.
@Suite struct PlayerParameterTests {
  private func kind(_ name: String) -> ValueKind? {
    everyNode.first { $0.name == "file-source" }?.setting(at: name)?.kind
  }

  @Test(arguments: [PlayerParameters.rate, PlayerParameters.volume, PlayerParameters.pan])
  func `a number has one name and one range in graph files, messages and the status`(
    _ number: PlayerNumber
  ) throws {
    #expect(kind(number.name)?.span == number.span)
    let verb = try #require(TransportVerb.all.first { $0.name == number.name })
    #expect(verb.arguments.hasPrefix(number.span) && verb.help.hasPrefix(number.help))
    let fact = try #require(PlayerFact.all.first { $0.name == number.name })
    #expect(fact.help.hasPrefix("\(number.span): "))
    let wrong = try ControlFixture.refusal("/visgraph/transport/\(number.name)", .int(7))
    #expect(wrong == "control-argument: the \(number.name) is 7; it takes a number \(number.span)")
  }

  @Test func `a word has one name and one set of words in graph files, messages and the status`() throws {
    func check<Choice>(_ word: PlayerWord<Choice>) throws {
      let words = Choice.allCases.map(\.rawValue)
      #expect(kind(word.name)?.words == "one of " + words.joined(separator: ", "))
      let verb = try #require(TransportVerb.all.first { $0.name == word.name })
      #expect(verb.arguments == words.joined(separator: " | "))
      let fact = try #require(PlayerFact.all.first { $0.name == word.name })
      #expect(fact.help.hasPrefix(words.map { "`\($0)`" }.joined(separator: ", ")))
    }
    try check(PlayerParameters.pitch)
    try check(PlayerParameters.again)
  }

  @Test func `the changed settings, and no others, become commands`() {
    var new = PlayerSettings()
    #expect(new.commands(since: PlayerSettings()).isEmpty)
    (new.rate, new.repeatMode, new.plays) = (1.5, .one, false)
    #expect(new.commands(since: PlayerSettings()) == [.rate(1.5), .again(.one)])
  }
}
