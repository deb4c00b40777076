import Glibc
import Synchronization
import System
import TestSupport
import Testing

@testable import OSC

@Suite(.waiting) struct TargetTests {
  private func send(_ bytes: [UInt8], _ target: Target) { bytes.withUnsafeBytes { target.send($0) } }

  /// A port on which no socket listens, as far as can be known.
  private func freePort() throws -> UInt16 { try OscReceiver.closedPort() }

  @Test(arguments: [false, true])
  func `a numeric host is ready at once, and the bytes arrive unchanged`(isIPv6: Bool) throws {
    guard let receiver = try? OscReceiver(isIPv6: isIPv6) else {
      // A machine may lack IPv6.
      #expect(isIPv6, "no socket on 127.0.0.1")
      return
    }
    let target = Target(try Endpoint(isIPv6 ? "[::1]:\(receiver.port)" : "127.0.0.1:\(receiver.port)"))
    #expect(target.status.state == .ready)
    #expect(target.timesReady == 0)
    send([1, 2, 3, 4], target)
    #expect(receiver.receive() == [1, 2, 3, 4])
    #expect(target.status.sent == 1 && target.status.failed == 0 && target.status.lastError == nil)
  }

  @Test func `a name is resolved on another thread`() throws {
    let receiver = try OscReceiver()
    let target = Target(try Endpoint("localhost:\(receiver.port)"))
    #expect(poll { target.status.state == .ready })
    #expect(poll { target.timesReady == 1 })
    send([5, 6, 7, 8], target)
    #expect(receiver.receive() == [5, 6, 7, 8])
  }

