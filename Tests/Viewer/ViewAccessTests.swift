import Graphs
import NIOHTTP1
import OSC
import Testing

@testable import Viewer

/// Which visitors may open what.
@Suite struct ViewAccessTests {
  private static let other = IPAddress("192.168.1.7")!
  /// The name of the machine that serves the pages.
  private static let hostName = "stage"

  private func access(allow: AllowedPeers? = nil, stage: String? = nil, desk: String? = nil) -> ViewAccess {
    var settings = ViewSettings()
    settings.allow = allow
    settings.key.stage = stage
    settings.key.desk = desk
    return ViewAccess(settings, PageHosts(listed: [], hostName: Self.hostName) { [] })
  }

  private func visitor(
    _ peer: IPAddress = .loopback, host: String? = "127.0.0.1:7780", origin: String? = nil,
    key: String? = nil, cookie: String? = nil, isForwarded: Bool = false
  ) -> ViewAccess.Visitor {
    ViewAccess.Visitor(
      peer: peer, local: IPAddress("192.168.1.2"), host: host, origin: origin, key: key, cookie: cookie,
      isForwarded: isForwarded)
  }

  @Test func `this machine may steer, and others are refused unless they are allowed`() throws {
    #expect(access().right(of: visitor()) == .success(.steer))
    #expect(access().hears(.loopback) && !access().hears(Self.other))
    let open = access(allow: .networks([try Network("192.168.1.0/24")]))
    #expect(open.hears(Self.other))
    #expect(open.right(of: visitor(Self.other, host: "192.168.1.2:7780")) == .success(.steer))
    // This machine needs no key. A page that makes it show a wrong one must not lock it out.
    #expect(access(desk: "a-word-of-ours").right(of: visitor(key: "another-word")) == .success(.steer))
  }

  @Test func `a key for the desk leaves the stage open to all, and with two keys each opens its own`() {
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

  @Test func `a page of another origin needs the desk's key, on this machine, too`() {
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

  @Test func `a visitor by a proxy of this machine needs a key, unless all are allowed`() throws {
    let host = "\(Self.hostName).local"
    let guest = visitor(host: host, origin: "https://\(host)", isForwarded: true)
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
    // A proxy on another machine is allowed like that machine.
    let far = visitor(Self.other, isForwarded: true)
    #expect(access(allow: lan).right(of: far) == .success(.steer))
  }

  @Test(arguments: ["Forwarded", "x-forwarded-for", "X-Real-IP", "Via"])
  func `the header fields of proxies reveal them`(field: String) throws {
    let address = try #require(PageAddress("/desk?key=a-word"))
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/desk", headers: ["Host": "stage"])
    #expect(!ViewAccess.Visitor(head, address, .loopback).isForwarded)
    head.headers.add(name: field, value: "for=10.0.0.7")
    let visitor = ViewAccess.Visitor(head, address, .loopback)
    #expect(visitor.isForwarded && visitor.host == "stage" && visitor.key == "a-word")
  }

  @Test
  func `a token, valid once and for half a minute, gives a browser a cookie for its machine`() {
    let tokens = DeskTokens()
    let (token, late) = (tokens.make(at: 0), tokens.make(at: 0))
    #expect(token != late && token.utf8.count == 32)
    #expect(tokens.take("0123456789abcdef0123456789abcdef", of: Self.other, at: 1) == nil)
    let cookie = tokens.take(token, of: Self.other, at: 29)
    #expect(
      tokens.take(token, of: Self.other, at: 29) == nil && tokens.take(late, of: Self.other, at: 31) == nil)
    #expect(cookie != nil && cookie != token)
    #expect(tokens.knows(cookie ?? "", of: Self.other) && !tokens.knows(cookie ?? "", of: .loopback))
    // Each gives a cookie, and the oldest cookie goes.
    for second in 0...DeskTokens.most {
      _ = tokens.take(tokens.make(at: Double(second)), of: Self.other, at: Double(second))
    }
    #expect(!tokens.knows(cookie ?? "", of: Self.other))
  }

  @Test func `a browser with its cookie may steer, and a page of another origin in it may not`() throws {
    let locked = access(allow: .any, stage: "look-at-it", desk: "a-word-of-ours")
    let cookie = try #require(DeskTokens.own.take(DeskTokens.own.make(at: 0), of: Self.other, at: 1))
    #expect(locked.right(of: visitor(Self.other, cookie: cookie)) == .success(.steer))
    #expect(locked.right(of: visitor(Self.other, cookie: "x")) == .failure(.noKey))
    #expect(
      locked.right(of: visitor(Self.other, origin: "http://192.168.1.2:8080", cookie: cookie))
        == .failure(.origin))
    #expect(locked.right(of: visitor(IPAddress("192.168.1.8")!, cookie: cookie)) == .failure(.noKey))
  }

  @Test func `another host is refused, because DNS rebinding may have pointed its name at this address`() {
    for host in ["example.org", "printer", "printer.local", "stage.home.arpa", ""] {
      #expect(access().right(of: visitor(host: host)) == .failure(.host))
      #expect(access(allow: .any).right(of: visitor(Self.other, host: host)) == .failure(.host))
    }
    #expect(access().right(of: visitor(host: nil)) == .failure(.host))
  }
}
