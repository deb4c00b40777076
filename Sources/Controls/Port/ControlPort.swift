import Engine
public import Graphs
public import OSC
import Synchronization
import System

/// The control port: takes OSC by UDP and TCP from this machine and from allowed ones, performs the commands, and
/// answers.
///
/// It has a thread of its own, and no message can stop it: one that it cannot read or perform is answered with
/// `/visgraph/error ,ss address reason`.
public final class ControlPort: @unchecked Sendable {
  /// The port if the user states none; if another program has it, the next free one.
  public static let standard: UInt16 = 7770
  /// How many ports are tried.
  static let tries: UInt16 = 100
  /// The most messages a second that are performed; beyond them only the master and the blackout are.
  static let messagesPerSecond = 5000.0
  /// The most errors a second that are answered.
  static let errorsPerSecond = 50.0

  /// The address, such as `127.0.0.1:7770`, and which machines are allowed if not this one alone.
  public let name: String
  /// The UDP and TCP port.
  public var port: UInt16 { server.port }
  /// The address at which it listens.
  public var address: ListenAddress { server.address }

  private let server: PacketServer
  private let show: Show
  private let pair: PairPort?
  private let router: CommandRouter
  private let folders: AllowedFolders
  private let host: @Sendable () -> HostSnapshot
  let notify: @Sendable (PortEvent) -> Void
  private let isClosing = Atomic<Bool>(false)
  private let errors = Locked(TokenBucket(perSecond: errorsPerSecond, atOnce: errorsPerSecond))
  /// The number of refused messages, and the newest of them.
  private let refused = Locked<(count: Int, address: String, fault: ControlError?)>((0, "", nil))
  /// Masks keys in the report of refused messages.
  private let mask: SecretMask
  private var thread: Thread?
  // The following belongs to the port's own thread.
  private var messages = TokenBucket(perSecond: messagesPerSecond, atOnce: messagesPerSecond)
  private var answers = TokenBucket(perSecond: 20, atOnce: 20)
  private var keys: ControlKeys
  var proofs = PeerProofs()
  private let addresses = AddressCache()
  var feedback: Feedback
  private var poller: ShowPoller
  private var watch = ShowHealth()
  private var nextWatch = 0.0

  /// Opens a port and begins to listen; nil if the settings say `off`.
  ///
  /// - Parameters:
  ///   - router: performs the commands.
  ///   - folders: the folders in which files lie that messages may name.
  ///   - host: the state of the host. [any]
  ///   - levels: the newest levels by number, and the plan to which they belong. [any]
  ///   - mask: masks keys in the report of refused messages.
  ///   - pair: the other machine of a pair; nil: the show is alone.
  ///   - notify: takes events of the port; must not wait. [any]
  /// - Throws: why the port cannot be opened.
  public static func open(
    _ settings: ControlSettings, show: Show, router: CommandRouter, folders: AllowedFolders,
    host: @escaping @Sendable () -> HostSnapshot,
    levels: @escaping @Sendable () -> (plan: Int?, levels: [Float]) = { (nil, []) },
    mask: SecretMask = .unknown,
    pair: PairPort? = nil,
    notify: @escaping @Sendable (PortEvent) -> Void = { _ in }
  ) throws(ListenError) -> ControlPort? {
    let allowed = settings.allow ?? .networks([])
    let server: PacketServer
    switch settings.listen {
    case .off: return nil
    case .at(let address): server = try PacketServer(at: address, allowed: allowed)
    case .standard:
      server = try PacketServer.first(freeIn: standard...standard + tries - 1, allowed: allowed)
    }
    return try ControlPort(server, settings, show, router, folders, host, levels, mask, pair, notify)
  }

