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

  @Test func `an allowance lets so many pass at once, and then so many a second`() {
    var allowance = TokenBucket(perSecond: 10, atOnce: 3)
    var passed: [Bool] = []
    for time in [0, 0, 0, 0, 0, 0.11, 0.12, 100, 100, 100, 100] { passed.append(allowance.take(at: time)) }
    #expect(passed == [true, true, true, false, false, true, false, true, true, true, false])
  }
}