  @Test func `a missing receiver is noticed, and one that starts later gets the next packet`() throws {
    let time = Atomic<UInt64>(10_000_000_000)
    let port = try freePort()
    let target = Target(
      try Endpoint("127.0.0.1:\(port)"), pauses: [1], lookup: Lookup.ask,
      clock: { time.load(ordering: .relaxed) })
    var calls: UInt64 = 0
    #expect(
      poll {
        send([1, 1, 1, 1], target)
        calls += 1
        return target.status.state == .refused
      })
    #expect(target.status.description == "nobody listens on 127.0.0.1:\(port)")
    #expect(target.status.lastError == "Connection refused")
    #expect(target.status.refusals > 0)
    // A refusal reports the packet before; the present one is still sent.
    #expect(target.status.sent == calls && target.status.failed == 0)
    let receiver = try OscReceiver(port: port)
    send([2, 2, 2, 2], target)
    #expect(receiver.receive() == [2, 2, 2, 2])
    // No refusal since, but less than a second has passed.
    time.store(10_999_999_999, ordering: .relaxed)
    send([3, 3, 3, 3], target)
    #expect(receiver.receive() == [3, 3, 3, 3])
    #expect(target.status.state == .refused && target.timesReady == 0)
    time.store(12_000_000_000, ordering: .relaxed)
    send([4, 4, 4, 4], target)
    #expect(receiver.receive() == [4, 4, 4, 4])
    #expect(target.status.state == .ready)
    #expect(target.timesReady == 1)
  }

  @Test func `a host that does not exist is reported, and packets are counted as dropped`() throws {
    let target = Target(try Endpoint("no-such-host.invalid:7700"))
    send([1, 2, 3, 4], target)
    #expect(target.status.dropped == 1 && target.status.sent == 0)
    #expect(
      poll(within: 60) {
        if case .unresolvable = target.status.state { true } else { false }
      })
    #expect(target.status.description.hasPrefix("cannot find no-such-host.invalid: "))
    #expect(target.status.lastError != nil)
    target.close()
    #expect(target.status.state == .closed)
  }

  @Test func `a network that is down is reported, and so is a machine that does not answer`() throws {
    #expect(TargetState(networkError: ENETUNREACH) == .networkDown)
    #expect(TargetState(networkError: ENETDOWN) == .networkDown)
    #expect(TargetState(networkError: EHOSTUNREACH) == .hostDown)
    #expect(TargetState(networkError: ECONNREFUSED) == nil && TargetState(networkError: 0) == nil)
    func description(_ state: TargetState) throws -> String {
      TargetStatus(
        endpoint: try Endpoint("10.1.2.3:7700"), state: state, lastError: nil, sent: 0, failed: 0, dropped: 0,
        refusals: 0
      ).description
    }
    #expect(
      try description(.networkDown)
        == "the network is down: no way leads to 10.1.2.3:7700; check cable, Wi-Fi and address; trying again"
    )
    #expect(
      try description(.hostDown)
        == "10.1.2.3 does not answer in its network; is it on, and is that its address?")
  }

  @Test func `a lookup is repeated until it succeeds`() throws {
    let receiver = try OscReceiver()
    let real = try Endpoint("127.0.0.1:\(receiver.port)")
    let asked = Atomic<Int>(0)
    let target = Target(
      try Endpoint("rig:\(receiver.port)"), pauses: [0.001, 0.002],
      lookup: { _ in
        asked.add(1, ordering: .relaxed).newValue < 4 ? .failure("not yet") : Lookup.ask(real)
      }, clock: { 0 })
    #expect(poll { target.timesReady == 1 })
    #expect(asked.load(ordering: .relaxed) == 4)
    #expect(target.status.state == .ready && target.status.lastError == nil)
    send([1, 2, 3, 4], target)
    #expect(receiver.receive() == [1, 2, 3, 4])
  }

  @Test func `a name that has another address after a failure is followed`() throws {
    let receiver = try OscReceiver()
    guard case .addresses(let old) = Lookup.ask(try Endpoint("127.0.0.1:\(try freePort())")),
      case .addresses(let new) = Lookup.ask(try Endpoint("127.0.0.1:\(receiver.port)"))
    else {
      Issue.record("127.0.0.1 was not found")
      return
    }
    let asked = Atomic<Int>(0)
    let target = Target(
      try Endpoint("lamp:7700"), pauses: [0.001], recheckPause: 0.001,
      lookup: { _ in
        switch asked.add(1, ordering: .relaxed).newValue {
        case 1: .addresses(old)
        case 2: .failure("not now")
        // The address in use is still one of them.
        case 3: .addresses(new + old)
        default: .addresses(new)
        }
      }, clock: { 0 })
    #expect(poll { target.timesReady == 1 })
    #expect(stays(for: 0.05) { asked.load(ordering: .relaxed) == 1 })
    #expect(
      poll {
        send([1, 1, 1, 1], target)
        return target.timesReady == 2
      })
    #expect(asked.load(ordering: .relaxed) >= 4)
    send([2, 2, 2, 2], target)
    #expect(poll { receiver.receive() == [2, 2, 2, 2] })
    target.close()
    #expect(target.status.state == .closed)
  }

  @Test func `IPv4 is tried before IPv6`() throws {
    guard case .addresses(let ipv6) = Lookup.ask(try Endpoint("[::1]:7700")),
      case .addresses(let ipv4) = Lookup.ask(try Endpoint("127.0.0.1:7700"))
    else {
      Issue.record("the loopback has no addresses")
      return
    }
    #expect(Lookup.ordered(ipv6 + ipv4 + ipv6).map(\.family) == [AF_INET, AF_INET6, AF_INET6])
  }

  @Test func `pauses between lookups grow to half a minute`() {
    #expect(Resolver.pauses == [1, 2, 4, 8, 16, 30])
  }

  @Test func `a lookup that hangs is abandoned, and ends without harm`() throws {
    let began = Latch(resets: .never)
    let gate = Latch(resets: .never)
    let ended = Latch(resets: .never)
    var target: Target? = Target(
      try Endpoint("rig:7700"), pauses: [1],
      lookup: { _ in
        began.set()
        _ = gate.wait(until: .after(seconds: 120))
        ended.set()
        return .failure("late")
      }, clock: { 0 })
    #expect(began.wait(until: .after(seconds: 120)))
    #expect(target?.status.state == .resolving)
    #expect(target?.status.description == "looking for rig")
    let taken = ContinuousClock().measure {
      target?.close()
      target = nil
    }
    // `close` waits up to 0.1 s for the lookup, and no longer.
    #expect(taken >= .milliseconds(90) && taken < .seconds(10))
    gate.set()
    #expect(ended.wait(until: .after(seconds: 20)))
  }

  @Test func `the number of hanging lookups is limited, and other lookups still run`() throws {
    let began = Atomic<Int>(0)
    let gate = Latch(resets: .never)
    let excess = 12
    let resolvers = try (0..<Resolver.mostLookups + excess).map { _ in
      Resolver(try Endpoint("rig:7700"), pauses: [3600]) { _ in
        began.add(1, ordering: .relaxed)
        _ = gate.wait(until: .after(seconds: 60))
        return .failure("late")
      }
    }
    for resolver in resolvers { resolver.start() }
    // Lookups of other tests count to the limit as well; 7 places are left for these.
    #expect(poll { began.load(ordering: .relaxed) > Resolver.mostLookups - 8 })
    #expect(began.load(ordering: .relaxed) <= Resolver.mostLookups)
    // A lookup that waits for the limit can be closed at once.
    #expect(poll { resolvers.filter { $0.stop(within: 0) }.count >= excess })
    gate.set()
    for resolver in resolvers { #expect(resolver.stop(within: 20)) }
    #expect(began.load(ordering: .relaxed) <= Resolver.mostLookups)
  }

  @Test func `closing does not wait for the pause between two lookups`() throws {
    let asked = Latch(resets: .never)
    let resolver = Resolver(try Endpoint("rig:7700"), pauses: [3600]) { _ in
      asked.set()
      return .failure("no")
    }
    resolver.start()
    #expect(asked.wait(until: .after(seconds: 20)))
    #expect(resolver.stop(within: 20))
  }

  @Test func `after closing packets are dropped`() throws {
    let receiver = try OscReceiver()
    let target = Target(try Endpoint("127.0.0.1:\(receiver.port)"))
    target.close()
    target.close()
    send([1, 2, 3, 4], target)
    #expect(target.status.dropped == 1 && target.status.sent == 0)
    #expect(receiver.receive(within: 0.05) == nil)
    #expect(target.status.description == "127.0.0.1:\(receiver.port) is closed")
  }

  @Test func `only the packet that is too large for a datagram fails`() throws {
    let receiver = try OscReceiver()
    let target = Target(try Endpoint("127.0.0.1:\(receiver.port)"))
    send([UInt8](repeating: 0, count: 70_000), target)
    #expect(target.status.failed == 1 && target.status.lastError == "Message too long")
    #expect(target.status.state == .ready)
    send([1, 2, 3, 4], target)
    #expect(receiver.receive() == [1, 2, 3, 4])
  }

  @Test func `a network that cannot be reached is used again once it can`() throws {
    // No socket can connect to a link-local IPv6 address without a zone, which stands for an unreachable network.
    let receiver = try OscReceiver()
    let real = try Endpoint("127.0.0.1:\(receiver.port)")
    let missing = try Endpoint("[fe80::1]:7700")
    let asked = Atomic<Int>(0)
    let target = Target(
      missing, pauses: [0.001],
      lookup: { _ in
        Lookup.ask(asked.add(1, ordering: .relaxed).newValue < 3 ? missing : real)
      }, clock: { 0 })
    #expect(poll { target.timesReady == 1 })
    #expect(asked.load(ordering: .relaxed) == 3)
    send([1, 2, 3, 4], target)
    #expect(receiver.receive() == [1, 2, 3, 4])
  }

  @Test func `broadcasts are allowed`() throws {
    let target = Target(try Endpoint("127.255.255.255:\(try freePort())"))
    #expect(target.status.state == .ready)
  }

  @Test func `a socket can be connected again`() throws {
    let receiver = try OscReceiver()
    guard case .addresses(let addresses) = Lookup.ask(try Endpoint("127.0.0.1:\(receiver.port)")) else {
      Issue.record("127.0.0.1 was not found")
      return
    }
    let address = try #require(addresses.first)
    let descriptor = DatagramSocket.open(to: address)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(DatagramSocket.reconnect(descriptor, to: address))
    let bytes: [UInt8] = [9, 9, 9, 9]
    let error = bytes.withUnsafeBytes { DatagramSocket.send($0, on: descriptor) }
    #expect(error == 0)
    #expect(receiver.receive() == bytes)
  }

  @Test func `the socket does not block, and children do not inherit it`() throws {
    guard case .addresses(let addresses) = Lookup.ask(try Endpoint("127.0.0.1:9")),
      let address = addresses.first
    else {
      Issue.record("127.0.0.1 was not found")
      return
    }
    let descriptor = DatagramSocket.open(to: address)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }
}
