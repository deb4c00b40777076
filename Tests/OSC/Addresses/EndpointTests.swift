import CLiblo
import Glibc
import Testing

@testable import OSC

@Suite struct EndpointTests {
  @Test(arguments: [
    ("127.0.0.1:7700", "127.0.0.1", UInt16(7700)),
    ("rig.local:1", "rig.local", 1),
    ("localhost:65535", "localhost", 65535),
    ("[::1]:7700", "::1", 7700),
    ("[fe80::1%eth0]:9000", "fe80::1%eth0", 9000),
    ("osc.udp://stage-left:7700/", "stage-left", 7700),
    ("osc.udp://stage-left:7700", "stage-left", 7700),
    ("OSC.UDP://[::1]:07700/", "::1", 7700),
    ("osc://10.0.0.7:53000/", "10.0.0.7", 53000),
  ])
  func `host and port are read from all notations`(text: String, host: String, port: UInt16) throws {
    let endpoint = try Endpoint(text)
    #expect(endpoint.host == host)
    #expect(endpoint.port == port)
  }

  @Test(arguments: [
    ("osc.tcp://eos:3032/", OSCError.endpointTransport("osc.tcp")),
    ("osc.unix:///tmp/x", .endpointTransport("osc.unix")),
    ("http://a:1/", .endpointScheme("http")),
    ("", .endpointHost("")),
    (":7700", .endpointHost("")),
    ("osc.udp://", .endpointHost("")),
    ("rig", .endpointPort("")),
    ("127.0.0.1", .endpointPort("")),
    ("rig:", .endpointPort("")),
    ("rig:0", .endpointPort("0")),
    ("rig:65536", .endpointPort("65536")),
    ("rig:7700x", .endpointPort("7700x")),
    ("rig:+7", .endpointPort("+7")),
    ("rig:-1", .endpointPort("-1")),
    ("rig:٣", .endpointPort("٣")),
    ("127.0.0.256:7700", .endpointHost("127.0.0.256")),
    ("1.2.3:7700", .endpointHost("1.2.3")),
    ("a b:7700", .endpointHost("a b")),
    ("käse:7700", .endpointHost("käse")),
    ("::1", .endpointNeedsBrackets("::1")),
    ("::1:7700", .endpointNeedsBrackets("::1:7700")),
    ("fe80::1:2:7700x", .endpointNeedsBrackets("fe80::1:2:7700x")),
    ("[::1", .endpointHost("[::1")),
    ("[::1]", .endpointPort("")),
    ("[::1]7700", .endpointPath("7700")),
    ("[rig]:7700", .endpointHost("rig")),
    ("[::1%]:7700", .endpointHost("::1%")),
    ("osc.udp://rig:7700/level", .endpointPath("/level")),
    ("rig:7700/level", .endpointPort("7700/level")),
  ])
  func `an invalid endpoint is refused with the reason`(text: String, fault: OSCError) {
    #expect(throws: fault) { try Endpoint(text) }
  }

  @Test func `a scheme selects the transport`() throws {
    #expect(try Endpoint("rig:1").transport == .udp && Endpoint("udp://rig:1").transport == .udp)
    #expect(
      try Endpoint("osc.tcp://eos:3032/", streams: true).transport == .tcp
        && Endpoint("tcp://eos:3032", streams: true).transport == .tcp)
    #expect(try Endpoint("osc.slip://eos:3037", streams: true).transport == .slip)
    #expect(try Endpoint("osc.slip://[::1]:3037/", streams: true).description == "osc.slip://[::1]:3037")
    #expect(try Endpoint("osc.tcp://eos:3032", streams: true).url == "osc.tcp://eos:3032/")
    #expect(try Endpoint("osc.tcp://eos:3032", streams: true) != Endpoint("eos:3032"))
  }

  @Test func `an endpoint is written as it is read`() throws {
    #expect(try Endpoint("osc.udp://rig:7700/").description == "rig:7700")
    #expect(try Endpoint("[::1]:7700").description == "[::1]:7700")
    #expect(try Endpoint("[::1]:7700").url == "osc.udp://[::1]:7700/")
  }

  @Test func `only addresses are numeric`() throws {
    #expect(try Endpoint("127.0.0.1:1").isNumeric)
    #expect(try Endpoint("[::1]:1").isNumeric)
    #expect(try !Endpoint("localhost:1").isNumeric)
  }

  @Test(arguments: ["127.0.0.1:7700", "rig.local:1", "[::1]:7700", "[fe80::1%eth0]:9000"])
  func `liblo reads our URLs the same way`(text: String) throws {
    let endpoint = try Endpoint(text)
    let host = try #require(lo_url_get_hostname(endpoint.url))
    let port = try #require(lo_url_get_port(endpoint.url))
    defer {
      free(host)
      free(port)
    }
    #expect(String(cString: host) == endpoint.host)
    #expect(String(cString: port) == String(endpoint.port))
    #expect(lo_url_get_protocol_id(endpoint.url) == LO_UDP)
  }
}
