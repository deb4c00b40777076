import System
import Testing

@testable import visgraph

@Suite struct CommandContextTests {
  @Test func `what a thread of a command prints goes where the command's output goes`() throws {
    let printed = Locked<[String]>([])
    let context = CommandContext(output: { text, descriptor in
      printed.withLock { $0.append("\(descriptor) \(text)") }
    })
    let thread = try CommandContext.$current.withValue(context) {
      try System.Thread("prints", CommandContext.inherited { printResult("a row") })
    }
    thread.join()
    #expect(printed.withLock { $0 } == ["1 a row\n"])
  }
}
