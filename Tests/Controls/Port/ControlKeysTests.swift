import Testing

@testable import Controls
@testable import OSC

@Suite struct ControlKeysTests {
  /// A port's keys, and who asks.
  private final class Door {
    private var keys: ControlKeys

    init(_ key: String?) { keys = ControlKeys(key) }

    private func peer(_ address: String, _ connection: Int?) -> PacketPeer {
      PacketPeer(
        way: connection.map { .stream($0) } ?? .datagrams,
        socketAddress: SocketAddress(IPAddress(address) ?? .loopback, port: 5000))
    }

    func hears(_ address: String, at time: Double, connection: Int? = nil) -> Bool {
      keys.hears(peer(address, connection), at: time)
    }

    /// The code of the refusal; nil when the key is taken.
    func show(_ key: String, _ address: String, at time: Double, connection: Int? = nil) -> String? {
      do throws(ControlError) {
        try keys.show(key, peer(address, connection), at: time)
        return nil
      } catch {
        return error.code
      }
    }
  }

  @Test func `without a key everybody is heard`() {
    #expect(Door(nil).hears("10.0.0.1", at: 0))
  }

  @Test func `with a key others are heard for an hour after their last message`() {
    let door = Door("swordfish")
    #expect(door.hears("127.0.0.1", at: 0) && door.hears("::1", at: 0))
    #expect(!door.hears("10.0.0.1", at: 0))
    for wrong in ["", "swordfisH", "swordfish1", "swordfis", "s"] {
      #expect(door.show(wrong, "10.0.0.1", at: 0) == "control-key")
    }
    #expect(!door.hears("10.0.0.1", at: 0))
    #expect(door.show("swordfish", "10.0.0.1", at: 0) == nil)
    #expect(door.hears("10.0.0.1", at: 3599))
    #expect(door.hears("10.0.0.1", at: 7198) && !door.hears("10.0.0.2", at: 7198))
    #expect(!door.hears("10.0.0.1", at: 7198 + 3601))
  }

  @Test func `a connection shows the key for itself`() {
    let door = Door("swordfish")
    #expect(door.show("swordfish", "10.0.0.1", at: 0, connection: 1) == nil)
    #expect(door.hears("10.0.0.1", at: 1, connection: 1))
    #expect(!door.hears("10.0.0.1", at: 1, connection: 2) && !door.hears("10.0.0.1", at: 1))
  }

  @Test func `after ten wrong keys in a minute no other of that machine is looked at`() {
    let door = Door("swordfish")
    for second in 0..<10 { #expect(door.show("x\(second)", "10.0.0.1", at: Double(second)) == "control-key") }
    #expect(door.show("swordfish", "10.0.0.1", at: 10) == "control-too-much")
    #expect(door.show("swordfish", "10.0.0.2", at: 10) == nil)
    #expect(door.show("swordfish", "10.0.0.1", at: 61) == nil)
  }

  @Test func `the same wrong key counts once, however often it is shown`() {
    let door = Door("swordfish")
    for second in 0..<50 { #expect(door.show("an old one", "10.0.0.1", at: Double(second)) == "control-key") }
    for number in 0..<8 { #expect(door.show("x\(number)", "10.0.0.1", at: 50) == "control-key") }
    #expect(door.show("swordfish", "10.0.0.1", at: 50) == nil)
    #expect(door.show("x8", "10.0.0.1", at: 51) == "control-key")
    #expect(door.show("swordfish", "10.0.0.1", at: 52) == "control-too-much")
  }

  @Test func `few that have shown the key are remembered`() {
    let door = Door("swordfish")
    for number in 0..<300 {
      #expect(
        door.show("swordfish", "10.0.\(number / 250).\(number % 250)", at: 10 + Double(number)) == nil)
    }
    #expect(!door.hears("10.0.0.43", at: 310) && door.hears("10.0.0.44", at: 310))
  }
}
