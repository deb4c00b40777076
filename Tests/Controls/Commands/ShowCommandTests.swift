import Controls
import Testing

@Suite struct ShowCommandTests {
  @Test func `commands are data`() { #expect(ShowCommand.master(1) != .master(0)) }
}
