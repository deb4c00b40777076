import Testing

@testable import Hosts

/// The record of connections, without a server.
@Suite struct JackConnectionsTests {
  let link = JackLink(port: "in_1", other: "mixer:out_1")
  let ends = JackConnections.Ends(port: 4, other: 9)

  /// The connections to make and remove if the rules give `targets` and all ports exist.
  private func plan(
    _ connections: inout JackConnections, _ targets: Set<JackLink> = [], at time: Double,
    exists: Bool = true
  ) -> (connect: [JackLink], disconnect: [JackLink], refused: [JackLink]) {
    let plan = connections.plan(targets: targets, ports: ["in_1", "in_2"], at: time) { _ in exists }
    return (plan.connect, plan.disconnect, plan.refused.map(\.0))
  }

  @Test func `a connection that a rule gives is requested once a second, five times, and then reported once`()
  {
    var connections = JackConnections()
    var requestTimes: [Double] = []
    var refused: [Double] = []
    for step in 0..<100 {
      let time = Double(step) / 8
      let plan = self.plan(&connections, [link], at: time)
      if !plan.connect.isEmpty { requestTimes.append(time) }
      if !plan.refused.isEmpty { refused.append(time) }
      if step == 0 { connections.failed(link, number: -1) }
    }
    #expect(requestTimes == [0, 1, 2, 3, 4])
    #expect(refused == [5])
    #expect(connections.nextAttempt == nil)
    connections.appeared("mixer:out_1")
    let plan1 = self.plan(&connections, [link], at: 20).connect
    #expect(plan1 == [link])
  }

  @Test func `an existing connection is not requested, and one that a rule no longer gives is removed`() {
    var connections = JackConnections()
    let plan2 = self.plan(&connections, [link], at: 0).connect
    #expect(plan2 == [link])
    let isNew = [connections.connected(link, ends), connections.connected(link, ends)]
    #expect(isNew == [true, false])
    let plan3 = self.plan(&connections, [link], at: 2).connect
    #expect(plan3 == [])
    let plan4 = self.plan(&connections, [], at: 2).disconnect
    #expect(plan4 == [link])
    let ended = connections.disconnected(ends, at: 2)
    #expect(ended == link)
    connections.settle(at: 9) { _ in true }
    // The user did not remove it, so the rule may request it again.
    let plan5 = self.plan(&connections, [link], at: 9).connect
    #expect(plan5 == [link])
  }

