import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import OSC
import System

/// The WebSocket of a relay to its show. It reconnects by itself. [view]
final class RelaySource: @unchecked Sendable {
  /// The pause before a reconnection, in s, first and at most; it doubles each time. The timeout of a connection
  /// attempt, in s.
  private static let (firstPause, lastPause, timeout) = (0.25, 4.0, 5.0)
  /// The maximum size of a binary message, in bytes: a state with the maximum number of particles.
  private static let messageLimit = 256 << 20
  /// The maximum size of a text message, in bytes. It is smaller, because parsed JSON takes many times as much memory.
  fileprivate static let mostText = 4 << 20

  /// Receives messages of the show. [view]
  protocol Listener: AnyObject {
    /// The WebSocket is open.
    func sourceOpened()
    /// A text message of JSON.
    func sourceDidReceive(_ text: String)
    /// A binary message of the stage stream.
    func sourceSent(_ message: ByteBuffer)
    /// The connection is lost, or an attempt failed.
    func sourceLost(_ fault: RelayFault)
  }

  private(set) var clock = RemoteClock()
  private weak var listener: (any Listener)?
  private let address: RelayAddress
  private let loop: any EventLoop
  private var channel: (any NIOCore.Channel)?
  /// Whether the WebSocket is open; and the fault for which it is being closed.
  private var isOpen = false
  private var fault: RelayFault?
  private var isClosed = false
  private var pause = firstPause
  private var lastHeard = 0.0

  init(_ address: RelayAddress, on loop: any EventLoop) {
    self.address = address
    self.loop = loop
  }

  /// Begins to connect.
  func begin(_ listener: any Listener) {
    self.listener = listener
    connect()
  }

  /// Closes the connection for good.
  func close() {
    isClosed = true
    channel?.close(promise: nil)
  }

  /// Sends a text message of JSON, if the connection is open and has room.
  func send(_ text: String) {
    guard isOpen, let channel, channel.isWritable else { return }
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: text)),
      promise: nil)
  }

  /// Closes the connection because of a fault; it is opened again.
  func fail(_ fault: RelayFault) {
    self.fault = self.fault ?? fault
    channel?.close(promise: nil)
  }

  // MARK: - Connection

  private func connect() {
    guard !isClosed else { return }
    fault = nil
    ClientBootstrap(group: loop)
      .connectTimeout(.milliseconds(Int64(Self.timeout * 1000)))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { [address] channel in
        channel.eventLoop.makeCompletedFuture { try self.prepare(channel, address) }
      }
      .connect(host: address.endpoint.host, port: Int(address.endpoint.port))
      .hop(to: loop)
      .whenComplete { result in
        switch result {
        case .failure(let error): self.ended(.unreachable(Self.words(error)))
        case .success(let channel): self.follow(channel)
        }
      }
  }

  private static func words(_ error: any Error) -> String {
    if let error = error as? IOError { return Errno(error.errnoCode).text }
    if let error = error as? NIOConnectionError, let first = error.connectionErrors.first {
      return words(first.error)
    }
    if error is NIOConnectionError { return "no host has that name" }
    if case .connectTimeout? = error as? ChannelError { return "it does not answer" }
    return "\(error)"
  }

  private func prepare(_ channel: any NIOCore.Channel, _ address: RelayAddress) throws {
    let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: Self.messageLimit) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        if let request = try? pipeline.context(handlerType: RelayRequest.self) {
          pipeline.removeHandler(context: request, promise: nil)
        }
        // Counts all bytes, so that a large state in transit is no silence.
        try pipeline.addHandler(RelayEar { [weak self] in self?.heard() }, position: .first)
        try pipeline.addHandler(
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 4096,
            maxAccumulatedFrameSize: Self.messageLimit))
        try pipeline.addHandler(RelaySocket(self))
      }
    }
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHTTPClientHandlers(
      withClientUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
    try pipeline.addHandler(RelayRequest(address) { self.fail($0) })
  }

  private func follow(_ channel: any NIOCore.Channel) {
    guard !isClosed else { return channel.close(promise: nil) }
    self.channel = channel
    channel.closeFuture.hop(to: loop).whenComplete { _ in self.ended(self.fault ?? .ended) }
    // The timeout also counts before the WebSocket is open.
    lastHeard = MonotonicClock.seconds
    watch(channel)
  }

  /// Checks the timeout every second.
  private func watch(_ channel: any NIOCore.Channel) {
    loop.scheduleTask(in: .seconds(1)) { [self] in
      guard channel === self.channel else { return }
      if MonotonicClock.seconds - lastHeard > RelayFault.silence { return fail(.silent) }
      watch(channel)
    }
  }

  private func ended(_ fault: RelayFault) {
    (channel, isOpen) = (nil, false)
    clock = RemoteClock()
    guard !isClosed else { return }
    listener?.sourceLost(fault)
    loop.scheduleTask(in: .milliseconds(Int64(pause * 1000))) { [weak self] in self?.connect() }
    pause = min(2 * pause, Self.lastPause)
  }

  // MARK: - Messages of the show

  fileprivate func opened(_ channel: any NIOCore.Channel) {
    (self.channel, isOpen, pause) = (channel, true, Self.firstPause)
    heard()
    listener?.sourceOpened()
    askClock(channel)
  }

  fileprivate func heard() { lastHeard = MonotonicClock.seconds }

  private func askClock(_ channel: any NIOCore.Channel) {
    guard isOpen, channel === self.channel else { return }
    send("{\"ping\":\(MonotonicClock.seconds)}")
    loop.scheduleTask(in: .milliseconds(Int64(1000 * clock.pause))) { [self] in askClock(channel) }
  }

  /// Takes the answer to a request for the clock.
  func noteClock(asked: Double, clock time: Double) {
    clock.note(asked: asked, answered: MonotonicClock.seconds, clock: time)
  }

  fileprivate func received(_ text: String) { listener?.sourceDidReceive(text) }
  fileprivate func sent(_ message: ByteBuffer) { listener?.sourceSent(message) }
}

