import OSC

/// Sends subscribers, and the targets that the graph names as `feedback`, the state of the show: everything at first,
/// then what changes. Limits the number of subscriptions, and the bytes to machines whose datagrams may be forged.
/// [port]
struct Feedback {
  /// The most subscriptions: of all peers, of one peer, and by UDP of one other machine.
  static let most = 64
  static let mostOfOne = 8
  static let mostOfMachine = 16
  /// Within how many seconds everything is sent again: datagrams get lost, and targets may start late.
  static let refresh = 10.0
  /// The largest packet, in bytes, below the usual MTU of 1500, so that no network fragments it.
  static let mostBytes = 1400

  private enum TransportProtocol {
    case peer(PacketPeer)
    /// A target that the graph names; `ready`: its `timesReady` when it was last sent everything.
    case target(Target, ready: Int)
  }

  private struct Member {
    let way: TransportProtocol
    var until: Double
    var isNew = true

    var isTarget: Bool { if case .target = way { true } else { false } }

    /// Whether it has still to be sent everything.
    func getsAll(_ isSilent: Bool) -> Bool { isNew && !(isSilent && isTarget) }
  }

  /// Subscribers with the same pattern and rate, which are sent the same packets.
  private struct Feed {
    let pattern: FeedbackPattern
    let rate: Double
    var next: Double
    var members: [Member]
    /// The version of the state that was sent last.
    var version = 0
    /// Up to when the refresh has come, and the index of the message that is next in it.
    var refreshTime: Double
    var refreshNext = 0
    /// The indices of the messages that match, and the layout to which they belong.
    var places: [Int] = []
    var layout = -1
    /// The only member, if its bytes are counted; nil: several members, whose bytes are not.
    var counted: PacketPeer?
    /// Until when the budget has no room, in seconds.
    var heldUntil = -Double.infinity
  }

  private var feeds: [Feed] = []
  private var state = FeedbackState()
  /// Limits the bytes to machines whose datagrams may be forged.
  var budget = SendBudget()

  /// Sends to the targets that the graph names.
  init(_ endpoints: [Endpoint]) {
    let targets = endpoints.map { Member(way: .target(Target($0), ready: 0), until: .infinity) }
    if !targets.isEmpty {
      feeds.append(Feed(pattern: .all, rate: FeedbackTerms.rate, next: 0, members: targets, refreshTime: 0))
    }
  }

  /// Whether there is any subscriber or target.
  var isNeeded: Bool { !feeds.isEmpty }

  /// Subscribers whose address may be forged.
  var countedPeers: Set<PacketPeer> { Set(feeds.compactMap(\.counted)) }

  /// Subscribes a peer to the messages that match a pattern, for `lease` seconds; again: prolongs that.
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
      throw .tooMuch("\(Self.most) surfaces have subscribed already; at most \(Self.most) are allowed")
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

  /// Ends a peer's subscription with that pattern; nil: all of the peer's.
  mutating func unsubscribe(_ peer: PacketPeer, _ pattern: FeedbackPattern?) {
    for place in feeds.indices where pattern == nil || feeds[place].pattern == pattern {
      feeds[place].members.removeAll { Self.is($0, peer) }
    }
    feeds.removeAll { $0.members.isEmpty }
  }

  /// Polls the show if a subscriber is due, and sends what has changed; returns the seconds until the next is due.
  /// `held` takes, from time to time, a peer that gets its values less often than it asked. With `isSilent` the targets
  /// that the graph names are sent nothing, because another machine sends to them.
  mutating func report(
    at time: Double, _ poll: (inout FeedbackState) -> Void, _ send: ([UInt8], PacketPeer) -> Void,
    held: (PacketPeer) -> Void = { _ in }, isSilent: Bool = false
  ) -> Double {
    forget(at: time)
    for place in feeds.indices {
      for index in feeds[place].members.indices {
        // A target that was not reachable has received nothing.
        if case .target(let target, let ready) = feeds[place].members[index].way, target.timesReady != ready {
          feeds[place].members[index] = Member(
            way: .target(target, ready: target.timesReady), until: .infinity)
        }
      }
    }
    guard feeds.contains(where: { Self.isDue($0, at: time, isSilent) }) else { return wait(at: time) }
    state.beginPoll()
    poll(&state)
    // The feed that is due longest comes first, so that none takes all of its machine's budget.
    for place in feeds.indices.sorted(by: { feeds[$0].next < feeds[$1].next }) {
      if hasRoom(place, at: time, held, isSilent) { report(place, at: time, send, isSilent) }
    }
    return wait(at: time)
  }

  private static func isDue(_ feed: Feed, at time: Double, _ isSilent: Bool) -> Bool {
    feed.heldUntil <= time && (feed.next <= time || feed.members.contains { $0.getsAll(isSilent) })
  }

  /// Whether a feed that is due has room in the budget; if not, all changes up to then are sent later.
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
    // Encoded once for all members.
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
      // A target that is sent nothing now gets everything as soon as this machine sends.
      feeds[place].members[index].isNew = isSilent && feed.members[index].isTarget
    }
    if isDue {
      feeds[place].version = state.version
      // Keeps the rhythm, but after a pause sends at most four times as often.
      feeds[place].next = max(feed.next + 1 / feed.rate, time + 0.25 / feed.rate)
    }
  }

  /// The indices of the messages that have changed since they were sent, and of those that the refresh is sending
  /// again.
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

  /// Ends the subscriptions of peers whose connection is closed: a surface that connects again is another peer.
  mutating func forget(where isGone: (PacketPeer) -> Bool) {
    for place in feeds.indices {
      feeds[place].members.removeAll { if case .peer(let peer) = $0.way { isGone(peer) } else { false } }
    }
    feeds.removeAll { $0.members.isEmpty }
  }

  private func wait(at time: Double) -> Double {
    feeds.map { max(0, max($0.next, $0.heldUntil) - time) }.min() ?? .infinity
  }

  private static func `is`(_ member: Member, _ peer: PacketPeer) -> Bool {
    if case .peer(peer) = member.way { true } else { false }
  }

  /// Messages as bundles of at most `mostBytes`.
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
