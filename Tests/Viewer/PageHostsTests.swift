import OSC
import Testing

@testable import Viewer

/// The names and addresses under which pages of this machine are opened.
@Suite struct PageHostsTests {
  private static let hosts = PageHosts(
    listed: ["Show.example.org", "203.0.113.7", "fd00::99"], hostName: "Stage.fritz.box"
  ) { ["192.168.1.2", "fd00::20"].compactMap { IPAddress($0) } }

  private func has(_ host: String, at local: String = "127.0.0.1") -> Bool {
    Self.hosts.contains(host, at: IPAddress(local))
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:7780", "[::1]:7780", "127.3.2.1", "0.0.0.0:7780", "localhost:7780", "LOCALHOST",
    "stage",
    "Stage:80", "stage.local", "stage.fritz.box:7780", "192.168.1.2", "[fd00::20]:7780", "[FD00:0::20]",
    "show.example.org", "203.0.113.7:80", "[fd00::99]",
  ])
  func `this machine's names and addresses are accepted, and so are listed ones`(host: String) {
    #expect(has(host))
  }

  @Test(arguments: [
    "example.org", "example.org:7780", "", ".", "printer", "printer.local", "x.localhost", "stage.home.arpa",
    "home.arpa", "stage.lan", "stage.", "evil.stage.local", "192.168.1.3", "[fd00::21]",
    "127.0.0.1.example.org",
    "[::1", "[::1]x", "[127.0.0.1]", "localhost:x", "local host", "localhost:99999", "2130706433", "0x7f.1",
  ])
  func `any other name is refused, because DNS rebinding may have pointed it at this machine`(host: String) {
    #expect(!has(host))
  }

  @Test func `the local address of a connection is accepted, even if it is new`() {
    #expect(has("10.1.2.3:7780", at: "10.1.2.3") && !has("10.1.2.3:7780", at: "10.1.2.4"))
  }

  @Test func `the name that Avahi announces is accepted while it is announced`() {
    let hosts = PageHosts(listed: [], hostName: "stage") { [] }
    #expect(hosts.contains("stage.local", at: nil) && !hosts.contains("stage-2.local", at: nil))
    hosts.announce("Stage-2.local")
    #expect(hosts.contains("stage-2.local", at: nil))
    hosts.announce(nil)
    #expect(!hosts.contains("stage-2.local", at: nil))
  }

  @Test func `this machine is found by its own name`() {
    let hosts = PageHosts(listed: [])
    #expect(hosts.contains("localhost", at: nil) && hosts.contains("127.0.0.1", at: nil))
    #expect(!hosts.contains("example.org", at: nil))
  }
}