  @Test func `a connection that the user made is kept, whatever the rules give`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    #expect(connections.requested == [link])
    let plan6 = self.plan(&connections, [], at: 0).disconnect
    #expect(plan6 == [])
    connections.serverLost(at: 1)
    #expect(connections.present.isEmpty)
    let plan7 = self.plan(&connections, [], at: 1, exists: false).connect
    #expect(plan7 == [])
    let plan8 = self.plan(&connections, [], at: 1).connect
    #expect(plan8 == [link])
  }

  @Test func `a disconnection whose peer stays was made by the user`() {
    var connections = JackConnections()
    _ = plan(&connections, [link], at: 0)
    _ = connections.connected(link, ends)
    let ended = connections.disconnected(ends, at: 1)
    #expect(ended == link)
    // In doubt nothing is requested.
    let plan9 = self.plan(&connections, [link], at: 1.2).connect
    #expect(plan9 == [])
    #expect(connections.nextDecision == 1 + JackConnections.doubt)
    connections.settle(at: 1.31) { _ in true }
    #expect(connections.unwanted == [link])
    let plan10 = self.plan(&connections, [link], at: 9).connect
    #expect(plan10 == [])
    // A connection that the user makes again, or that another rule gives, counts again.
    connections.ruleChanged(port: "in_1")
    let plan11 = self.plan(&connections, [link], at: 9).connect
    #expect(plan11 == [link])
  }

  @Test func `a connection that the user made ends with its peer, even if the peer is back at once`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    _ = connections.disconnected(ends, at: 1)
    _ = connections.vanished(9, at: 1)
    // In doubt nothing is requested: the server itself may be about to end.
    connections.settle(at: 1.9) { _ in true }
    let plan12 = self.plan(&connections, at: 1.9).connect
    #expect(plan12 == [])
    #expect(connections.requested == [link])
    connections.settle(at: 2) { _ in true }
    #expect(connections.requested == [] && connections.unwanted == [])
    let plan14 = self.plan(&connections, at: 9).connect
    #expect(plan14 == [])
  }

  @Test func `a connection of a rule is made again when its peer is back`() {
    var connections = JackConnections()
    _ = plan(&connections, [link], at: 0)
    _ = connections.connected(link, ends)
    _ = connections.disconnected(ends, at: 1)
    _ = connections.vanished(9, at: 1)
    connections.settle(at: 9) { _ in true }
    let plan15 = self.plan(&connections, [link], at: 9).connect
    #expect(plan15 == [link])
  }

  @Test func `the connections of a peer that ends just before its server are restored`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    _ = connections.disconnected(ends, at: 1)
    _ = connections.vanished(9, at: 1)
    connections.serverLost(at: 1)
    connections.settle(at: 9) { _ in false }
    let plan16 = self.plan(&connections, at: 9).connect
    #expect(plan16 == [link])
  }

  @Test func `a port that is unregistered without a notification of its connection ends that connection`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    let unreported = [connections.vanished(9, at: 1), connections.vanished(9, at: 1)]
    #expect(unreported == [[link], []])
    #expect(connections.present.isEmpty)
    connections.settle(at: 2) { _ in true }
    #expect(connections.requested == [] && connections.unwanted == [])
    // A rule's connection is requested as soon as the peer is back.
    _ = plan(&connections, [link], at: 3)
    _ = connections.connected(link, ends)
    _ = connections.vanished(9, at: 4)
    let plan17 = self.plan(&connections, [link], at: 4).connect
    #expect(plan17 == [link])
  }

  @Test
  func `if a server registers the name of a port anew, its connection is not restored with a later server`() {
    for isNotified in [true, false] {
      var connections = JackConnections()
      _ = connections.connected(link, ends)
      if isNotified { _ = connections.disconnected(ends, at: 1) }
      _ = connections.vanished(9, at: 1)
      connections.appeared("mixer:out_1")
      #expect(connections.requested == [])
      let plan18 = self.plan(&connections, at: 1).connect
      #expect(plan18 == [])
      connections.serverLost(at: 1.1)
      let plan19 = self.plan(&connections, at: 2).connect
      #expect(plan19 == [])
    }
  }

  @Test func `the connections of a peer that ended long before a server stalled are not restored`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    _ = connections.disconnected(ends, at: 1)
    _ = connections.vanished(9, at: 1)
    connections.serverLost(at: 2.5)
    let plan20 = self.plan(&connections, at: 6).connect
    #expect(plan20 == [])
  }

  @Test func `two port names with one number are two ports, of which the first has ended`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    let other = JackLink(port: "in_1", other: "stranger:out_1")
    let isNew = connections.connected(other, ends)
    #expect(isNew && connections.present == [other: ends] && connections.requested == [other])
    let ended = [connections.disconnected(ends, at: 1), connections.disconnected(ends, at: 1)]
    #expect(ended == [other, nil])
  }

  @Test func `connections that never come back are forgotten above a limit`() {
    var connections = JackConnections()
    for number in 0..<3 * JackConnections.mostRequested {
      let ends = JackConnections.Ends(port: 4, other: UInt32(10 + number))
      _ = connections.connected(JackLink(port: "in_1", other: "rec-\(number):out_1"), ends)
      if number % 1000 == 0 { connections.serverLost(at: 1) }
    }
    #expect(connections.requested.count <= JackConnections.mostRequested)
  }

  @Test func `a disconnection just before the server's end was made by the server`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    _ = connections.disconnected(ends, at: 1)
    connections.serverLost(at: 1)
    connections.settle(at: 9) { _ in true }
    let plan13 = self.plan(&connections, at: 9).connect
    #expect(plan13 == [link])
  }

  @Test func `a removed port ends its connections, and they do not count as removed by the user`() {
    var connections = JackConnections()
    _ = connections.connected(link, ends)
    connections.forget(port: "in_1")
    let ended = connections.disconnected(ends, at: 1)
    #expect(ended == nil)
    #expect(connections.nextDecision == nil)
    #expect(connections.requested == [link])
  }

  @Test func `a peer that is renamed stays connected under its new name`() {
    var connections = JackConnections()
    let new = JackLink(port: "in_1", other: "mixer:main")
    _ = connections.connected(link, ends)
    connections.renamed(9, to: "mixer:main")
    #expect(connections.present == [new: ends])
    #expect(connections.requested == [new])
  }
}
