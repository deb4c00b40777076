import Testing

@testable import Controls
@testable import OSC

@Suite struct PortLogTests {
  private let peer = PacketPeer(way: .datagrams, socketAddress: SocketAddress(.loopback, port: 5000))

  private func refused(_ address: String, _ fault: ControlError) -> PortEvent {
    .refused(address: address, fault, from: peer)
  }

  @Test func `a refusal is logged at once, and then once a second and kind, with a count`() {
    let log = PortLog(reportsAll: false)
    log.add(refused("/visgraph/mastr", .address("/visgraph/mastr")), at: 0)
    let first =
      "control: /visgraph/mastr of 127.0.0.1:5000 is refused: nothing is called /visgraph/mastr; "
      + "did you mean /visgraph/master? [control-address]"
    #expect(log.takeLines(at: 0) == [PortLog.Line(text: first, isWarning: true)])
    for count in 0..<40 { log.add(refused("/x", .address("/x")), at: 0.01 * Double(count)) }
    // Another kind does not wait for it.
    log.add(refused("/visgraph/master", .usage("/visgraph/master 0…1")), at: 0.5)
    #expect(
      log.takeLines(at: 0.5).map(\.text) == [
        "control: /visgraph/master of 127.0.0.1:5000 is refused: the arguments do not fit; "
          + "write /visgraph/master 0…1 [control-usage]"
      ])
    #expect(log.takeLines(at: 0.9).isEmpty)
    #expect(
      log.takeLines(at: 1).map(\.text) == [
        "control: /x of 127.0.0.1:5000 is refused: nothing is called /x; `visgraph controls` lists what there is "
          + "[control-address] (and 39 more like it)"
      ])
    #expect(log.takeLines(at: 9).isEmpty)
  }

  @Test func `unknown peers are logged once a minute, however many there are`() {
    let log = PortLog(reportsAll: false)
    for second in 0..<59 { log.add(.stranger(.notAllowed(.loopback)), at: Double(second)) }
    #expect(
      log.takeLines(at: 59).map(\.text) == ["control: messages of 127.0.0.1 are ignored: it is not allowed"]
    )
    #expect(
      log.takeLines(at: 60).map(\.text) == [
        "control: messages of 127.0.0.1 are ignored: it is not allowed (and 57 more like it)"
      ])
  }

  @Test func `accepted commands are logged only if all are to be logged`() {
    let message = Message("/visgraph/master", .float(0.5))
    let quiet = PortLog(reportsAll: false)
    quiet.add(.taken(message, from: peer), at: 0)
    #expect(quiet.takeLines(at: 5).isEmpty)
    let log = PortLog(reportsAll: true)
    for _ in 0..<3 { log.add(.taken(message, from: peer), at: 0) }
    #expect(
      log.takeLines(at: 5) == [
        PortLog.Line(text: "control: /visgraph/master 0.5 of 127.0.0.1:5000", isWarning: false),
        PortLog.Line(
          text: "control: /visgraph/master 0.5 of 127.0.0.1:5000 (and 1 more like it)", isWarning: false),
      ])
  }

  @Test func `a flood does not make the log grow`() {
    let log = PortLog(reportsAll: true)
    for number in 0..<10_000 { log.add(.taken(Message("/\(number)"), from: peer), at: 0) }
    #expect(log.takeLines(at: 0).count == 257)
    #expect(
      log.takeLines(at: 1).map(\.text) == [
        "control: /9999 of 127.0.0.1:5000 (and 9742 more, of many sorts)"
      ])
    for number in 0..<10_000 {
      log.add(.taken(Message("/\(number % 300)"), from: peer), at: Double(number))
    }
    let lines = log.takeLines(at: 10_000)
    #expect(lines.count == 258)
    #expect(lines.last?.text == "control: 9743 more that were not taken in time")
  }
}
