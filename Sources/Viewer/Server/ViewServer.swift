import Controls
import Glibc
import Graphs
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
public import OSC
import System

/// Serves the pages: the stage, the desk, and the WebSocket that both live on; to this machine and to those who are
/// allowed.
///
/// It has one thread of its own, which nothing in the show ever waits for.
public final class ViewServer: @unchecked Sendable {
  /// The port that is taken where none is asked for; where another program has it, the next that is free.
  public static let standard: UInt16 = 7780
  /// How many ports are tried.
  static let tries: UInt16 = 100
  /// The most connections.
  static let mostConnections = 4096
  /// How long a connection may say nothing before it is a WebSocket, in seconds.
  static let patience: Int64 = 30
  /// How much may wait for one client, in bytes, before it is sent nothing more until half of it is gone.
  static let waterMark = 262_144

  /// Where it is.
  public let address: ListenAddress
  /// Whether any page looks on. [any]
  public var isWatched: Bool { hub.clients.isWatched }
  /// Whether a page on this machine does. [any]
  public var isWatchedHere: Bool { hub.clients.isWatchedHere }
  /// Where it is, as a browser takes it, and who may where that is not this machine alone.
  public let name: String

  /// The stage and the desk.
  public let pages: [Page]
  /// The desk for a browser on this machine, without a key.
  public let desk: String
  /// Whether the desk at that address wants a key.
  public let isDeskLocked: Bool
  /// Where the desk is, behind `name` in a line of the log, which has no keys.
  public var deskNote: String {
    let page = pages.first { $0.name == "desk" }?.address.prefix { $0 != "?" }
    return page.map { "; desk \($0)" } ?? ""
  }

  private let group: MultiThreadedEventLoopGroup
  private let channel: any NIOCore.Channel
  private let hub: any PageHub

  /// Begins to serve what a hub stands for; nil where that is not wanted.
  ///
  /// - Throws: why the port cannot be had.
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
    // The rest of the program needs some, too.
    let most = min(Self.mostConnections, max(16, Descriptor.allow(Self.mostConnections + 512) - 256))
    // NIO ends the process where it cannot have a thread: it is asked for before, and the readers begin now.
    do throws(ThreadError) { try Thread.check(1 + DiskReaders.count) } catch {
      throw ListenError(address, EAGAIN)
    }
    _ = DiskReaders.pool
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    // Packed before anybody waits for them.
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
    // A client that comes by the loopback is this machine.
    isDeskLocked = !address.host.isAny && !address.isLoopback && settings.key != ViewKeys()
    channel.eventLoop.execute { hub.begin() }
  }

  private static func name(_ address: ListenAddress, _ settings: ViewSettings) -> String {
    if address.isLoopback { return "http://\(address)/" }
    return
      "http://\(address)/ for \(AllowedPeers.words(settings.allow))\(settings.key.desk == nil ? "" : ", to steer with the key")"
  }

  /// A new connection: HTTP first, and a WebSocket where one is asked for. [view]
  private static func prepare(_ channel: any NIOCore.Channel, _ hub: any PageHub) throws {
    guard let text = channel.remoteAddress?.ipAddress, let peer = IPAddress(text), hub.clients.connect(peer)
    else {
      throw ViewRefusal.host
    }
    channel.closeFuture.whenComplete { _ in hub.clients.disconnected(peer) }
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: SocketHandler.messageLimit,
      shouldUpgrade: { channel, head in
        // What PageHandler refuses without a look at the key is not to say here whether it is right.
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
          // Who reaches this machine by its own address is on it.
          let isHere = !isForwarded && (peer.isLoopback || channel.localAddress?.ipAddress == text)
          let client = ViewClient(
            channel, right, name: "a page at \(peer)", isHere: isHere,
            isScreen: address.query["kiosk"] != nil, isQuery: address.path == "/", at: MonotonicClock.seconds)
          try pipeline.addHandler(SocketHandler(hub, client))
        }
      })
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 8192
    limits.maxHeaderListSize = 32_768
    limits.maxHeaderFieldCount = 100
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(patience)))
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

  /// Takes another name of this machine, by which pages are opened too; nil: not any more. [any]
  public func announced(as name: String?) { hub.clients.hosts.announce(name) }

  /// The desk for a browser on this machine: where it wants a key, with a token in its place that opens it once, soon. [any]
  public func makeDeskAddress() -> String {
    guard isDeskLocked else { return desk }
    return "\(desk)?token=\(DeskTokens.own.make(at: MonotonicClock.seconds))"
  }

  /// Sends the pages of this machine away; they rest until the user wants to see them again. [any]
  public func dismiss() {
    let hub = hub
    channel.eventLoop.execute { hub.clients.dismiss() }
  }

  /// Says good-bye to those who take it, as the show has ended, and lets nobody in any more; waits for nobody. [any]
  public func endShow() {
    let (hub, channel) = (hub, channel)
    channel.eventLoop.execute {
      hub.close()
      channel.close(promise: nil)
    }
  }

  /// Says good-bye to those who take it, before the process ends: connections may still be on their way, which a loop that
  /// is shut down would have nowhere to put.
  public func leave() {
    let (hub, channel) = (hub, channel)
    try? channel.eventLoop.submit {
      hub.close()
      channel.close(promise: nil)
    }.wait()
  }

  /// Ends it: says good-bye to those who take it, and waits for nobody.
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