  private init(
    _ server: PacketServer, _ settings: ControlSettings, _ show: Show, _ router: CommandRouter,
    _ folders: AllowedFolders,
    _ host: @escaping @Sendable () -> HostSnapshot,
    _ levels: @escaping @Sendable () -> (plan: Int?, levels: [Float]), _ mask: SecretMask,
    _ pair: PairPort?,
    _ notify: @escaping @Sendable (PortEvent) -> Void
  ) throws(ListenError) {
    self.server = server
    self.show = show
    self.pair = pair
    self.router = router
    self.folders = folders
    self.host = host
    self.notify = notify
    keys = ControlKeys(settings.key)
    self.mask = mask
    feedback = Feedback(settings.feedback)
    poller = ShowPoller(show, router, host, levels)
    name = settings.place(of: server.address)
    do throws(Errno) {
      thread = try Thread("control", as: Thread.Options(hasFinestTimers: true)) { [self] in serve() }
    } catch {
      throw ListenError(server.address, error.number)
    }
  }

  private func serve() {
    while !isClosing.load(ordering: .acquiring) {
      let wait = Int32((1000 * min(0.5, reportFeedback())).rounded(.up))
      server.processEvents(milliseconds: wait, stranger: { [notify] in notify(.stranger($0)) }) {
        peer, packet in take(packet, from: peer)
      }
    }
  }

  /// Closes the port; no message is performed afterwards.
  public func close() {
    isClosing.store(true, ordering: .releasing)
    server.wake()
    thread?.join()
    thread = nil
  }

  private func take(_ packet: Result<[UInt8], OSCError>, from peer: PacketPeer) {
    var budget: AnswerBudget?
    if peer.mayBeForged, !proofs.holds(for: peer, at: now()) {
      budget = AnswerBudget(datagram: (try? packet.get().count) ?? 0)
    }
    do throws(OSCError) {
      let read = try PacketReader().read(try packet.get())
      // Messages are performed in order and at once, whatever the time tags of their bundles.
      for message in read.messages { take(message, from: peer, budget) }
      for (address, fault) in read.undecodable { refuse(peer, address, .packet(fault), budget) }
    } catch {
      refuse(peer, "", .packet(error), budget)
    }
  }

  /// Performs a message; `budget` limits the answers, nil: no limit.
  private func take(_ message: Message, from peer: PacketPeer, _ budget: AnswerBudget?) {
    let address = message.address
    // These are answers of visgraph: two that answer each other's answers would never stop.
    if address == "/visgraph/error" || address.hasPrefix("/visgraph/status/")
      || address.hasPrefix("/visgraph/level/")
    {
      return
    }
    guard address == "/visgraph/key" || keys.hears(peer, at: now()) else {
      return refuse(peer, address, .locked, budget)
    }
    // A flood of other messages must not make the spare believe that the show is silent.
    let isOfPair =
      address == "/visgraph/pair" && peer.connection != nil && pair?.isOther(peer.address) == true
    let isAllowed = isOfPair || messages.take(at: now())
    guard isAllowed || address == "/visgraph/blackout" || address == "/visgraph/master" else {
      return refuse(
        peer, address,
        .tooMuch(
          "more than \(Int(Self.messagesPerSecond)) messages came within a second; this one is left out"),
        budget)
    }
    // The master and the blackout also work while the show waits for its server, so they hold from the first light on.
    do throws(ControlError) {
      let requests = try CommandReader(show, folders, addresses).requests(message)
      switch requests.first {
      case .proof(let token)?: return takeProof(token, of: peer)
      // Pairs ask four times a second: a log of that would hide all else.
      case .pair(let request)?: return try answer(request, peer)
      default: break
      }
      notify(.taken(message, from: peer))
      for request in requests { try take(request, address, peer, budget) }
    } catch {
      refuse(peer, address, error, budget)
    }
  }

  private func take(
    _ request: ControlRequest, _ address: String, _ peer: PacketPeer, _ budget: AnswerBudget?
  ) throws(ControlError) {
    switch request {
    case .command(let command):
      router.perform(command) { [weak self] in self?.refuse(peer, address, $0, budget) }
    case .key(let key):
      try keys.show(key, peer, at: now())
      send(Message("/visgraph/key", .int(1)), to: peer, budget)
    case .status, .subscribe:
      guard let budget else { return try take(request, address, peer) }
      let waiting = PeerProofs.Waiting(address: address, request: request)
      if let token = proofs.challenge(peer, for: waiting, at: now()) {
        send(Message("/visgraph/challenge", .string(token)), to: peer, budget)
      }
    case .unsubscribe(let pattern): feedback.unsubscribe(peer, pattern)
    case .proof, .pair: break
    }
  }

