import Glibc
import TestSupport
import Testing

@testable import MPRIS

@Suite struct SessionBusTests {
  @Test func `an address that is given is used, but only sockets`() {
    func address(_ text: String) -> String? {
      SessionBus.address { $0 == "DBUS_SESSION_BUS_ADDRESS" ? text : "/nowhere" }
    }
    #expect(address("unix:path=/a") == "unix:path=/a")
    #expect(address("unix:path=/a;tcp:host=x;unix:path=/b") == "unix:path=/a;unix:path=/b")
    #expect(address("autolaunch:") == nil)
    #expect(address("unixexec:path=/bin/true") == nil)
    #expect(address("nonsense") == nil)
  }

  @Test func `without an address the socket at the usual path is used`() throws {
    let folder = try TemporaryFolder()
    func address() -> String? { SessionBus.address { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil } }
    #expect(address() == nil)
    // A regular file with the socket's name.
    _ = try folder.write("", to: "bus")
    #expect(address() == nil)
    unlink(folder.file("bus"))
    let socket = try ListeningSocket(folder.file("bus"))
    defer { socket.close() }
    #expect(address() == "unix:path=" + folder.file("bus"))
    #expect(SessionBus.address { _ in nil } == nil)
    #expect(SessionBus.address { $0 == "XDG_RUNTIME_DIR" ? "relative" : "" } == nil)
  }
}
