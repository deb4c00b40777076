import Testing

@testable import OSC

@Suite struct OSCErrorTests {
  static let all: [OSCError] = [
    .endpointScheme("http"), .endpointTransport("osc.tcp"), .endpointHost("a b"),
    .endpointNeedsBrackets("::1:1"),
    .endpointPort("x"), .endpointPath("/x"), .endpointFile("x", longest: 107), .addressStart("x"),
    .addressCharacter("*", at: 1, in: "/*"),
    .addressEmptyPart(at: 0, in: "/"), .unknownPlaceholder("nodes", at: 1, nearest: "node"),
    .openPlaceholder(at: 1, in: "/{"), .equalAddresses("/a", first: 0, second: 1),
    .addressCount(given: 1, needed: 2), .setting(name: "rate", value: -1, allowed: "0 or more"),
    .packetTooLarge(bytes: 70_000, limit: 65_507), .openQuote("/a \"b"), .zeroByte("a\0"), .emptyBlob,
    .notANumber, .outOfMemory,
    .network("x"), .listen("x"), .packet(.text, at: 4), .fileExists("x.osc"), .file("x.osc", errno: 28),
  ]

  @Test func `every fault has its own code and a sentence on one line`() {
    #expect(Set(Self.all.map(\.code)).count == Self.all.count && Self.all.count == 26)
    for fault in Self.all {
      #expect(fault.code.hasPrefix("osc-"))
      #expect(
        !fault.description.isEmpty && !fault.description.contains("\n") && !fault.description.contains("\0"))
    }
  }

  @Test(arguments: [
    (
      OSCError.endpointTransport("osc.tcp"),
      "osc.tcp:// is not possible here; use UDP: HOST:PORT or osc.udp://HOST:PORT/"
    ),
    (.endpointPort("70000"), "\"70000\" is no port; ports are 1…65535"),
    (
      .unknownPlaceholder("chanel", at: 1, nearest: "channel"),
      "there is no {chanel}; placeholders are {node} {source} {channel} {name}; did you mean {channel}?"
    ),
    (
      .equalAddresses("/a", first: 0, second: 1),
      "channels 1 and 2 would both be sent to /a; put {channel} into the address"
    ),
    (.packet(.ragged, at: 9), "the packet is broken at byte 9: its length is no multiple of 4"),
    (
      .packet(.unknownType(0x07), at: 9),
      "the message is left out, because of byte 9: the type tag \\u{07} is none of i f s b h d t T F N I"
    ),
    (.file("x.osc", errno: 28), "x.osc: No space left on device"),
  ])
  func `sentences state the fault and the allowed values`(fault: OSCError, message: String) {
    #expect(fault.description == message)
  }
}
