import Controls
import Testing

@Suite struct ShowCommandTests {
  @Test func `commands can be compared`() { #expect(ShowCommand.master(1) != .master(0)) }
}
