import Controls
import Glibc
import Graphs
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
public import OSC
import System

/// Serves the stage, the desk and their WebSocket, to this machine and to those that are allowed.
///
/// It has a thread of its own. The show never waits for it.
public final class ViewServer: @unchecked Sendable {
  /// The default port; if it is taken, the next free one is used.
  public static let standard: UInt16 = 7780
  /// How many ports are tried.
  static let tries: UInt16 = 100
  /// The maximum number of connections.
  static let mostConnections = 4096
  /// The timeout of an idle connection before it is a WebSocket, in s.
  static let timeout: Int64 = 30
  /// The high-water mark of a client's buffer, in bytes: beyond it, nothing is queued until half of it has been sent.
  static let waterMark = 262_144

  /// The address at which it listens.
  public let address: ListenAddress
  /// Whether any page is connected. [any]
  public var isWatched: Bool { hub.clients.isWatched }
  /// Whether a page on this machine is connected. [any]
  public var isWatchedHere: Bool { hub.clients.isWatchedHere }
  /// The URL, and who may open it if other machines may.
  public let name: String

  /// The stage and the desk.
  public let pages: [Page]
  /// The URL of the desk for a browser on this machine, without a key.
  public let desk: String
  /// Whether that URL needs a key.
  public let isDeskLocked: Bool
  /// The desk's URL without its key, for the log line that begins with `name`.
  public var deskNote: String {
    let page = pages.first { $0.name == "desk" }?.address.prefix { $0 != "?" }
    return page.map { "; desk \($0)" } ?? ""
  }

  private let group: MultiThreadedEventLoopGroup
  private let channel: any NIOCore.Channel
  private let hub: any PageHub

  /// Opens a server for a hub; nil: the settings say `off`.
  ///
  /// - Throws: if no port can be opened.
  static func open(
    _ settings: ViewSettings, _ notify: @escaping @Sendable (PortEvent) -> Void,
    _ makeHub: (ViewClients, any EventLoop) -> any PageHub
  ) throws(ListenError) -> ViewServer? {
    switch settings.listen {
    case .off: return nil
    case .at(let address): return try ViewServer(at: address, settings, notify, makeHub)
    case .standard:
      for port in standard..<standard + tries {
        do throws(ListenError) {
          return try ViewServer(at: ListenAddress(port: port), settings, notify, makeHub)
        } catch {
          guard case .portTaken = error, port < standard + tries - 1 else { throw error }
        }
      }
      return nil
    }
  }

