import Controls
import Engine
import Graphs
import NIOCore
import NIOPosix
import OSC
import Playback
import System

/// The hub of a show: carries out requests of clients, and sends them the newest state. A message for several clients
/// is made once. [view]
final class ViewHub: PageHub, @unchecked Sendable {
  /// How many times a second the show is polled while clients are connected.
  static let looksPerSecond: Int64 = 60
  /// The interval of topics, in s.
  private static let factPause = 0.25
  /// The interval of the topic `lights`, in s.
  private static let lightPause = 0.1
  /// The maximum number of OSCQuery addresses of one client.
  private static let mostAddresses = 1024

  let clients: ViewClients
  let sources: ViewSources
  private let loop: any EventLoop
  private let stage: StageHub
  private let covers: KeptPictures
  private let sound = SoundHub()
  private let leds = LedHub()
  private(set) var feed: ShowFeed
  private var task: RepeatedTask?
  private var (nextFacts, nextLights, lastLook) = (0.0, 0.0, -1.0)
  /// For each pattern the indices of matching messages, valid for one layout of the state.
  var places: [String: (layout: Int, places: [Int])] = [:]
  /// The plan whose addresses OSCQuery clients know.
  var queried: ObjectIdentifier?
  /// The topic `graph` for each right, with the plan's version.
  var graphTexts: [ViewRight: (version: CompiledPlan.Version, text: String)] = [:]

  init(_ sources: ViewSources, _ clients: ViewClients, on loop: any EventLoop) {
    self.sources = sources
    self.clients = clients
    self.loop = loop
    stage = StageHub(on: loop)
    covers = KeptPictures(on: loop)
    feed = ShowFeed(
      sources.show, sources.router, sources.folders, host: sources.host, levels: sources.levels)
  }

  var isReady: Bool { true }
  /// In s of the monotonic clock.
  var now: Double { MonotonicClock.seconds }

  func begin() {}

  // MARK: - Connections

  func join(_ client: ViewClient) {
    clients.join(client)
    client.greet(
      version: sources.version, show: sources.show.plan?.graph.name ?? "", maySteer: client.right == .steer,
      clock: now)
    beginLooking()
  }

  private func beginLooking() {
    guard task == nil else { return }
    task = loop.scheduleRepeatedTask(
      initialDelay: .zero, delay: .microseconds(1_000_000 / Self.looksPerSecond)
    ) { [weak self] _ in self?.look() }
  }

  /// Ends polling when the last client has gone.
  private func endLooking() {
    guard clients.isEmpty, !stage.pieces.isWanted else { return }
    task?.cancel()
    task = nil
  }

  func leave(_ client: ViewClient) {
    clients.leave(client)
    stage.leave(client)
    sound.leave(client, sources.show.plan)
    leds.leave(client)
    noteTopics()
    endLooking()
  }

  func close() {
    stage.pieces.close()
    clients.close()
  }

  private func noteTopics() {
    sources.events.want(clients.all.contains { $0.topics[.events] != nil })
  }

  // MARK: - Requests

  func take(_ bytes: ByteBuffer, of client: ViewClient) {
    // A client that may only watch is refused before its bytes are parsed.
    guard client.right == .steer else { return client.refuse(.notAllowed) }
    do throws(OSCError) {
      let packet = try PacketReader().read(Array(bytes.readableBytesView))
      for (index, message) in packet.messages.enumerated() {
        // The first message of a bundle was counted when the packet came.
        guard index == 0 || client.messages.take(at: now) else { return client.refuse(.flood) }
        do throws(ViewFault) { try perform(.send(message), of: client) } catch {
          client.refuse(error, about: message.address)
        }
      }
      for (address, fault) in packet.undecodable {
        client.refuse(about: address, code: fault.code, reason: fault.description)
      }
    } catch {
      client.refuse(about: "", code: error.code, reason: error.description)
    }
  }

