import Glibc
import System
import TestSupport
import Testing

@testable import OSC

/// HTTP requests, and what counts as an answer.
@Suite(.blocking) struct HttpExchangeTests {
  @Test func `a host is resolved once, and again when its address is forgotten`() throws {
    let device = try WledDevice()
    let lookups = Locked(0)
    let address = try Endpoint(host: "127.0.0.1", port: device.port)
    var exchange = HttpExchange(try Endpoint(host: "lamp.invalid", port: device.port), wake: nil) { _ in
      let count = lookups.withLock { count in
        count += 1
        return count
      }
      return count == 1 ? Lookup.ask(address) : .failure("gone")
    }
    _ = try exchange.get("/json/state", by: .after(seconds: 30))
    try exchange.post(#"{"on":true}"#, to: "/json/state", by: .after(seconds: 30))
    #expect(try device.report().posts == [#"{"on": true}"#])
    exchange.forgetAddress()
    #expect(throws: HttpExchange.Fault.unknownHost("gone")) {
      try exchange.get("/json/state", by: .after(seconds: 30))
    }
    #expect(lookups.withLock { $0 } == 2)
  }

  @Test func `a wake-up ends the wait for a connection, and without a pipe only the deadline does`() throws {
    let device = try WledDevice()
    try device.fill()
    let wake = try #require(WakePipe())
    wake.wake()
    func seconds(_ wake: WakePipe?) throws -> Double {
      var exchange = HttpExchange(try Endpoint(host: "127.0.0.1", port: device.port), wake: wake)
      let begin = now()
      #expect(throws: HttpExchange.Fault.system(Errno(ETIMEDOUT))) {
        try exchange.get("/json/state", by: .after(seconds: 0.5))
      }
      return now() - begin
    }
    #expect(try seconds(nil) >= 0.49)
    #expect(try shortest(below: 0.4) { try seconds(wake) } < 0.4)
  }

  private func body(_ text: String, isWhole: Bool = false) throws -> String? {
    try HttpExchange.body(of: Array(text.utf8), isWhole: isWhole).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `an answer is complete at its stated length, or at its end`() throws {
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
  func `an error status, or text that is no HTTP, is no answer`(_ text: String, _ status: Int) {
    #expect(throws: HttpExchange.Fault.status(status)) { try body(text, isWhole: true) }
  }
}
