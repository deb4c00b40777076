import OSC

/// Tells those who have asked, and those whom the graph names, how the show stands: all of it to who joins, then what
/// changes. Bounded in whom it tells, and in the bytes for machines whose datagrams may be forged. [port]
struct Feedback {
  /// The most subscriptions, of one surface, and by UDP of another machine.
  static let most = 64
  static let mostOfOne = 8
  static let mostOfMachine = 16
  /// Within how long everything is sent again, in seconds: datagrams get lost, and receivers that cannot subscribe may join late.
  static let refresh = 10.0
  /// The most bytes of a packet, so that it goes through any network in one piece.
  static let mostBytes = 1400

  private enum TransportProtocol {
    case peer(PacketPeer)
    /// One that the graph names; `ready`: how often it had become ready when it was last told all.
    case target(Target, ready: Int)
  }

  private struct Member {
    let way: TransportProtocol
    var until: Double
    var isNew = true

    var isTarget: Bool { if case .target = way { true } else { false } }

    /// Whether everything is being sent to it.
    func getsAll(_ isSilent: Bool) -> Bool { isNew && !(isSilent && isTarget) }
  }

  /// Subscribers that are sent the same at the same time.
  private struct Feed {
    let pattern: FeedbackPattern
    let rate: Double
    var next: Double
    var members: [Member]
    /// The look at the show that was sent last.
    var version = 0
    /// Up to when everything was sent again bit by bit, and which message is next.
    var refreshTime: Double
    var refreshNext = 0
    /// The places of the messages that fit, and of which layout they are.
    var places: [Int] = []
    var layout = -1
    /// Whose alone it is, where its bytes are counted; nil: that of several.
    var counted: PacketPeer?
    /// Until when there is no room in the budget.
    var heldUntil = -Double.infinity
  }

  private var feeds: [Feed] = []
  private var state = FeedbackState()
  /// What machines may be sent whose datagrams may be forged.
  var budget = SendBudget()

  /// Tells some without being asked.
  init(_ endpoints: [Endpoint]) {
    let targets = endpoints.map { Member(way: .target(Target($0), ready: 0), until: .infinity) }
    if !targets.isEmpty {
      feeds.append(Feed(pattern: .all, rate: FeedbackTerms.rate, next: 0, members: targets, refreshTime: 0))
    }
  }

  /// Whether there is any subscriber.
  var isNeeded: Bool { !feeds.isEmpty }

  /// Subscribers whose address may be forged.
  var countedPeers: Set<PacketPeer> { Set(feeds.compactMap(\.counted)) }

  /// Tells a surface what fits a pattern, for so long; again: for longer.
  mutating func subscribe(
    _ peer: PacketPeer, _ pattern: FeedbackPattern, rate: Double, lease: Double, at time: Double
  ) throws(ControlError) {
    forget(at: time)
    let counted = peer.mayBeForged ? peer : nil
    func isSame(_ feed: Feed) -> Bool {
      feed.pattern == pattern && feed.rate == rate && feed.counted == counted
    }
    if let same = feeds.firstIndex(where: isSame),
      let index = feeds[same].members.firstIndex(where: { Self.is($0, peer) })
    {
      feeds[same].members[index].until = time + lease
      return
    }
    unsubscribe(peer, pattern)
    let peers = feeds.flatMap(\.members).compactMap { if case .peer(let peer) = $0.way { peer } else { nil } }
    guard peers.count < Self.most else {
      throw .tooMuch("\(Self.most) surfaces are told how the show stands, and that is the most")
    }
    guard peers.count(where: { $0 == peer }) < Self.mostOfOne else {
      throw .tooMuch("one surface may have \(Self.mostOfOne) subscriptions")
    }
    let ofMachine = peers.count { $0.mayBeForged && $0.address == peer.address }
    guard counted == nil || ofMachine < Self.mostOfMachine else {
      throw .tooMuch("one machine may have \(Self.mostOfMachine) subscriptions by UDP")
    }
    let member = Member(way: .peer(peer), until: time + lease)
    if let place = feeds.firstIndex(where: isSame) {
      feeds[place].members.append(member)
    } else {
      feeds.append(
        Feed(
          pattern: pattern, rate: rate, next: time, members: [member], version: state.version,
          refreshTime: time, counted: counted))
    }
  }

  /// Tells a surface no more; nil: nothing at all.
  mutating func unsubscribe(_ peer: PacketPeer, _ pattern: FeedbackPattern?) {
    for place in feeds.indices where pattern == nil || feeds[place].pattern == pattern {
      feeds[place].members.removeAll { Self.is($0, peer) }
    }
    feeds.removeAll { $0.members.isEmpty }
  }

