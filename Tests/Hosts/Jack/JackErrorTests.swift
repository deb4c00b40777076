@testable import Hosts
import Testing

@Suite struct JackErrorTests {
  static let all: [JackError] = [
    .badName("a:b"), .noServer(nil), .noServer("studio"), .nameTaken("visgraph"), .serverName("studio"),
    .refused(status: 0x121), .stopped,
  ]

  @Test func `every error has its own code and sentence`() {
    #expect(Set(Self.all.map(\.code)).count == 6)
    #expect(Set(Self.all.map(\.description)).count == Self.all.count)
    for error in Self.all { #expect(error.code.hasPrefix("jack-") && !error.description.isEmpty) }
  }

  @Test(
    arguments: [
      (0x41, "no such client"), (0x121, "communication error, the client cannot be initialized"),
      (0x201, "no shared memory: is the server another user's?"), (0x801, "backend error"),
      (0x1001, "the server has removed the client"),
    ] as [(UInt32, String)])
  func `a refusal has the words of JACK's status bits, and their number`(_ status: UInt32, _ words: String) {
    #expect(
      JackError.refused(status: status).description
        == "the JACK server refuses the client (\(words), status 0x\(String(status, radix: 16)))")
  }

  @Test func `a missing server is named, and the sentence says what to do`() {
    let message = JackError.noServer("studio").description
    #expect(message.hasPrefix("no JACK server named \"studio\" answers."))
    #expect(message.contains("--host clock"))
  }

  @Test func `sentences of notifications have no number that means nothing`() {
    #expect(JackNotification.serverLost(reason: "").description == "the JACK server has gone")
    #expect(JackNotification.serverLost(reason: "killed").description == "the JACK server has gone (killed)")
    #expect(
      JackNotification.connectionRefused(port: "in_1", other: "a:b", number: 0).description
        == "JACK does not connect in_1 to a:b")
    #expect(
      JackNotification.connectionsDropped(1).description
        == "1 connection is not made: too many were asked for while JACK did not answer")
    #expect(
      JackNotification.back(name: "visgraph", rate: 48000, period: 64).description
        == "the JACK server is back: client \"visgraph\", 48000 Hz, 64 samples a cycle")
  }

  @Test func `connections by hand wait for a server, and those above the limit are counted`() {
    var board = JackSharedState()
    for number in 0..<66 { board.patch(JackPatch(from: "a:\(number)", to: "b:1", isMade: true)) }
    let patches = board.takePatches()
    #expect(patches.waiting.count == 64 && patches.waiting.first?.from == "a:0" && patches.dropped == 2)
    let secondTake = board.takePatches()
    #expect(secondTake.waiting.isEmpty && secondTake.dropped == 0)
  }
}
