import Graphs
import OSC
import System
import Testing

@testable import Viewer

/// The addresses that are shown for phones.
@Suite struct ViewPagesTests {
  private static func interface(
    _ name: String, _ address: String, isRunning: Bool = true, isDevice: Bool = true
  ) -> NetworkInterface {
    NetworkInterface(name: name, address: address, isRunning: isRunning, isDevice: isDevice)
  }

  private static let loopback = [
    interface("lo", "127.0.0.1", isDevice: false), interface("lo", "::1", isDevice: false),
  ]
  private static let docker = interface("docker0", "172.17.0.1", isDevice: false)
  private static let taken = interface("eth1", "169.254.3.4")
  private static let unplugged = interface("eth0", "10.0.0.5", isRunning: false)
  private static let link = interface("wlan0", "fe80::20")
  private static let (four, six) = (interface("wlan0", "192.168.1.20"), interface("wlan0", "fd00::20"))

  /// The address of the stage for a server; nil if only this machine reaches it.
  private static func stage(_ listen: String, _ interfaces: [NetworkInterface]) throws -> String? {
    let pages = ViewServer.pages(try ListenAddress(listen), ViewKeys(), interfaces)
    #expect(pages.map(\.name) == ["stage", "desk"] && pages[0].isReachable == pages[1].isReachable)
    return pages[0].isReachable ? pages[0].address : nil
  }

  @Test func `a page that only this machine reaches is reported as such`() throws {
    #expect(try Self.stage("127.0.0.1:7780", Self.loopback + [Self.four]) == nil)
    #expect(try Self.stage("[::1]:7780", Self.loopback + [Self.four]) == nil)
    #expect(try Self.stage("0.0.0.0:7780", Self.loopback + [Self.unplugged, Self.link]) == nil)
    #expect(try Self.stage("0.0.0.0:7780", []) == nil)
    #expect(try Self.stage("0.0.0.0:7780", [Self.six]) == nil)
    let pages = ViewServer.pages(try ListenAddress("[::]:7780"), ViewKeys(), Self.loopback)
    #expect(pages.map(\.address) == ["http://127.0.0.1:7780/", "http://127.0.0.1:7780/desk"])
  }

  @Test func `of all addresses one of a network that runs is shown`() throws {
    let all = Self.loopback + [Self.docker, Self.taken, Self.unplugged, Self.link, Self.six, Self.four]
    #expect(try Self.stage("0.0.0.0:7780", all) == "http://192.168.1.20:7780/")
    #expect(try Self.stage("[::]:7780", all) == "http://192.168.1.20:7780/")
    #expect(try Self.stage("[::]:7780", all.dropLast()) == "http://[fd00::20]:7780/")
    #expect(try Self.stage("0.0.0.0:7780", all.dropLast()) == "http://172.17.0.1:7780/")
    #expect(try Self.stage("0.0.0.0:7780", [Self.link, Self.taken]) == "http://169.254.3.4:7780/")
    #expect(try Self.stage("192.168.1.20:7780", []) == "http://192.168.1.20:7780/")
  }
}
