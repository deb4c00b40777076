import Controls
import Testing

@testable import Viewer

/// How messages of pages are read, and why they are refused.
@Suite struct ViewRequestTests {
  private func fault(_ text: String) -> ViewFault? {
    do throws(ViewFault) {
      _ = try ViewRequest.read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a message that is no object with keys is refused, and the sentence says which of these it is`()
  {
    let cases: [(String, ViewFault, String)] = [
      ("nonsense", .notJSON, "the message is not valid JSON"),
      (#"{"ping": 1"#, .notJSON, "the message is not valid JSON"),
      ("[1]", .notAnObject, "the message is JSON, but not an object"), ("{}", .empty, "the object is empty"),
      (#"{"ping": 1, "ping": 2}"#, .duplicateKey("ping"), "ping is there more than once"),
    ]
    for (text, expected, sentence) in cases {
      let found = fault(text)
      #expect(found == expected, "\(text)")
      #expect(found?.code == "view-json" && found?.reason.hasPrefix(sentence + ";") == true, "\(text)")
    }
  }

  @Test func `a message may have every key at once`() throws {
    let text = #"""
      {"send": ["/visgraph/master", 1], "listen": "/visgraph/level", "rate": 5, "watch": ["graph"], "ping": 1,
      "connect": ["a:1", "b:1"], "disconnect": ["a:1", "b:1"], "stage": true, "state": 1, "sound": null, "leds": null}
      """#
    let requests = try ViewRequest.read(text)
    #expect(requests.count == 10 && ViewRequest.keys.count == 11)
    guard case .listen(let pattern, let rate) = requests[1] else { return #expect(Bool(false)) }
    #expect(pattern.text == "/visgraph/level" && rate == 5)
  }

  @Test func `an unknown key and a rate without a pattern are refused`() {
    #expect(fault(#"{"ping": 1, "pong": 2}"#) == .unknownKey("pong"))
    #expect(fault(#"{"DATA": "/a"}"#) == .unknownKey("DATA"))
    #expect(fault(#"{"rate": 5}"#) == .invalidValue("rate", takes: "a listen beside it"))
    #expect(fault(#"{"watch": [], "rate": "x"}"#)?.reason == "rate takes a listen beside it")
  }

  @Test func `a command of OSCQuery is refused with other keys beside it`() throws {
    let command = try ViewRequest.read(#"{"COMMAND": "LISTEN", "DATA": "/a"}"#)
    guard case .packets(of: "/a", isWanted: true)? = command.first, command.count == 1 else {
      return #expect(Bool(false), "\(command)")
    }
    let refused = fault(#"{"COMMAND": "LISTEN", "DATA": "/a", "send": ["/visgraph/quit"]}"#)
    #expect(refused == .keyBesideCommand("send") && refused?.code == "view-unknown")
    let expected = "send is there beside COMMAND; send it in a message of its own"
    #expect(refused?.reason == expected)
    #expect(fault(#"{"COMMAND": "LISTEN"}"#) == .invalidValue("DATA", takes: "an address"))
    #expect(fault(#"{"COMMAND": "PING", "DATA": "/a"}"#)?.code == "view-argument")
  }
}
