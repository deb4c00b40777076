import Testing

@testable import OSC

@Suite struct NetworkTests {
  @Test(arguments: [
    ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.1", false),
    ("192.168.1.77/24", "192.168.1.1", true), ("10.0.0.0/8", "10.255.0.1", true),
    ("10.0.0.0/8", "11.0.0.0", false),
    ("10.0.0.5", "10.0.0.5", true), ("10.0.0.5", "10.0.0.4", false), ("10.0.0.4/31", "10.0.0.5", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("fd00::/8", "10.0.0.1", false),
    ("::/0", "2001:db8::1", true), ("::/0", "10.0.0.1", false),
    ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
    ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("2001:db8::1", "2001:db8::1", true),
    // IPv4-mapped IPv6 addresses, on either side.
    ("192.168.1.0/24", "::ffff:192.168.1.9", true), ("192.168.1.0/24", "::ffff:192.168.2.9", false),
    ("::ffff:192.168.1.0/120", "192.168.1.9", true), ("::ffff:192.168.1.0/120", "192.168.2.9", false),
  ])
  func `an address is in a network or not`(network: String, address: String, isIn: Bool) throws {
    #expect(try Network(network).contains(try #require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "", "/", "any", "192.168.1", "192.168.1.0/33", "192.168.1.0/-1", "192.168.1.0/", "192.168.1.0/24/1",
    "fd00::/129",
    "fd00::/x", "host/24", "fe80::1%eth0", "192.168.1.0 /24", "1.2.3.4/٨",
  ])
  func `an invalid network is refused`(text: String) {
    #expect(throws: OSCError.network(text)) { try Network(text) }
  }

  @Test func `a network is written in its normal form`() throws {
    #expect("\(try Network("192.168.1.77/24"))" == "192.168.1.0/24")
    #expect("\(try Network("fd00::1"))" == "fd00::1")
    #expect("\(try Network("FD00::/8"))" == "fd00::/8")
  }

  @Test func `this machine is always allowed, and others as listed`() throws {
    let some = AllowedPeers.networks([try Network("192.168.1.0/24"), try Network("fd00::/8")])
    for (text, isAllowed) in [
      ("127.0.0.1", true), ("127.200.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("192.168.1.4", true),
      ("fd12::1", true), ("192.168.0.4", false), ("128.0.0.1", false), ("::2", false), ("0.0.0.0", false),
    ] {
      let address = try #require(IPAddress(text))
      #expect(some.contains(address) == isAllowed, "\(text)")
      #expect(AllowedPeers.networks([]).contains(address) == address.isLoopback, "\(text)")
      #expect(AllowedPeers.any.contains(address))
    }
    #expect(AllowedPeers.words(some) == "192.168.1.0/24, fd00::/8")
    #expect(AllowedPeers.words(.any) == "any machine")
    #expect(AllowedPeers.words(nil) == "this machine" && AllowedPeers.words(.networks([])) == "this machine")
  }

  @Test(arguments: [
    ("7770", "127.0.0.1:7770", true), ("0.0.0.0:7770", "0.0.0.0:7770", false), ("[::]:1", "[::]:1", false),
    ("[::1]:65535", "[::1]:65535", true), ("127.0.0.2:80", "127.0.0.2:80", true),
    ("[fe80::1%lo]:7770", "[fe80::1%lo]:7770", false), ("192.168.1.5:7770", "192.168.1.5:7770", false),
    ("[::ffff:127.0.0.1]:5", "127.0.0.1:5", true),
  ])
  func `a place to listen is a port, or an address with a port`(text: String, shown: String, isOurs: Bool)
    throws
  {
    let address = try ListenAddress(text)
    #expect("\(address)" == shown && address.isLoopback == isOurs)
  }

  @Test(arguments: [
    "", "0", "70000", "0.0.0.0", "localhost:7770", "::1:7770", "[::1]", "osc.udp://0.0.0.0:7770/", "1.2.3:5",
    "-1",
    "127.0.0.1:0",
  ])
  func `an invalid place to listen is refused`(text: String) {
    #expect(throws: OSCError.self) { try ListenAddress(text) }
  }
}
