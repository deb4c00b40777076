import Testing

@testable import OSC

/// What is taken for an answer by HTTP.
@Suite struct HttpExchangeTests {
  private func body(_ text: String, isWhole: Bool = false) throws -> String? {
    try HttpExchange.body(of: Array(text.utf8), isWhole: isWhole).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `an answer is whole at the length it says, or at its end`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-type: text\r\n"
    #expect(try body("\(head)content-length:  2\r\n\r\n{}more") == "{}")
    #expect(try body("\(head)Content-Length: 3\r\n\r\n{}") == nil)
    #expect(try body("\(head)\r\n{}") == nil && body("\(head)\r\n{}", isWhole: true) == "{}")
    #expect(try body("HTTP/1.1 20") == nil)
    #expect(try body("\(head)Content-Length: -5\r\n\r\n{}") == "")
  }

  @Test(arguments: [
    ("HTTP/1.1 404 Not Found\r\n\r\n", 404), ("HTTP/1.0 500\r\n\r\n", 500), ("SSH-2.0\r\n\r\n", 0),
    ("HTTP/1.1\r\n\r\n", 0), ("HTTP/1.1 two\r\n\r\n", 0), ("\r\n\r\n", 0), ("", 0), ("\u{FF}\r\n\r\n", 0),
  ])
  func `what says no, or is no HTTP, is no answer`(_ text: String, _ status: Int) {
    #expect(throws: HttpExchange.Fault.status(status)) { try body(text, isWhole: true) }
  }
}
