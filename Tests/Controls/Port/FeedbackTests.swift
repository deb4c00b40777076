import Graphs
import TestSupport
import Testing

@testable import Controls
@testable import OSC

/// Subscribers of a show's state, with a clock that the test sets.
@Suite(.waiting) struct FeedbackTests {
  /// A show of a few messages, and the packets sent to each subscriber.
  private final class FeedbackRig {
    var feedback: Feedback
    var stateValues: [(String, Argument)] = [
      ("/visgraph/master", .float(1)), ("/visgraph/node/gain/gain", .float(-6)),
    ]
    /// How often the state of the show was read.
    private(set) var readCount = 0
    private(set) var reported: [(peer: PacketPeer, packet: [UInt8])] = []

    init(_ endpoints: [Endpoint] = []) { feedback = Feedback(endpoints) }

    static func peer(_ port: UInt16) -> PacketPeer {
      PacketPeer(way: .datagrams, socketAddress: SocketAddress(.loopback, port: port))
    }

    /// A peer on another machine.
    static func far(_ port: UInt16) -> PacketPeer {
      PacketPeer(
        way: .datagrams, socketAddress: SocketAddress(IPAddress("10.0.0.9") ?? .loopback, port: port))
    }

    /// Reports at a time. Returns the packets sent to a subscriber on another machine, and whether it is due a note
    /// that it is sent less often.
    func reportFar(at time: Double, to port: UInt16) -> (packets: [[UInt8]], isHeld: Bool) {
      var (packets, isHeld): ([[UInt8]], Bool) = ([], false)
      _ = feedback.report(
        at: time,
        { state in
          state.beginPoll()
          for (address, value) in stateValues { state.set(address, value) }
        },
        { if $1 == Self.far(port) { packets.append($0) } }, held: { isHeld = isHeld || $0 == Self.far(port) })
      return (packets, isHeld)
    }

    func subscribe(
      _ port: UInt16, _ pattern: String = "/visgraph", rate: Double = 10, lease: Double = 60, at time: Double
    ) throws {
      try feedback.subscribe(
        Self.peer(port), try FeedbackPattern(pattern), rate: rate, lease: lease, at: time)
    }

    /// Reports at a time. Returns the seconds until the next report, and the messages sent to a subscriber, as `address
    /// value`.
    @discardableResult
    func report(at time: Double, for port: UInt16 = 1, isSilent: Bool = false) throws -> (
      wait: Double, reported: [String]
    ) {
      reported = []
      let wait = feedback.report(
        at: time,
        { state in
          readCount += 1
          for (address, value) in stateValues { state.set(address, value) }
        },
        { reported.append(($1, $0)) }, isSilent: isSilent)
      let mine = reported.filter { $0.peer == Self.peer(port) }.map(\.packet)
      #expect(reported.allSatisfy { $0.packet.count <= Feedback.mostBytes })
      return (
        wait,
        try mine.flatMap { try PacketReader().read($0).messages }.map { message in
          let values = message.arguments.map { argument in
            if case .float(let value) = argument { shortest(Double(value)) } else { argument.words }
          }
          return "\(message.address) \(values.joined(separator: " "))"
        }
      )
    }
  }