/// Requests the WebSocket. Reports the server's answer if it refuses. [view]
private final class RelayRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private static let mostWords = 300
  private let address: RelayAddress
  private let fail: (RelayFault) -> Void
  private var status: UInt?
  private var words: [UInt8] = []

  init(_ address: RelayAddress, fail: @escaping (RelayFault) -> Void) {
    self.address = address
    self.fail = fail
  }

  func channelActive(context: ChannelHandlerContext) {
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: address.path("/socket"),
      headers: ["Host": "\(address.endpoint)"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = head.status.code
    case .body(let bytes): words += bytes.readableBytesView.prefix(max(0, Self.mostWords - words.count))
    case .end:
      let text = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline).first
      fail(.refused(status: status ?? 0, reason: text.map(String.init) ?? "it serves no pages of visgraph"))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(RelayFault(error))
    context.close(promise: nil)
  }
}

/// Receives the frames of the WebSocket. [view]
private final class RelaySocket: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let source: RelaySource

  init(_ source: RelaySource) { self.source = source }

  func handlerAdded(context: ChannelHandlerContext) { source.opened(context.channel) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      guard frame.unmaskedData.readableBytes <= RelaySource.mostText,
        let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self)
      else {
        return source.fail(.broken)
      }
      source.received(text)
    case .binary: source.sent(frame.unmaskedData)
    case .ping:
      guard context.channel.isWritable else { return }
      let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose:
      var reason = frame.unmaskedData
      source.fail(reason.readWebSocketErrorCode() == .goingAway ? .over : .ended)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    source.fail(RelayFault(error))
    context.close(promise: nil)
  }
}

extension RelayFault {
  /// A reset connection means that the other process has ended; any other error means an invalid message.
  fileprivate init(_ error: any Error) { self = error is IOError ? .ended : .broken }
}
