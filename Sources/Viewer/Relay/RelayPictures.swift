import NIOCore
import NIOHTTP1
import NIOPosix
import OSC

/// Fetches and caches the pictures of the show that a relay is connected to. [view]
final class RelayPictures: @unchecked Sendable {
  /// The maximum size of a picture in bytes, and the maximum number of fetches at a time.
  private static let (mostBytes, mostFetches) = (32 << 20, 8)
  /// The read timeout of a fetch, in s.
  private static let timeout: Int64 = 20
  /// How long a missing picture is remembered, in s, and the maximum number of those.
  private static let (memory, mostMissing): (Int64, Int) = (5, 1000)
  private static let folder = "/pictures/"

  private let loop: any EventLoop
  private let fetch: (String) -> EventLoopFuture<ByteBuffer?>
  private let kept: KeptPictures
  /// Paths without a picture, and until when that is remembered.
  private var missing: [String: NIODeadline] = [:]

  /// Fetches from a show.
  convenience init(_ address: RelayAddress, on loop: any EventLoop) {
    self.init(on: loop) { Self.fetch($0, from: address, on: loop) }
  }

  /// `fetch` requests a picture from the show by its path; nil: there is none.
  init(on loop: any EventLoop, fetch: @escaping (_ path: String) -> EventLoopFuture<ByteBuffer?>) {
    self.loop = loop
    self.fetch = fetch
    kept = KeptPictures(on: loop)
  }

  /// The picture at a path; nil: no such path. The future is nil if too many fetches are running, or the picture was
  /// missing just before; pages try again.
  func picture(at path: String) -> EventLoopFuture<PagePicture?>? {
    guard path.hasPrefix(Self.folder), Self.isName(path.dropFirst(Self.folder.count)) else { return nil }
    if let known = kept.known(path) { return known }
    if let end = missing[path] {
      if loop.now < end { return loop.makeSucceededFuture(nil) }
      missing[path] = nil
    }
    guard kept.coming < Self.mostFetches else { return loop.makeSucceededFuture(nil) }
    let coming = fetch(path).map { bytes in
      if bytes == nil { self.miss(path) }
      return bytes.map { PagePicture(type: "image/png", bytes: $0) }
    }
    return kept.keep(coming, path)
  }

  private static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.count <= 16
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private func miss(_ path: String) {
    let now = loop.now
    if missing.count >= Self.mostMissing { missing = missing.filter { $0.value > now } }
    // The table is full: this path will be fetched again.
    if missing.count < Self.mostMissing { missing[path] = now + .seconds(Self.memory) }
  }

  /// Requests a picture from the show; nil: it did not come.
  private static func fetch(
    _ path: String, from address: RelayAddress, on loop: any EventLoop
  ) -> EventLoopFuture<ByteBuffer?> {
    let promise = loop.makePromise(of: ByteBuffer?.self)
    let answer = RelayAnswer(
      HTTPRequestHead(
        version: .http1_1, method: .GET, uri: address.path(path),
        headers: ["Host": "\(address.endpoint)", "Connection": "close"]),
      most: mostBytes, promise)
    ClientBootstrap(group: loop)
      .connectTimeout(.seconds(5))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(timeout)))
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(answer)
        }
      }
      .connect(host: address.endpoint.host, port: Int(address.endpoint.port))
      .hop(to: loop)
      .whenFailure { _ in answer.end(nil) }
    return promise.futureResult
  }
}

/// Takes the answer to one request, then closes the connection. [view]
private final class RelayAnswer: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: HTTPRequestHead
  private let most: Int
  private var promise: EventLoopPromise<ByteBuffer?>?
  private var bytes = ByteBuffer()
  private var isWanted = false

  init(_ request: HTTPRequestHead, most: Int, _ promise: EventLoopPromise<ByteBuffer?>) {
    self.request = request
    self.most = most
    self.promise = promise
  }

  /// Completes the fetch, once.
  func end(_ bytes: ByteBuffer?) {
    promise?.succeed(bytes)
    promise = nil
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(request)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): isWanted = head.status == .ok
    case .body(var part):
      guard isWanted, bytes.readableBytes + part.readableBytes <= most else {
        return context.close(promise: nil)
      }
      bytes.writeBuffer(&part)
    case .end:
      end(isWanted ? bytes : nil)
      context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { end(nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