  @Test func `a new subscriber is sent everything at once, then only changes`() throws {
    let rig = FeedbackRig()
    try rig.subscribe(1, at: 0)
    #expect(try rig.report(at: 0).reported == ["/visgraph/master 1", "/visgraph/node/gain/gain -6"])
    #expect(try rig.report(at: 0.2).reported == [])
    rig.stateValues[0].1 = .float(0.5)
    #expect(try rig.report(at: 0.4).reported == ["/visgraph/master 0.5"])
    // Another new subscriber is sent everything, and the first nothing that it has.
    try rig.subscribe(2, at: 0.5)
    #expect(
      try rig.report(at: 0.6, for: 2).reported == ["/visgraph/master 0.5", "/visgraph/node/gain/gain -6"])
    #expect(try rig.report(at: 0.8).reported == [])
  }

  @Test func `a subscriber that the graph names is sent everything when this machine begins to send`() throws
  {
    let receiver = try OscReceiver()
    let rig = FeedbackRig([try Endpoint("127.0.0.1:\(receiver.port)")])
    for step in 0..<5 { try rig.report(at: 0.1 * Double(step), isSilent: true) }
    #expect(receiver.messages.isEmpty)
    try rig.report(at: 0.5)
    #expect(poll { receiver.messages.map(\.address) == rig.stateValues.map(\.0) }, "\(receiver.messages)")
  }

  @Test func `everything is sent again within ten seconds, because packets may be lost`() throws {
    let rig = FeedbackRig()
    rig.stateValues = (0..<40).map { ("/visgraph/level/meter/\($0)", .float(Float($0))) }
    try rig.subscribe(1, at: 0)
    try rig.report(at: 0)
    var again: [String] = []
    for step in 1...101 {
      let reported = try rig.report(at: Double(step) / 10).reported
      #expect(reported.count <= 1)
      again += reported
    }
    #expect(again == (0..<40).map { "/visgraph/level/meter/\($0) \($0)" })
  }

  @Test func `a subscriber gets values as often as it requested, and no more`() throws {
    let rig = FeedbackRig()
    try rig.subscribe(1, rate: 20, at: 0)
    var packets = 0
    for step in 0..<1000 {
      rig.stateValues[0].1 = .float(Float(step))
      packets += try rig.report(at: Double(step) / 1000).reported.count
    }
    // Twenty a second, and the two at the beginning.
    #expect(packets == 21)
    #expect(rig.readCount == 20)
  }

  @Test func `a lease ends, and a renewed one does not send everything again`() throws {
    let rig = FeedbackRig()
    try rig.subscribe(1, lease: 5, at: 0)
    try rig.report(at: 0)
    try rig.subscribe(1, lease: 5, at: 4)
    #expect(try rig.report(at: 4).reported == [])
    rig.stateValues[0].1 = .float(0.25)
    #expect(try rig.report(at: 8.9).reported == ["/visgraph/master 0.25"])
    rig.stateValues[0].1 = .float(0)
    #expect(try rig.report(at: 9.1).reported == [] && !rig.feedback.isNeeded)
  }

  @Test func `a pattern selects values by the first parts of addresses`() throws {
    let rig = FeedbackRig()
    rig.stateValues += [
      ("/visgraph/level/meter/1", .float(0.125)), ("/visgraph/level/other/1", .float(0.25)),
    ]
    try rig.subscribe(1, "/visgraph/level/meter", at: 0)
    #expect(try rig.report(at: 0).reported == ["/visgraph/level/meter/1 0.125"])
    try rig.subscribe(2, "/visgraph/{node,level}/*/gain", at: 0)
    #expect(try rig.report(at: 1, for: 2).reported == ["/visgraph/node/gain/gain -6"])
    for wrong in [
      "", "visgraph", "/", "//", "/visgraph/", "/visgraph/[", "/" + String(repeating: "a", count: 300),
    ] {
      #expect(throws: ControlError.self, "\(wrong)") { try FeedbackPattern(wrong) }
    }
  }

  @Test func `a long state is sent in packets that fit into any network`() throws {
    let rig = FeedbackRig()
    rig.stateValues = (0..<500).map { ("/visgraph/level/meter/\($0)", .float(Float($0))) }
    try rig.subscribe(1, at: 0)
    let reported = try rig.report(at: 0).reported
    #expect(reported == (0..<500).map { "/visgraph/level/meter/\($0) \($0)" })
    #expect(rig.reported.count == 15)
  }

  @Test func `one subscriber may have eight subscriptions, and all together 64`() throws {
    let rig = FeedbackRig()
    for number in 0..<8 { try rig.subscribe(1, "/visgraph/level/\(number)", at: 0) }
    #expect(throws: ControlError.self) { try rig.subscribe(1, "/visgraph/level/9", at: 0) }
    // An existing subscription may be renewed.
    try rig.subscribe(1, "/visgraph/level/7", at: 1)
    for port in 2..<58 as Range<UInt16> { try rig.subscribe(port, at: 1) }
    #expect(throws: ControlError.self) { try rig.subscribe(99, at: 1) }
    rig.feedback.unsubscribe(FeedbackRig.peer(1), nil)
    try rig.subscribe(99, at: 1)
    // Subscriptions whose lease has ended free their places.
    try rig.subscribe(100, at: 100)
  }

  @Test func `a subscriber that unsubscribes is sent nothing more`() throws {
    let rig = FeedbackRig()
    try rig.subscribe(1, "/visgraph/master", at: 0)
    try rig.subscribe(1, "/visgraph/node", at: 0)
    rig.feedback.unsubscribe(FeedbackRig.peer(1), try FeedbackPattern("/visgraph/node"))
    #expect(try rig.report(at: 0).reported == ["/visgraph/master 1"])
    rig.feedback.unsubscribe(FeedbackRig.peer(1), nil)
    #expect(!rig.feedback.isNeeded)
  }

  @Test func `subscriptions to the same values read the state once, however many they are`() throws {
    let rig = FeedbackRig()
    for port in 1...20 as ClosedRange<UInt16> { try rig.subscribe(port, rate: 30, at: 0) }
    rig.stateValues[0].1 = .float(0)
    try rig.report(at: 0)
    #expect(rig.readCount == 1 && rig.reported.count == 20)
    #expect(Set(rig.reported.map(\.packet)).count == 1)
  }

  @Test func `a report returns the time until the next one`() throws {
    let rig = FeedbackRig()
    try rig.subscribe(1, rate: 10, at: 0)
    #expect(abs(try rig.report(at: 0).wait - 0.1) < 1e-9)
    #expect(abs(try rig.report(at: 0.03).wait - 0.07) < 1e-9)
    // After a pause reports stay in step, and missed ones are not made up for.
    #expect(abs(try rig.report(at: 10).wait - 0.025) < 1e-9)
  }

  // MARK: - Another machine by UDP

  @Test
  func `another machine is sent at most 200 kB a second, gets a note of that, and misses no lasting value`()
    throws
  {
    let rig = FeedbackRig()
    let count = 200
    rig.stateValues = (0..<count).map { ("/visgraph/level/meter/\($0)", .float(0)) }
    try rig.feedback.subscribe(FeedbackRig.far(1), .all, rate: 60, lease: 60, at: 0)
    var (bytes, noteTimes): (Int, [Double]) = (0, [])
    var last: [String: [Argument]] = [:]
    for step in 0...1250 {
      let time = Double(step) / 100
      // Changes end after ten seconds.
      if time <= 10 { for index in 0..<count { rig.stateValues[index].1 = .float(Float(step + index)) } }
      let (packets, isHeld) = rig.reportFar(at: time, to: 1)
      if time <= 10 { bytes += packets.reduce(0) { $0 + $1.count + 28 } }
      if isHeld { noteTimes.append(time) }
      for message in try packets.flatMap({ try PacketReader().read($0).messages }) {
        last[message.address] = message.arguments
      }
    }
    // The subscriptions add up to 450 kB a second, and one report to 9 kB: the budget allows one every 47 ms.
    #expect((1_500_000...2_015_000).contains(bytes), "\(bytes)")
    #expect(noteTimes.count == 1 && (1...1.2).contains(noteTimes[0]), "\(noteTimes)")
    #expect(last.count == count)
    for index in 0..<count {
      #expect(last["/visgraph/level/meter/\(index)"] == [.float(Float(1000 + index))])
    }
  }

  @Test func `two subscriptions of one machine take turns, and this machine gets all of both`()
    throws
  {
    let rig = FeedbackRig()
    rig.stateValues = (0..<200).map { ("/visgraph/level/meter/\($0)", .float(0)) }
    for port in 1...2 as ClosedRange<UInt16> {
      try rig.feedback.subscribe(FeedbackRig.far(port), .all, rate: 60, lease: 60, at: 0)
    }
    try rig.subscribe(3, rate: 60, at: 0)
    var counts = [UInt16: Int]()
    for step in 0..<500 {
      for index in rig.stateValues.indices { rig.stateValues[index].1 = .float(Float(step + index)) }
      _ = rig.feedback.report(
        at: Double(step) / 100,
        { state in
          state.beginPoll()
          for (address, value) in rig.stateValues { state.set(address, value) }
        },
        { counts[$1 == FeedbackRig.peer(3) ? 3 : $1 == FeedbackRig.far(1) ? 1 : 2, default: 0] += $0.count })
    }
    let (one, two, own) = (counts[1] ?? 0, counts[2] ?? 0, counts[3] ?? 0)
    #expect(one > 0 && abs(one - two) * 10 < one && own > 3 * (one + two) / 2, "\(counts)")
  }

  @Test func `a machine may have sixteen subscriptions by UDP, at any ports`() throws {
    let rig = FeedbackRig()
    for number in 0..<16 {
      try rig.feedback.subscribe(
        FeedbackRig.far(UInt16(number / 8)), try FeedbackPattern("/visgraph/level/\(number)"), rate: 10,
        lease: 60,
        at: 0)
    }
    #expect(throws: ControlError.self) {
      try rig.feedback.subscribe(FeedbackRig.far(3), .all, rate: 10, lease: 60, at: 0)
    }
    try rig.subscribe(3, at: 0)
    #expect(rig.feedback.countedPeers == [FeedbackRig.far(0), FeedbackRig.far(1)])
  }
}