  private init(
    at address: ListenAddress, _ settings: ViewSettings, _ notify: @escaping @Sendable (PortEvent) -> Void,
    _ makeHub: (ViewClients, any EventLoop) -> any PageHub
  ) throws(ListenError) {
    // 256 file descriptors are left for the rest of the program.
    let most = min(Self.mostConnections, max(16, Descriptor.allow(Self.mostConnections + 512) - 256))
    // NIO ends the process if it cannot create a thread, so that is checked first, and the readers start now.
    do throws(ThreadError) { try Thread.check(1 + DiskReaders.count) } catch {
      throw ListenError(address, EAGAIN)
    }
    _ = DiskReaders.pool
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    // Compresses the pages before the first request.
    _ = EmbeddedPages.own
    let hub = makeHub(ViewClients(settings, most: most, notify: notify), group.next())
    do {
      channel = try ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(
          .writeBufferWaterMark, value: .init(low: Self.waterMark / 2, high: Self.waterMark)
        )
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, hub) }
        }
        .bind(host: address.hostText, port: Int(address.port)).wait()
    } catch {
      try? group.syncShutdownGracefully()
      throw ListenError(address, (error as? IOError)?.errnoCode ?? EINVAL)
    }
    self.group = group
    self.hub = hub
    self.address = address
    name = Self.name(address, settings)
    pages = Self.pages(address, settings.key, NetworkInterface.all)
    desk = Self.pages(address, ViewKeys(), []).first { $0.name == "desk" }?.address ?? ""
    // A connection from the loopback is from this machine, which needs no key.
    isDeskLocked = !address.host.isAny && !address.isLoopback && settings.key != ViewKeys()
    channel.eventLoop.execute { hub.begin() }
  }

  private static func name(_ address: ListenAddress, _ settings: ViewSettings) -> String {
    if address.isLoopback { return "http://\(address)/" }
    return
      "http://\(address)/ for \(AllowedPeers.words(settings.allow))\(settings.key.desk == nil ? "" : ", to steer with the key")"
  }

  /// Prepares a new connection: HTTP, with an upgrade to a WebSocket. [view]
  private static func prepare(_ channel: any NIOCore.Channel, _ hub: any PageHub) throws {
    guard let text = channel.remoteAddress?.ipAddress, let peer = IPAddress(text), hub.clients.connect(peer)
    else {
      throw ViewRefusal.host
    }
    channel.closeFuture.whenComplete { _ in hub.clients.disconnected(peer) }
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: WebSocketHandler.messageLimit,
      shouldUpgrade: { channel, head in
        // Requests that PageHandler refuses must not tell here whether the key is right.
        let isWanted =
          head.method == .GET && head.uri.utf8.count <= PageHandler.pathLimit
          && !["Content-Length", "Transfer-Encoding"].contains { head.headers.contains(name: $0) }
          && (PageAddress(head.uri).map { ["/socket", "/"].contains($0.path) } ?? false)
        let mayJoin = isWanted && hub.isReady && Self.right(head, channel, peer, hub) != nil
        return channel.eventLoop.makeSucceededFuture(mayJoin ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          guard let address = PageAddress(head.uri), let right = Self.right(head, channel, peer, hub) else {
            throw ViewRefusal.noKey
          }
          let pipeline = channel.pipeline.syncOperations
          for handler in [
            try? pipeline.context(handlerType: PageHandler.self),
            try? pipeline.context(handlerType: IdleStateHandler.self),
          ] {
            if let handler { pipeline.removeHandler(context: handler, promise: nil) }
          }
          let isForwarded = ViewAccess.Visitor(head, address, peer, channel).isForwarded
          // A client with this machine's own address is on this machine.
          let isHere = !isForwarded && (peer.isLoopback || channel.localAddress?.ipAddress == text)
          let client = ViewClient(
            channel, right, name: "a page at \(peer)", isHere: isHere,
            isScreen: address.query["kiosk"] != nil, isQuery: address.path == "/", at: MonotonicClock.seconds)
          try pipeline.addHandler(WebSocketHandler(hub, client))
        }
      })
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 8192
    limits.maxHeaderListSize = 32_768
    limits.maxHeaderFieldCount = 100
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(timeout)))
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }),
      withEncoderConfiguration: HTTPResponseEncoder.Configuration(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(PageHandler(hub, peer))
  }

  private static func right(
    _ head: HTTPRequestHead, _ channel: any NIOCore.Channel, _ peer: IPAddress, _ hub: any PageHub
  ) -> ViewRight? {
    guard let address = PageAddress(head.uri) else { return nil }
    return try? hub.clients.right(
      of: ViewAccess.Visitor(head, address, peer, channel), isAnswered: false
    ).get()
  }

  /// Sets the announced host name, which counts as a name of this machine; nil: none. [any]
  public func announced(as name: String?) { hub.clients.hosts.announce(name) }

  /// The URL of the desk for a browser on this machine. If the desk needs a key, the URL has a one-time token instead.
  /// [any]
  public func makeDeskAddress() -> String {
    guard isDeskLocked else { return desk }
    return "\(desk)?token=\(DeskTokens.own.make(at: MonotonicClock.seconds))"
  }

  /// Closes the pages on this machine; they do not reconnect by themselves. [any]
  public func dismiss() {
    let hub = hub
    channel.eventLoop.execute { hub.clients.dismiss() }
  }

  /// Closes all connections and the port, because the show has ended. Does not wait. [any]
  public func endShow() {
    let (hub, channel) = (hub, channel)
    channel.eventLoop.execute {
      hub.close()
      channel.close(promise: nil)
    }
  }

  /// Closes all connections and the port, and waits until that is done. The event loop keeps running, because a
  /// connection may still be on its way to it.
  public func leave() {
    let (hub, channel) = (hub, channel)
    try? channel.eventLoop.submit {
      hub.close()
      channel.close(promise: nil)
    }.wait()
  }

  /// Closes all connections, the port and the event loop.
  public func close() {
    let hub = hub
    let channel = channel
    channel.eventLoop.execute {
      hub.close()
      channel.close(promise: nil)
    }
    try? group.syncShutdownGracefully()
  }
}
