import System
import Testing

/// The addresses of this machine.
@Suite struct NetworkInterfaceTests {
  @Test func `this machine has its loopback interface, which is up`() {
    let loopback = NetworkInterface.all.filter { $0.address == "127.0.0.1" }
    #expect(
      loopback == [
        NetworkInterface(
          name: "lo", address: "127.0.0.1", isRunning: true, isDevice: false, broadcast: "127.255.255.255")
      ])
  }
}
