import Testing

@testable import Graphs

@Suite struct DiagnosticTests {
  @Test func `text from outside cannot move the cursor of a terminal`() {
    let fault = Diagnostic("x", "\"a\tb\u{202E}\u{1B}[2J\" is no host", at: nil, notes: ["known are \u{7}é"])
    #expect(fault.message == "\"a\\u{9}b\\u{202e}\\u{1b}[2J\" is no host")
    #expect(fault.notes == ["known are \\u{7}é"])
  }

  @Test func `a long sentence is cut`() {
    let fault = Diagnostic("x", String(repeating: "é", count: 5000), at: nil)
    #expect(fault.message == String(repeating: "é", count: 2000) + "…")
  }
}
