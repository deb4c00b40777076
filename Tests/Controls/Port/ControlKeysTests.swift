import Testing

@testable import Controls
@testable import OSC

@Suite struct ControlKeysTests {
  /// The keys of a port, with peers by address.
  private final class KeyRig {
    private var keys: ControlKeys

    init(_ key: String?) { keys = ControlKeys(key) }

    private func peer(_ address: String, _ connection: Int?) -> PacketPeer {
      PacketPeer(
        way: connection.map { .stream($0) } ?? .datagrams,
        socketAddress: SocketAddress(IPAddress(address) ?? .loopback, port: 5000))
    }

    func accepts(_ address: String, at time: Double, connection: Int? = nil) -> Bool {
      keys.hears(peer(address, connection), at: time)
    }

    /// The code of the refusal; nil if the key is accepted.
    func show(_ key: String, _ address: String, at time: Double, connection: Int? = nil) -> String? {
      do throws(ControlError) {
        try keys.show(key, peer(address, connection), at: time)
        return nil
      } catch {
        return error.code
      }
    }
  }

  @Test func `without a key all peers are accepted`() {
    #expect(KeyRig(nil).accepts("10.0.0.1", at: 0))
  }

  @Test func `with a key other machines are accepted for an hour after their last message`() {
    let keys = KeyRig("swordfish")
    #expect(keys.accepts("127.0.0.1", at: 0) && keys.accepts("::1", at: 0))
    #expect(!keys.accepts("10.0.0.1", at: 0))
    for wrong in ["", "swordfisH", "swordfish1", "swordfis", "s"] {
      #expect(keys.show(wrong, "10.0.0.1", at: 0) == "control-key")
    }
    #expect(!keys.accepts("10.0.0.1", at: 0))
    #expect(keys.show("swordfish", "10.0.0.1", at: 0) == nil)
    #expect(keys.accepts("10.0.0.1", at: 3599))
    #expect(keys.accepts("10.0.0.1", at: 7198) && !keys.accepts("10.0.0.2", at: 7198))
    #expect(!keys.accepts("10.0.0.1", at: 7198 + 3601))
  }

  @Test func `a connection is accepted by its own key only`() {
    let keys = KeyRig("swordfish")
    #expect(keys.show("swordfish", "10.0.0.1", at: 0, connection: 1) == nil)
    #expect(keys.accepts("10.0.0.1", at: 1, connection: 1))
    #expect(!keys.accepts("10.0.0.1", at: 1, connection: 2) && !keys.accepts("10.0.0.1", at: 1))
  }

  @Test func `after ten wrong keys in a minute no more keys of that machine are checked`() {
    let keys = KeyRig("swordfish")
    for second in 0..<10 { #expect(keys.show("x\(second)", "10.0.0.1", at: Double(second)) == "control-key") }
    #expect(keys.show("swordfish", "10.0.0.1", at: 10) == "control-too-much")
    #expect(keys.show("swordfish", "10.0.0.2", at: 10) == nil)
    #expect(keys.show("swordfish", "10.0.0.1", at: 61) == nil)
  }

  @Test func `a repeated wrong key counts once`() {
    let keys = KeyRig("swordfish")
    for second in 0..<50 { #expect(keys.show("an old one", "10.0.0.1", at: Double(second)) == "control-key") }
    for number in 0..<8 { #expect(keys.show("x\(number)", "10.0.0.1", at: 50) == "control-key") }
    #expect(keys.show("swordfish", "10.0.0.1", at: 50) == nil)
    #expect(keys.show("x8", "10.0.0.1", at: 51) == "control-key")
    #expect(keys.show("swordfish", "10.0.0.1", at: 52) == "control-too-much")
  }

  @Test func `the number of remembered peers is limited`() {
    let keys = KeyRig("swordfish")
    for number in 0..<300 {
      #expect(
        keys.show("swordfish", "10.0.\(number / 250).\(number % 250)", at: 10 + Double(number)) == nil)
    }
    #expect(!keys.accepts("10.0.0.43", at: 310) && keys.accepts("10.0.0.44", at: 310))
  }
}
