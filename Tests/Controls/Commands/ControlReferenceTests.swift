import Testing

@testable import Controls

@Suite struct ControlReferenceTests {
  @Test func `every command is in the docs, once`() {
    let addresses = ControlCommandTable.all.map(\.address)
    #expect(Set(addresses).count == addresses.count)
    for address in addresses where !address.hasPrefix("/visgraph/node/ID/transport/") {
      #expect(ControlReference.markdown.contains("| `\(address)` |"))
    }
    for command in ControlCommandTable.all { #expect(ControlReference.text.contains(command.usage)) }
    for fact in PlayerFact.all { #expect(ControlReference.markdown.contains("| `\(fact.name)` |")) }
  }

  @Test func `a token bucket passes a number of actions at once, and then a number a second`() {
    var bucket = TokenBucket(perSecond: 10, atOnce: 3)
    var passed: [Bool] = []
    for time in [0, 0, 0, 0, 0, 0.11, 0.12, 100, 100, 100, 100] { passed.append(bucket.take(at: time)) }
    #expect(passed == [true, true, true, false, false, true, false, true, true, true, false])
  }
}