  /// Looks at the show if a subscriber is due, and sends what has changed; gives the seconds until the next is due. `held` is
  /// given who is told less often than it has asked for, now and then. Where `isSilent` those that the graph names get
  /// nothing: another machine sends to them.
  mutating func report(
    at time: Double, _ poll: (inout FeedbackState) -> Void, _ send: ([UInt8], PacketPeer) -> Void,
    held: (PacketPeer) -> Void = { _ in }, isSilent: Bool = false
  ) -> Double {
    forget(at: time)
    for place in feeds.indices {
      for index in feeds[place].members.indices {
        // A subscriber that was not there has received nothing.
        if case .target(let target, let ready) = feeds[place].members[index].way, target.timesReady != ready {
          feeds[place].members[index] = Member(
            way: .target(target, ready: target.timesReady), until: .infinity)
        }
      }
    }
    guard feeds.contains(where: { Self.isDue($0, at: time, isSilent) }) else { return wait(at: time) }
    state.beginPoll()
    poll(&state)
    // Who has waited longest first, so that none of a machine's takes all that it may be sent.
    for place in feeds.indices.sorted(by: { feeds[$0].next < feeds[$1].next }) {
      if hasRoom(place, at: time, held, isSilent) { report(place, at: time, send, isSilent) }
    }
    return wait(at: time)
  }

  private static func isDue(_ feed: Feed, at time: Double, _ isSilent: Bool) -> Bool {
    feed.heldUntil <= time && (feed.next <= time || feed.members.contains { $0.getsAll(isSilent) })
  }

  /// Whether a feed that is due may be sent now; else what has changed by then is sent later, and nothing is left out.
  private mutating func hasRoom(
    _ place: Int, at time: Double, _ held: (PacketPeer) -> Void, _ isSilent: Bool
  ) -> Bool {
    guard let peer = feeds[place].counted, Self.isDue(feeds[place], at: time, isSilent) else { return true }
    let wait = budget.wait(for: peer.address, at: time)
    guard wait > 0 else { return true }
    feeds[place].heldUntil = time + wait
    if budget.hold(for: peer.address, at: time) { held(peer) }
    return false
  }

  private mutating func report(
    _ place: Int, at time: Double, _ send: ([UInt8], PacketPeer) -> Void, _ isSilent: Bool
  ) {
    guard Self.isDue(feeds[place], at: time, isSilent) else { return }
    let isDue = feeds[place].next <= time
    let hasNew = feeds[place].members.contains { $0.getsAll(isSilent) }
    if feeds[place].layout != state.layout {
      let pattern = feeds[place].pattern
      feeds[place].places = state.entries.indices.filter { pattern.matches(state.entries[$0].address) }
      feeds[place].layout = state.layout
    }
    let feed = feeds[place]
    // Put together once for all of them.
    let changed = isDue ? bundles(changes(place, at: time)) : []
    let all = hasNew ? bundles(feed.places) : []
    for index in feed.members.indices {
      for packet in feed.members[index].isNew ? all : changed {
        switch feed.members[index].way {
        case .peer(let peer):
          send(packet, peer)
          if feed.counted != nil { budget.spend([packet], for: peer.address, at: time) }
        case .target where isSilent: break
        case .target(let target, _): packet.withUnsafeBytes { target.send($0) }
        }
      }
      // What it is not sent now is sent when this machine sends.
      feeds[place].members[index].isNew = isSilent && feed.members[index].isTarget
    }
    if isDue {
      feeds[place].version = state.version
      // In step, but never in a hurry after a pause.
      feeds[place].next = max(feed.next + 1 / feed.rate, time + 0.25 / feed.rate)
    }
  }

  /// The places of what has changed since it was sent, and of what is sent again.
  private mutating func changes(_ place: Int, at time: Double) -> [Int] {
    let feed = feeds[place]
    let count = feed.places.count
    let again = min(count, Int(Double(count) * max(0, time - feed.refreshTime) / Self.refresh))
    if again > 0 {
      feeds[place].refreshTime =
        again == count ? time : feed.refreshTime + Double(again) * Self.refresh / Double(count)
      feeds[place].refreshNext = (feed.refreshNext + again) % count
    }
    return feed.places.indices.filter { index in
      state.entries[feed.places[index]].version > feed.version
        || (index + count - min(feed.refreshNext, count)) % count < again
    }.map { feed.places[$0] }
  }

  private mutating func forget(at time: Double) {
    for place in feeds.indices { feeds[place].members.removeAll { $0.until < time } }
    feeds.removeAll { $0.members.isEmpty }
  }

  private func wait(at time: Double) -> Double {
    feeds.map { max(0, max($0.next, $0.heldUntil) - time) }.min() ?? .infinity
  }

  private static func `is`(_ member: Member, _ peer: PacketPeer) -> Bool {
    if case .peer(peer) = member.way { true } else { false }
  }

  /// Some messages as bundles, each small enough for one packet of any network.
  private func bundles(_ places: [Int]) -> [[UInt8]] {
    var bundles: [[UInt8]] = []
    var bundle: [UInt8] = []
    for place in places {
      let packet = state.entries[place].packet
      guard !packet.isEmpty else { continue }
      if !bundle.isEmpty, bundle.count + BundleWriter.elementHeadSize + packet.count > Self.mostBytes {
        bundles.append(bundle)
        bundle = []
      }
      if bundle.isEmpty { BundleWriter.begin(&bundle) }
      BundleWriter.add(packet, to: &bundle)
    }
    return bundle.isEmpty ? bundles : bundles + [bundle]
  }
}
