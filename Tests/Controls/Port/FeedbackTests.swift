import Graphs
import TestSupport
import Testing

@testable import Controls
@testable import OSC

/// Surfaces that are sent how a show stands, with a clock turned by hand.
@Suite(.waiting) struct FeedbackTests {
  /// A show of a few messages, and what each surface was sent, a packet each.
  private final class Stage {
    var feedback: Feedback
    var stated: [(String, Argument)] = [
      ("/visgraph/master", .float(1)), ("/visgraph/node/gain/gain", .float(-6)),
    ]
    /// How often the show was looked at.
    private(set) var looks = 0
    private(set) var reported: [(peer: PacketPeer, packet: [UInt8])] = []

    init(_ endpoints: [Endpoint] = []) { feedback = Feedback(endpoints) }

    static func peer(_ port: UInt16) -> PacketPeer {
      PacketPeer(way: .datagrams, socketAddress: SocketAddress(.loopback, port: port))
    }

    /// One of another machine.
    static func far(_ port: UInt16) -> PacketPeer {
      PacketPeer(
        way: .datagrams, socketAddress: SocketAddress(IPAddress("10.0.0.9") ?? .loopback, port: port))
    }

    /// Reports at a time; gives the packets that one of another machine was sent, and whether it is due a note that it is
    /// sent less often.
    func reportFar(at time: Double, to port: UInt16) -> (packets: [[UInt8]], isHeld: Bool) {
      var (packets, isHeld): ([[UInt8]], Bool) = ([], false)
      _ = feedback.report(
        at: time,
        { state in
          state.beginPoll()
          for (address, value) in stated { state.set(address, value) }
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

    /// The seconds until it is due again, and the messages that a surface was sent now, as `address value`.
    @discardableResult
    func report(at time: Double, for port: UInt16 = 1, isSilent: Bool = false) throws -> (
      wait: Double, reported: [String]
    ) {
      reported = []
      let wait = feedback.report(
        at: time,
        { state in
          looks += 1
          for (address, value) in stated { state.set(address, value) }
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

  @Test func `who joins is told everything at once, then what changes alone`() throws {
    let stage = Stage()
    try stage.subscribe(1, at: 0)
    #expect(try stage.report(at: 0).reported == ["/visgraph/master 1", "/visgraph/node/gain/gain -6"])
    #expect(try stage.report(at: 0.2).reported == [])
    stage.stated[0].1 = .float(0.5)
    #expect(try stage.report(at: 0.4).reported == ["/visgraph/master 0.5"])
    // Another that joins is sent everything, the first nothing that it knows.
    try stage.subscribe(2, at: 0.5)
    #expect(
      try stage.report(at: 0.6, for: 2).reported == ["/visgraph/master 0.5", "/visgraph/node/gain/gain -6"])
    #expect(try stage.report(at: 0.8).reported == [])
  }

  @Test func `one that the graph names is told everything when this machine begins to send`() throws {
    let ear = try OscReceiver()
    let stage = Stage([try Endpoint("127.0.0.1:\(ear.port)")])
    for step in 0..<5 { try stage.report(at: 0.1 * Double(step), isSilent: true) }
    #expect(ear.messages.isEmpty)
    try stage.report(at: 0.5)
    #expect(poll { ear.messages.map(\.address) == stage.stated.map(\.0) }, "\(ear.messages)")
  }

  @Test func `everything is told again within ten seconds, as packets get lost`() throws {
    let stage = Stage()
    stage.stated = (0..<40).map { ("/visgraph/level/meter/\($0)", .float(Float($0))) }
    try stage.subscribe(1, at: 0)
    try stage.report(at: 0)
    var again: [String] = []
    for step in 1...101 {
      let reported = try stage.report(at: Double(step) / 10).reported
      #expect(reported.count <= 1)
      again += reported
    }
    #expect(again == (0..<40).map { "/visgraph/level/meter/\($0) \($0)" })
  }

  @Test func `a surface is told as often as it asks and no more`() throws {
    let stage = Stage()
    try stage.subscribe(1, rate: 20, at: 0)
    var packets = 0
    for step in 0..<1000 {
      stage.stated[0].1 = .float(Float(step))
      packets += try stage.report(at: Double(step) / 1000).reported.count
    }
    // Twenty times a second, and the two of the beginning.
    #expect(packets == 21)
    #expect(stage.looks == 20)
  }

  @Test func `a lease ends, and one that is taken again is not told everything again`() throws {
    let stage = Stage()
    try stage.subscribe(1, lease: 5, at: 0)
    try stage.report(at: 0)
    try stage.subscribe(1, lease: 5, at: 4)
    #expect(try stage.report(at: 4).reported == [])
    stage.stated[0].1 = .float(0.25)
    #expect(try stage.report(at: 8.9).reported == ["/visgraph/master 0.25"])
    stage.stated[0].1 = .float(0)
    #expect(try stage.report(at: 9.1).reported == [] && !stage.feedback.isNeeded)
  }

  @Test func `a pattern says what is wanted, by the first parts of addresses`() throws {
    let stage = Stage()
    stage.stated += [("/visgraph/level/meter/1", .float(0.125)), ("/visgraph/level/other/1", .float(0.25))]
    try stage.subscribe(1, "/visgraph/level/meter", at: 0)
    #expect(try stage.report(at: 0).reported == ["/visgraph/level/meter/1 0.125"])
    try stage.subscribe(2, "/visgraph/{node,level}/*/gain", at: 0)
    #expect(try stage.report(at: 1, for: 2).reported == ["/visgraph/node/gain/gain -6"])
    for wrong in [
      "", "visgraph", "/", "//", "/visgraph/", "/visgraph/[", "/" + String(repeating: "a", count: 300),
    ] {
      #expect(throws: ControlError.self, "\(wrong)") { try FeedbackPattern(wrong) }
    }
  }

  @Test func `a long state goes in packets that any network takes`() throws {
    let stage = Stage()
    stage.stated = (0..<500).map { ("/visgraph/level/meter/\($0)", .float(Float($0))) }
    try stage.subscribe(1, at: 0)
    let reported = try stage.report(at: 0).reported
    #expect(reported == (0..<500).map { "/visgraph/level/meter/\($0) \($0)" })
    #expect(stage.reported.count == 15)
  }

  @Test func `one surface may subscribe eight times, and all of them 64 times`() throws {
    let stage = Stage()
    for number in 0..<8 { try stage.subscribe(1, "/visgraph/level/\(number)", at: 0) }
    #expect(throws: ControlError.self) { try stage.subscribe(1, "/visgraph/level/9", at: 0) }
    // What it has it may have for longer.
    try stage.subscribe(1, "/visgraph/level/7", at: 1)
    for port in 2..<58 as Range<UInt16> { try stage.subscribe(port, at: 1) }
    #expect(throws: ControlError.self) { try stage.subscribe(99, at: 1) }
    stage.feedback.unsubscribe(Stage.peer(1), nil)
    try stage.subscribe(99, at: 1)
    // Those whose lease is over leave their places.
    try stage.subscribe(100, at: 100)
  }

  @Test func `a surface that has had enough is told no more`() throws {
    let stage = Stage()
    try stage.subscribe(1, "/visgraph/master", at: 0)
    try stage.subscribe(1, "/visgraph/node", at: 0)
    stage.feedback.unsubscribe(Stage.peer(1), try FeedbackPattern("/visgraph/node"))
    #expect(try stage.report(at: 0).reported == ["/visgraph/master 1"])
    stage.feedback.unsubscribe(Stage.peer(1), nil)
    #expect(!stage.feedback.isNeeded)
  }

  @Test func `those who ask for the same cost one look, however many they are`() throws {
    let stage = Stage()
    for port in 1...20 as ClosedRange<UInt16> { try stage.subscribe(port, rate: 30, at: 0) }
    stage.stated[0].1 = .float(0)
    try stage.report(at: 0)
    #expect(stage.looks == 1 && stage.reported.count == 20)
    #expect(Set(stage.reported.map(\.packet)).count == 1)
  }

  @Test func `a look tells after how long the next is due`() throws {
    let stage = Stage()
    try stage.subscribe(1, rate: 10, at: 0)
    #expect(abs(try stage.report(at: 0).wait - 0.1) < 1e-9)
    #expect(abs(try stage.report(at: 0.03).wait - 0.07) < 1e-9)
    // After a pause it goes on in step, and does not make up for what was missed.
    #expect(abs(try stage.report(at: 10).wait - 0.025) < 1e-9)
  }

  // MARK: - Another machine by UDP

  @Test func `another machine is sent 200 kB a second at most, is told so, and misses nothing that lasts`()
    throws
  {
    let stage = Stage()
    let count = 200
    stage.stated = (0..<count).map { ("/visgraph/level/meter/\($0)", .float(0)) }
    try stage.feedback.subscribe(Stage.far(1), .all, rate: 60, lease: 60, at: 0)
    var (bytes, told): (Int, [Double]) = (0, [])
    var last: [String: [Argument]] = [:]
    for step in 0...1250 {
      let time = Double(step) / 100
      // Changes end after ten seconds.
      if time <= 10 { for index in 0..<count { stage.stated[index].1 = .float(Float(step + index)) } }
      let (packets, isHeld) = stage.reportFar(at: time, to: 1)
      if time <= 10 { bytes += packets.reduce(0) { $0 + $1.count + 28 } }
      if isHeld { told.append(time) }
      for message in try packets.flatMap({ try PacketReader().read($0).messages }) {
        last[message.address] = message.arguments
      }
    }
    // What was asked for comes to 450 kB a second, and one look to 9 kB: there is room for it every 47 ms.
    #expect((1_500_000...2_015_000).contains(bytes), "\(bytes)")
    #expect(told.count == 1 && (1...1.2).contains(told[0]), "\(told)")
    #expect(last.count == count)
    for index in 0..<count {
      #expect(last["/visgraph/level/meter/\(index)"] == [.float(Float(1000 + index))])
    }
  }

  @Test func `what is asked for twice by one machine goes in turn, and this machine is told all of it`()
    throws
  {
    let stage = Stage()
    stage.stated = (0..<200).map { ("/visgraph/level/meter/\($0)", .float(0)) }
    for port in 1...2 as ClosedRange<UInt16> {
      try stage.feedback.subscribe(Stage.far(port), .all, rate: 60, lease: 60, at: 0)
    }
    try stage.subscribe(3, rate: 60, at: 0)
    var counts = [UInt16: Int]()
    for step in 0..<500 {
      for index in stage.stated.indices { stage.stated[index].1 = .float(Float(step + index)) }
      _ = stage.feedback.report(
        at: Double(step) / 100,
        { state in
          state.beginPoll()
          for (address, value) in stage.stated { state.set(address, value) }
        }, { counts[$1 == Stage.peer(3) ? 3 : $1 == Stage.far(1) ? 1 : 2, default: 0] += $0.count })
    }
    let (one, two, own) = (counts[1] ?? 0, counts[2] ?? 0, counts[3] ?? 0)
    #expect(one > 0 && abs(one - two) * 10 < one && own > 3 * (one + two) / 2, "\(counts)")
  }

  @Test func `a machine may have sixteen subscriptions by UDP, whatever ports it has`() throws {
    let stage = Stage()
    for number in 0..<16 {
      try stage.feedback.subscribe(
        Stage.far(UInt16(number / 8)), try FeedbackPattern("/visgraph/level/\(number)"), rate: 10, lease: 60,
        at: 0)
    }
    #expect(throws: ControlError.self) {
      try stage.feedback.subscribe(Stage.far(3), .all, rate: 10, lease: 60, at: 0)
    }
    try stage.subscribe(3, at: 0)
    #expect(stage.feedback.countedPeers == [Stage.far(0), Stage.far(1)])
  }
}