  /// Performs requests whose answers are larger than they: the peer cannot be forged, or has a valid proof.
  func take(
    _ request: ControlRequest, _ address: String, _ peer: PacketPeer
  ) throws(ControlError) {
    switch request {
    case .status: answer(peer, address)
    case .subscribe(let pattern, let rate, let lease):
      try feedback.subscribe(peer, pattern, rate: rate, lease: lease, at: now())
    case .command, .key, .proof, .pair, .unsubscribe: break
    }
  }

  /// Sends the other machine of a pair the state of the show.
  private func answer(_ request: PairRequest, _ peer: PacketPeer) throws(ControlError) {
    guard peer.connection != nil, let message = pair?.answer(peer, request) else { throw .unpaired }
    send(message, to: peer)
  }

  /// The health of the show, with the newest refusal. [port]
  private func report(_ host: HostSnapshot, at time: Double) -> ShowHealth.Report {
    let (count, address, fault) = refused.withLock { $0 }
    watch.refused = fault.map {
      ShowHealth.Refused(
        address: mask.masked(address), reason: mask.masked("\($0) [\($0.code)]"), count: count)
    }
    return watch.report(show, host, at: time)
  }

  /// Sends subscribers what has changed; returns the seconds until the next time.
  private func reportFeedback() -> Double {
    let time = now()
    renewProofs(at: time)
    feedback.forget { !server.reaches($0) }
    // Looks without subscribers, too: the health says since when a target has its state, and only looks can tell.
    if !feedback.isNeeded {
      if time >= nextWatch {
        nextWatch = time + 1
        _ = report(host(), at: time)
      }
      return 0.5
    }
    return feedback.report(
      at: time, { state in poller.poll(&state, at: time) { report($0, at: time) } },
      { server.send($0, to: $1) },
      held: { peer in
        refuse(
          peer, "/visgraph/subscribe",
          .tooMuch(
            "more than \(Int(SendBudget.bytesPerSecond / 1000)) kB a second are asked for, so values come less "
              + "often: ask for less, more seldom, or by TCP"))
      }, isSilent: show.gate.isHeld)
  }

  private func answer(_ peer: PacketPeer, _ address: String) {
    let time = now()
    guard answers.take(at: time) else {
      return refuse(peer, address, .tooMuch("the status is sent at most 20 times a second"))
    }
    // One status after another is fine, as long as they do not add up.
    guard !peer.mayBeForged || feedback.budget.wait(for: peer.address, at: time) < 0.1 else {
      return refuse(
        peer, address,
        .tooMuch("more than \(Int(SendBudget.bytesPerSecond / 1000)) kB a second are asked for by UDP"))
    }
    let host = host()
    let look = ShowLook(
      show: show, host: host, health: report(host, at: time), fades: router.fades.snapshot,
      scene: router.scenes.now, cue: router.cues.now, life: router.life.now)
    let packets = StatusAnswer.messages(look).compactMap { try? $0.packet() }
    for packet in packets { server.send(packet, to: peer) }
    if peer.mayBeForged { feedback.budget.spend(packets, for: peer.address, at: time) }
  }

  /// Answers a refused message with the reason, up to `errorsPerSecond`. [any]
  func refuse(
    _ peer: PacketPeer, _ address: String, _ fault: ControlError, _ budget: AnswerBudget? = nil
  ) {
    notify(.refused(address: address, fault, from: peer))
    refused.withLock { $0 = ($0.count + 1, address, fault) }
    let time = now()
    guard errors.withLock({ $0.take(at: time) }) else { return }
    guard let packet = ErrorAnswer.packet(about: address, fault, budget) else { return }
    server.send(packet, to: peer)
  }

  func send(_ message: Message, to peer: PacketPeer, _ budget: AnswerBudget? = nil) {
    guard let packet = try? message.packet(), budget?.take(packet.count) ?? true else { return }
    server.send(packet, to: peer)
  }

  /// Seconds of the monotonic clock.
  func now() -> Double { MonotonicClock.seconds }
}
