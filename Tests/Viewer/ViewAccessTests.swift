import Graphs
import NIOHTTP1
import OSC
import Testing

@testable import Viewer

/// Who may open what.
@Suite struct ViewAccessTests {
  private static let other = IPAddress("192.168.1.7")!

  private func access(allow: AllowedPeers? = nil, stage: String? = nil, desk: String? = nil) -> ViewAccess {
    var settings = ViewSettings()
    settings.allow = allow
    settings.key.stage = stage
    settings.key.desk = desk
    return ViewAccess(settings)
  }

  private func visitor(
    _ peer: IPAddress = .loopback, host: String? = "127.0.0.1:7780", origin: String? = nil,
    key: String? = nil, isForwarded: Bool = false
  ) -> ViewAccess.Visitor {
    ViewAccess.Visitor(peer: peer, host: host, origin: origin, key: key, isForwarded: isForwarded)
  }

  @Test func `this machine may steer, and others are not heard unless they are allowed`() throws {
    #expect(access().right(of: visitor()) == .success(.steer))
    #expect(access().hears(.loopback) && !access().hears(Self.other))
    let open = access(allow: .networks([try Network("192.168.1.0/24")]))
    #expect(open.hears(Self.other))
    #expect(open.right(of: visitor(Self.other, host: "192.168.1.2:7780")) == .success(.steer))
    // It needs no key; whoever has it show a wrong one is not to lock it out.
    #expect(access(desk: "a-word-of-ours").right(of: visitor(key: "another-word")) == .success(.steer))
  }

  @Test func `a key for the desk leaves the stage to everybody, and words for both tell them apart`() {
    let desk = access(allow: .any, desk: "a-word-of-ours")
    #expect(desk.right(of: visitor(Self.other)) == .success(.watch))
    #expect(desk.right(of: visitor(Self.other, key: "a-word-of-ours")) == .success(.steer))
    #expect(desk.right(of: visitor(Self.other, key: "a-word-of-our")) == .failure(.wrongKey))
    #expect(desk.right(of: visitor()) == .success(.steer))
    let both = access(allow: .any, stage: "look-at-it", desk: "a-word-of-ours")
    #expect(both.right(of: visitor(Self.other)) == .failure(.noKey))
    #expect(both.right(of: visitor(Self.other, key: "look-at-it")) == .success(.watch))
    #expect(both.right(of: visitor(Self.other, key: "a-word-of-ours")) == .success(.steer))
    #expect(both.right(of: visitor(Self.other, key: "a-word-of-ours"), mayTry: false) == .failure(.tooMuch))
  }

  @Test func `a page of another origin needs the key, on this machine too`() {
    let foreign = visitor(origin: "https://example.org")
    #expect(access().right(of: foreign) == .failure(.origin))
    #expect(access(desk: "a-word-of-ours").right(of: foreign) == .failure(.origin))
    var known = foreign
    known.key = "a-word-of-ours"
    #expect(access(desk: "a-word-of-ours").right(of: known) == .success(.steer))
    #expect(access().right(of: known) == .failure(.origin))
    #expect(access().right(of: visitor(origin: "null")) == .failure(.origin))
    #expect(access().right(of: visitor(origin: "http://127.0.0.1:7780")) == .success(.steer))
  }

  @Test func `who comes by a proxy of this machine needs a key, unless all are allowed`() throws {
    let guest = visitor(host: "stage.local", origin: "https://stage.local", isForwarded: true)
    let lan = AllowedPeers.networks([try Network("192.168.1.0/24")])
    for allow in [nil, lan] {
      #expect(access(allow: allow).right(of: guest) == .failure(.proxy))
      #expect(access(allow: allow, desk: "a-word-of-ours").right(of: guest) == .failure(.proxy))
    }
    #expect(access(allow: .any).right(of: guest) == .success(.steer))
    #expect(access(allow: .any, desk: "a-word-of-ours").right(of: guest) == .success(.watch))
    let both = access(stage: "look-at-it", desk: "a-word-of-ours")
    #expect(both.right(of: guest) == .failure(.noKey))
    var known = guest
    known.key = "look-at-it"
    #expect(both.right(of: known) == .success(.watch) && access().right(of: known) == .failure(.proxy))
    known.key = "a-word-of-ours"
    #expect(both.right(of: known) == .success(.steer))
    // A proxy of another machine is allowed as that machine is.
    let far = visitor(Self.other, isForwarded: true)
    #expect(access(allow: lan).right(of: far) == .success(.steer))
  }

  @Test(arguments: ["Forwarded", "x-forwarded-for", "X-Real-IP", "Via"])
  func `what a proxy adds to a request tells of it`(field: String) throws {
    let address = try #require(PageAddress("/desk?key=a-word"))
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/desk", headers: ["Host": "stage"])
    #expect(!ViewAccess.Visitor(head, address, .loopback).isForwarded)
    head.headers.add(name: field, value: "for=10.0.0.7")
    let visitor = ViewAccess.Visitor(head, address, .loopback)
    #expect(visitor.isForwarded && visitor.host == "stage" && visitor.key == "a-word")
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:7780", "[::1]:7780", "localhost:7780", "stage", "stage.local:80", "LOCALHOST",
    "10.0.0.1",
  ])
  func `a host is an address or a name of the local network`(host: String) {
    #expect(ViewAccess.isLocalName(host))
  }

  @Test(arguments: [
    "example.org", "example.org:7780", "", ".", "a..local", "127.0.0.1.example.org", "[::1", "[::1]x",
    "localhost:x",
    "local host", "evil.com.", "localhost:99999",
  ])
  func `another host is refused, as its name may have been turned to this address`(host: String) {
    #expect(!ViewAccess.isLocalName(host))
    #expect(access().right(of: visitor(host: host)) == .failure(.host))
  }
}
