import CPages
public import Controls
public import Graphs
import NIOCore
import NIOWebSocket
import Nodes
public import OSC
import Particles
import System

/// The settings of a relay.
public struct RelaySettings: Sendable {
  /// The address of the show.
  public var show: RelayAddress
  /// The version of this program.
  public var version: String
  /// Called once for each change of the connection. [view]
  public var notify: @Sendable (RelayEvent) -> Void
  /// Called for pages that are refused. [view]
  public var refused: @Sendable (PortEvent) -> Void = { _ in }

  /// The required settings.
  public init(show: RelayAddress, version: String, notify: @escaping @Sendable (RelayEvent) -> Void) {
    self.show = show
    self.version = version
    self.notify = notify
  }
}

/// Relays the stage of a show: one connection to the show, any number to pages. It moves no particles: records are
/// forwarded as they came, and states are requested when a page needs one. [view]
final class RelayHub: PageHub, RelaySource.Listener, @unchecked Sendable {
  /// How many times a second the needs of pages are checked.
  private static let looksPerSecond: Int64 = 60
  /// The timeout of a requested state, in s; then it is requested again.
  private static let timeout = 5.0
  /// The maximum number of states that are requested at a check, because the show limits the rate of messages.
  private static let mostAsked = 2

  let clients: ViewClients
  private let settings: RelaySettings
  private let loop: any EventLoop
  private let source: RelaySource
  private let pictures: RelayPictures
  private let audience = StageAudience()
  /// The stage as the show sent it; nil: no show is connected.
  private var stage: StageDescription?
  private var name = ""
  private var epoch: UInt32 = 0
  /// How many frames the audience may hold back, as of the last description.
  private var frameDelay = 0
  /// When missing states were requested, by emitter, in s.
  private var asked: [UInt16: Double] = [:]
  private var task: RepeatedTask?
  private var lastFault: RelayFault?
  /// Addresses that are relayed besides the stage: pages go dark with the show.
  private static let faders = ["/visgraph/master", "/visgraph/blackout"]
  /// Their last values.
  private var faderValues: [String: Json] = [:]

  init(_ settings: RelaySettings, _ clients: ViewClients, on loop: any EventLoop) {
    self.settings = settings
    self.clients = clients
    self.loop = loop
    source = RelaySource(settings.show, on: loop)
    pictures = RelayPictures(settings.show, on: loop)
  }

  func begin() { source.begin(self) }

  var isReady: Bool { stage != nil && source.clock.isKnown }

  /// The show's clock, in s, which times its frames.
  private var now: Double { source.clock.time(at: MonotonicClock.seconds) }

  // MARK: - The show

  func sourceOpened() {
    source.send("{\"stage\":\"relay\"}")
    for fader in Self.faders { source.send("{\"listen\":\"\(fader)\",\"rate\":20}") }
  }

  func sourceDidReceive(_ text: String) {
    guard case .object(let pairs)? = Json(reading: text) else { return source.fail(.broken) }
    let facts = Dictionary(pairs) { first, _ in first }
    if case .number(let asked)? = facts["pong"], case .number(let time)? = facts["clock"] {
      source.noteClock(asked: asked, clock: time)
    }
    if case .object(let hello)? = facts["hello"],
      case .string(let name)? = hello.first(where: { $0.0 == "name" })?.1
    {
      self.name = String(name.prefix(200))
    }
    guard case .object(let state)? = facts["state"] else { return }
    for (fader, value) in state where Self.faders.contains(fader) {
      faderValues[fader] = value
      for client in clients.all where client.subscriptions.contains(where: { $0.pattern.text == fader }) {
        tell(client, fader)
      }
    }
  }

  /// Sends a page the value of a fader, also if it has no room for frames: else it would stay lit in a blackout.
  private func tell(_ client: ViewClient, _ fader: String) {
    guard let value = faderValues[fader] else { return }
    client.send("{\"state\":{\"\(fader)\":\(value.line)}}")
  }

  func sourceSent(_ message: ByteBuffer) {
    var packets: [StagePacket] = []
    var isBroken = false
    message.withUnsafeReadableBytes { bytes in
      let isWhole = StageRecord.split(bytes) { kind, emitter, body in
        if kind == .stage {
          isBroken = !describe(body) || isBroken
        } else {
          add(kind, emitter, body, to: &packets)
        }
      }
      isBroken = isBroken || !isWhole
    }
    if isBroken { return source.fail(.broken) }
    for packet in packets {
      if packet.audience != .following { asked[packet.emitter] = nil }
      if packet.emitter == 0 { audience.tell(packet.bytes) } else { audience.take(packet) }
    }
  }

  private func add(
    _ kind: StageRecord, _ emitter: UInt16, _ body: UnsafeRawBufferPointer, to packets: inout [StagePacket]
  ) {
    var bytes: [UInt8] = []
    kind.append(to: &bytes, emitter: emitter) { $0.bytes.append(contentsOf: body) }
    let audience: StagePacket.Audience =
      kind != .state ? .following : body.first == 1 ? .all : .waiting
    if audience == .following, let last = packets.last, last.audience == .following, last.emitter == emitter {
      packets[packets.count - 1] = StagePacket(
        emitter: emitter, audience: audience, bytes: last.bytes + bytes)
    } else {
      packets.append(StagePacket(emitter: emitter, audience: audience, bytes: bytes))
    }
  }