  func perform(_ request: ViewRequest, of client: ViewClient) throws(ViewFault) {
    switch request {
    case .send(let message):
      guard client.right == .steer else { throw .notAllowed }
      send(message, of: client)
    case .listen(let pattern, let rate): try client.subscribe(to: pattern, rate: rate)
    case .watch(let asked):
      let topics = asked.filter(client.right.sees)
      client.topics = Dictionary(uniqueKeysWithValues: topics.map { ($0, client.topics[$0] ?? 0) })
      noteTopics()
      nextFacts = 0
    case .ping(let value): client.answer(value, clock: now)
    case .connect(let from, let to): try patch(from, to, isMade: true, for: client)
    case .disconnect(let from, let to): try patch(from, to, isMade: false, for: client)
    case .stage(let isWanted, let isRelay):
      stage.soundDelay = sources.soundDelay()
      if isWanted { stage.join(client, sources.show.plan, isRelay: isRelay) } else { stage.leave(client) }
      clients.noteHere()
    case .emitterState(let emitter): stage.wantState(client, of: emitter)
    case .sound(let channel):
      guard client.right.hearsSound || channel == nil else { throw .notAllowed }
      guard sound.join(client, channel, sources.show.plan) else {
        throw .tooMuch("\(CompiledPlan.mostProbes) channels of sound can be looked at, at one time")
      }
    case .leds(let id):
      guard client.right.seesLeds || id == nil else { throw .notAllowed }
      leds.join(client, id, sources.show.plan)
    case .packets(let address, let isWanted):
      defer { clients.noteHere() }
      client.oscQueryListens[address] = nil
      guard isWanted else { return }
      guard client.oscQueryListens.count < Self.mostAddresses else {
        throw .tooMuch("one client may listen to \(Self.mostAddresses) addresses")
      }
      client.oscQueryListens[address] = -1
    }
  }

  private func patch(
    _ from: String, _ to: String, isMade: Bool, for client: ViewClient
  ) throws(ViewFault) {
    guard client.right == .steer else { throw .notAllowed }
    sources.patch(from, to, isMade)
    nextFacts = 0
  }

  private func send(_ message: Message, of client: ViewClient) {
    let refused: GraphChange.Refusal = {
      [weak self, loop, sources, name = client.name, id = ObjectIdentifier(client)] fault in
      sources.notify(.refused(address: message.address, fault, from: name))
      loop.execute { [weak self] in
        guard let self, let client = self.clients[id] else { return }
        client.refuse(about: message.address, code: fault.code, reason: fault.description)
      }
    }
    do throws(ControlError) {
      try feed.perform(message, refused: refused)
      sources.notify(.taken(message, from: client.name))
    } catch {
      refused(error)
    }
  }

  // MARK: - Messages

  /// Polls the show and sends what is due.
  private func look() {
    let time = now
    // Slightly early counts as due, because the timer has the resolution of a poll.
    let due = time + 0.4 / Double(Self.looksPerSecond)
    if clients.all.contains(where: { client in
      !client.oscQueryListens.isEmpty || client.subscriptions.contains { $0.next <= due }
    }) {
      refresh(at: time)
      tell(due: due, at: time)
    }
    let dimmer = sources.show.dimmer
    stage.pieces.note(master: dimmer.master, isDark: dimmer.isBlackout)
    stage.look(sources.show.plan, at: time)
    sound.look(sources.show.plan)
    leds.look(sources.show.plan, at: time)
    let isSlow = time >= nextFacts
    if isSlow {
      nextFacts = time + Self.factPause
      stage.soundDelay = sources.soundDelay()
    }
    let isQuick = time >= nextLights
    if isQuick { nextLights = time + Self.lightPause }
    tellFacts(isSlow: isSlow, isQuick: isQuick)
    clients.look(at: time)
    endLooking()
  }

  /// Polls the show's state, unless that was done within the last 5 ms.
  private func refresh(at time: Double) {
    guard time - lastLook > 0.005 else { return }
    lastLook = time
    feed.look(at: time)
  }

  // MARK: - HTTP

  func page(at path: String) -> EmbeddedPages.Page? { EmbeddedPages.own[path] }

  func query(_ address: PageAddress, _ right: ViewRight) -> QueryAnswer? {
    if address.query["HOST_INFO"] != nil {
      return .json(
        QueryNamespace.hostInfo(
          name: sources.show.plan?.graph.name ?? "visgraph", control: sources.controlPort))
    }
    guard address.path == "/" || address.path.hasPrefix("/visgraph") else { return nil }
    refresh(at: now)
    let attribute = address.query.keys.sorted().first { $0 != "key" }
    return QueryNamespace(sources.show.plan?.graph, feed.state, right)
      .answer(at: address.path, attribute: attribute)
  }

  func piece(at path: String) -> EventLoopFuture<StageFile>? {
    defer { if stage.pieces.isWanted { beginLooking() } }
    return PieceAnswers(pieces: stage.pieces, loop: loop, time: now).file(at: path)
  }

  func picture(at path: String) -> EventLoopFuture<PagePicture?>? {
    if let picture = stage.picture(at: path) { return picture }
    if let coming = covers.known(path) { return coming }
    guard let plan = sources.show.plan, let id = PlayerFacts.player(at: path, plan) else { return nil }
    // A disk may block, so another thread reads the cover. It is not kept: the next request reads the file again.
    let coming = DiskReaders.pool.runIfActive(eventLoop: loop) {
      PlayerFacts.cover(at: path, of: id, plan).map {
        PagePicture(type: $0.mediaType, bytes: ByteBuffer(bytes: $0.bytes), isLasting: false)
      }
    }
    return covers.keep(coming, path)
  }
}
