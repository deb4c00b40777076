import OSC
import Testing

@Suite struct MessageTextTests {
  @Test(arguments: [
    ("/a", Message("/a")),
    ("  /a\t1  -2 0.5 1e3 x ", Message("/a", .int(1), .int(-2), .float(0.5), .float(1000), .string("x"))),
    ("/a nan inf 1s 99999999999", Message("/a", .string("nan"), .string("inf"), .string("1s"), .float(1e11))),
    (#"/a "two words" "1" "" "#, Message("/a", .string("two words"), .string("1"), .string(""))),
    (#"/a "say \"so\"" "\\" x"y"#, Message("/a", .string(#"say "so""#), .string("\\"), .string(#"x"y"#))),
    ("/visgraph/node/*/gain -6", Message("/visgraph/node/*/gain", .int(-6))),
  ])
  func `a text is an address and arguments`(text: String, message: Message) throws {
    let read = try MessageText(text)
    #expect(read.message == message && read.endpoint == nil)
  }

  @Test(arguments: [
    ("osc.udp://127.0.0.1:9000/alarm 1", "127.0.0.1:9000"), ("rig.local:9000/alarm 1", "rig.local:9000"),
    ("[::1]:9000/alarm 1", "[::1]:9000"),
  ])
  func `an address may have a host in front`(text: String, endpoint: String) throws {
    let read = try MessageText(text)
    #expect(read.message == Message("/alarm", .int(1)))
    #expect(read.endpoint?.description == endpoint)
  }

  @Test(arguments: [
    ("", "osc-address-start"), ("alarm 1", "osc-address-start"), ("127.0.0.1:9000 1", "osc-address-start"),
    (#""/a" 1"#, "osc-address-start"), (#"/a "b"#, "osc-quote"), ("127.0.0.1:0/a", "osc-port"),
    ("http://127.0.0.1:80/a", "osc-scheme"), ("127.0.0.1:9000/a*", "osc-address-character"),
    ("127.0.0.1:9000/", "osc-address-empty"),
  ])
  func `an invalid message is reported`(text: String, code: String) {
    #expect {
      _ = try MessageText(text)
    } throws: { ($0 as? OSCError)?.code == code }
  }
}