  /// Takes the description of the stage; false: it is invalid.
  private func describe(_ body: UnsafeRawBufferPointer) -> Bool {
    var (reader, new) = (ByteReader(body), StageDescription())
    new.code(&reader)
    guard !reader.failed else { return false }
    guard new.build == vg_pages_hash else {
      source.fail(.otherBuild)
      return true
    }
    if stage == nil { settings.notify(.found) }
    (stage, lastFault, asked) = (new, nil, [:])
    tellStage()
    return true
  }

  private func tellStage() {
    guard var description = stage else { return }
    frameDelay = audience.frameDelay
    let frame = Double(description.seconds) / Double(max(1, description.frames))
    description.delay = max(description.delay, StageAudience.delay(frameDelay, of: frame))
    epoch &+= 1
    description.epoch = epoch
    var bytes: [UInt8] = []
    description.append(to: &bytes)
    audience.describe(ByteBuffer(bytes: bytes), emitters: Set(description.emitters.map(\.number)))
  }

  /// Closes all pages: they reconnect by themselves, and are accepted once there is a show again.
  func sourceLost(_ fault: RelayFault) {
    if stage != nil || fault != lastFault { settings.notify(.lost(fault)) }
    (stage, lastFault, asked, faderValues) = (nil, fault, [:], [:])
    audience.forget()
    clients.close(fault == .over ? .goingAway : .lost)
  }

  // MARK: - Clients

  func join(_ client: ViewClient) {
    clients.join(client)
    client.greet(version: settings.version, show: name, maySteer: false, clock: now)
    beginLooking()
  }

  private func beginLooking() {
    guard task == nil else { return }
    task = loop.scheduleRepeatedTask(
      initialDelay: .zero, delay: .microseconds(1_000_000 / Self.looksPerSecond)
    ) { [weak self] _ in self?.look() }
  }

  /// Ends the checks when the last client has gone.
  private func endLooking() {
    guard clients.isEmpty, audience.isEmpty else { return }
    task?.cancel()
    task = nil
  }

  func leave(_ client: ViewClient) {
    clients.leave(client)
    _ = audience.leave(client)
    endLooking()
  }

  func take(_ bytes: ByteBuffer, of client: ViewClient) {
    client.refuse(.unsupportedByRelay)
  }

  func perform(_ request: ViewRequest, of client: ViewClient) throws(ViewFault) {
    switch request {
    case .stage(true, let isRelay):
      if !audience.contains(client) { audience.join(client, isRelay: isRelay) }
    case .stage(false, _): _ = audience.leave(client)
    case .emitterState(let emitter): audience.wantState(client, of: emitter)
    case .ping(let value): client.answer(value, clock: now)
    case .listen(let pattern, let rate):
      guard Self.faders.contains(pattern.text) else { throw .unsupportedByRelay }
      try client.subscribe(to: pattern, rate: rate)
      if rate > 0 { tell(client, pattern.text) }
    case .send, .watch, .connect, .disconnect, .sound, .leds, .packets: throw .unsupportedByRelay
    }
  }

  private func look() {
    let time = MonotonicClock.seconds
    if frameDelay != audience.frameDelay { tellStage() }
    let wanted = audience.wanted.filter { time - (asked[$0] ?? -.infinity) > Self.timeout }
    for emitter in wanted.prefix(Self.mostAsked) {
      asked[emitter] = time
      source.send("{\"state\":\(emitter)}")
    }
    let (master, blackout) = (faderValues[Self.faders[0]], faderValues[Self.faders[1]])
    if case .number(let master)? = master, case .number(let blackout)? = blackout {
      audience.pieces.note(master: Float(master), isDark: blackout == 1)
    }
    audience.pieces.advance(to: now)
    clients.look(at: time)
    endLooking()
  }

  // MARK: - HTTP

  func page(at path: String) -> EmbeddedPages.Page? {
    // The desk is for steering, which a relay does not support.
    ["/desk", "/desk.html"].contains(path) ? nil : EmbeddedPages.own[path]
  }

  func query(_ address: PageAddress, _ right: ViewRight) -> QueryAnswer? { nil }

  func piece(at path: String) -> EventLoopFuture<StageFile>? {
    guard isReady else { return nil }
    defer { if audience.pieces.isWanted { beginLooking() } }
    return PieceAnswers(pieces: audience.pieces, loop: loop, time: now).file(at: path)
  }

  func picture(at path: String) -> EventLoopFuture<PagePicture?>? { pictures.picture(at: path) }

  func close() {
    source.close()
    audience.pieces.close()
    clients.close()
  }
}

extension ViewServer {
  /// Opens a server that relays the stage of another show; nil: the settings say `off`.
  ///
  /// - Throws: if no port can be opened.
  public static func open(_ settings: ViewSettings, _ relay: RelaySettings) throws(ListenError) -> ViewServer?
  {
    try open(settings, relay.refused) { RelayHub(relay, $0, on: $1) }
  }
}
