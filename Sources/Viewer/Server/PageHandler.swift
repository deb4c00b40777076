import NIOCore
import NIOHTTP1
import NIOWebSocket
import OSC

/// Answers the HTTP requests of one connection: pages, pictures, pieces and OSCQuery. [view]
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The maximum size of a request target, in bytes.
  static let pathLimit = 2048
  /// The size of a part of the body, in bytes. Each part that was sent resets the idle timeout.
  private static let partSize = 65_536
  /// The keep-alive timeout, in s.
  private static let rest: Int64 = 5
  /// The Content-Security-Policy: a page may run scripts and WebAssembly of this server and connect to it, nothing
  /// else.
  private static let policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; worker-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"

  private let hub: any PageHub
  private let peer: IPAddress
  /// The connection; nil before it is open.
  private var channel: (any NIOCore.Channel)?
  private var head: HTTPRequestHead?
  private var hasBody = false
  /// The number of requests so far.
  private var requests = 0
  /// Closes the connection after the keep-alive timeout.
  private var keepAliveEnd: Scheduled<Void>?

  init(_ hub: any PageHub, _ peer: IPAddress) {
    self.hub = hub
    self.peer = peer
  }

  func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, hasBody) = (head, false)
      requests += 1
      keepAliveEnd?.cancel()
    case .body: hasBody = true
    case .end:
      guard let head else { return }
      self.head = nil
      // A client that sends requests and reads no answers would fill the memory.
      guard context.channel.isWritable else { return context.close(promise: nil) }
      let answer = hasBody ? Answer(.payloadTooLarge, "Nothing is taken here.") : answer(head)
      if let picture = answer.picture { return write(picture, to: head, context) }
      if let piece = answer.piece { return write(piece, to: head, context) }
      write(answer, to: head, context, closes: hasBody)
    }
  }

  /// Answers with a picture, once it is read.
  private func write(
    _ picture: EventLoopFuture<PagePicture?>, to head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    picture.whenComplete { result in
      let (handler, context) = here.value
      var answer = Answer(.notFound, "There is no such picture.")
      if case .success(let picture?) = result {
        (answer.status, answer.type, answer.bytes) = (.ok, picture.type, picture.bytes)
      }
      handler.write(answer, to: head, context, closes: false)
    }
  }

  /// Answers with a file for caches, once it is complete.
  private func write(
    _ piece: EventLoopFuture<StageFile>, to head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    piece.whenSuccess { file in
      let (handler, context) = here.value
      var answer = Answer(file.isMissing ? .notFound : .ok, "")
      (answer.type, answer.bytes, answer.cache) = (file.type, file.bytes, file.cache)
      handler.write(answer, to: head, context, closes: false)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    keepAliveEnd?.cancel()
    channel = nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // NIO passes the request of a refused WebSocket to this handler, which answers with the reason.
    if error as? NIOWebSocketUpgradeError == .unsupportedWebSocketTarget { return }
    context.close(promise: nil)
  }

  private struct Answer {
    var status: HTTPResponseStatus
    var type = "text/plain; charset=utf-8"
    var bytes: ByteBuffer
    var tag: String?
    /// A picture that will be the body.
    var picture: EventLoopFuture<PagePicture?>?
    /// A file for caches that will be the body.
    var piece: EventLoopFuture<StageFile>?
    /// The value of `Cache-Control`.
    var cache = "no-cache"
    /// Whether the body is compressed by gzip; nil: it never is.
    var isPacked: Bool?
    /// Further header fields.
    var fields: [(name: String, value: String)] = []

    init(_ status: HTTPResponseStatus, _ text: String) {
      self.status = status
      bytes = ByteBuffer(string: text + "\n")
    }

    /// The answer to an OSCQuery request. Nil for a query of a page that is no attribute's name.
    init?(_ answer: QueryAnswer, isPage: Bool) {
      switch answer {
      case .json(let text):
        self.init(.ok, "")
        (type, bytes) = ("application/json", ByteBuffer(string: text))
      case .noValue:
        self.init(.noContent, "")
        bytes = ByteBuffer()
      case .unknownAttribute(let name):
        guard !isPage || name.allSatisfy({ $0.isUppercase || $0 == "_" }) else { return nil }
        self.init(.badRequest, "OSCQuery has no attribute \(name.prefix(40)).")
      }
    }

    /// The page that asks for the key, with the reason.
    init(key page: EmbeddedPages.Page, _ reason: String) {
      let text = String(buffer: page.bytes)
      let parts = text.split(separator: "<!-- reason -->", maxSplits: 1).flatMap {
        $0.split(separator: "<!-- end -->", maxSplits: 1)
      }
      (status, type) = (.forbidden, page.type)
      bytes = ByteBuffer(string: parts.count == 3 ? "\(parts[0])\(reason)\(parts[2])" : text)
    }

    init(_ page: EmbeddedPages.Page, takesPacked: Bool) {
      (status, type, bytes, tag) = (.ok, page.type, page.bytes, page.tag)
      guard let packed = page.packed else { return }
      isPacked = takesPacked
      guard takesPacked else { return }
      bytes = packed
      // Each encoding needs an ETag of its own.
      tag = "\(page.tag.dropLast())-gzip\""
    }
  }

  private func answer(_ head: HTTPRequestHead) -> Answer {
    guard head.method == .GET || head.method == .HEAD else {
      return Answer(.methodNotAllowed, "Only GET and HEAD are understood.")
    }
    guard head.uri.utf8.count <= Self.pathLimit, let address = PageAddress(head.uri) else {
      return Answer(.uriTooLong, "This address is too long, or none.")
    }
    if address.path == "/desk", let token = address.query["token"] { return exchange(token, head, address) }
    let isDocument = hub.page(at: address.path)?.isDocument ?? true
    let wantsPage = head.headers["Accept"].contains { $0.contains("text/html") }
    let right: ViewRight
    switch hub.clients.right(of: ViewAccess.Visitor(head, address, peer, channel)) {
    case .success(let granted): right = granted
    // The files that pages consist of are public; documents and facts are not.
    case .failure(let refusal) where isDocument || refusal == .host:
      if wantsPage, refusal.asksForKey, hub.page(at: address.path) != nil,
        let page = hub.page(at: "/key.html")
      {
        return Answer(key: page, refusal.reason)
      }
      return Answer(.forbidden, refusal.reason)
    case .failure: right = .watch
    }
    if address.path == "/", !wantsPage || address.query["HOST_INFO"] != nil,
      let found = hub.query(address, right),
      let answer = Answer(found, isPage: true)
    {
      return answer
    }
    if let page = hub.page(at: address.path) {
      let codings = head.headers[canonicalForm: "Accept-Encoding"]
      var answer = Answer(page, takesPacked: codings.contains { $0 == "gzip" || $0.hasPrefix("gzip;q=1") })
      if head.headers.first(name: "If-None-Match") == answer.tag {
        (answer.status, answer.bytes) = (.notModified, ByteBuffer())
      }
      return answer
    }
    if let piece = hub.piece(at: address.path) {
      var answer = Answer(.ok, "")
      answer.piece = piece
      return answer
    }
    if let picture = hub.picture(at: address.path) {
      var answer = Answer(.ok, "")
      answer.picture = picture
      return answer
    }
    if address.path == "/socket", !hub.isReady {
      return Answer(.serviceUnavailable, "The show is not there; it is looked for.")
    }
    if let answer = hub.query(address, right).flatMap({ Answer($0, isPage: false) }) { return answer }
    return Answer(.notFound, "Nothing is served at \(address.path.prefix(100)).")
  }

  /// Exchanges a token for a cookie, and redirects to the desk by a URL without secrets.
  private func exchange(_ token: String, _ head: HTTPRequestHead, _ address: PageAddress) -> Answer {
    let visitor = ViewAccess.Visitor(head, address, peer, channel)
    guard let cookie = hub.clients.cookie(for: token, of: visitor) else {
      return Answer(.forbidden, ViewRefusal.token.reason)
    }
    var answer = Answer(.seeOther, "The desk is at /desk.")
    answer.fields = [
      ("Location", "/desk"),
      ("Set-Cookie", "\(DeskTokens.cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict"),
    ]
    return answer
  }

  private func write(
    _ answer: Answer, to head: HTTPRequestHead, _ context: ChannelHandlerContext, closes: Bool
  ) {
    var headers = HTTPHeaders()
    if answer.status != .noContent {
      headers.add(name: "Content-Type", value: answer.type)
      headers.add(name: "Content-Length", value: "\(answer.bytes.readableBytes)")
    }
    headers.add(name: "Content-Security-Policy", value: Self.policy)
    headers.add(name: "X-Content-Type-Options", value: "nosniff")
    headers.add(name: "Referrer-Policy", value: "no-referrer")
    headers.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
    headers.add(name: "Cross-Origin-Opener-Policy", value: "same-origin")
    headers.add(name: "Cache-Control", value: answer.cache)
    for field in answer.fields { headers.add(name: field.name, value: field.value) }
    if let tag = answer.tag { headers.add(name: "ETag", value: tag) }
    if let isPacked = answer.isPacked {
      headers.add(name: "Vary", value: "Accept-Encoding")
      if isPacked { headers.add(name: "Content-Encoding", value: "gzip") }
    }
    // A refused client must not occupy a connection while it waits to try again.
    let isRefused = answer.status == .forbidden || answer.status == .serviceUnavailable
    let isKept = head.isKeepAlive && !closes && !isRefused
    headers.add(name: "Connection", value: isKept ? "keep-alive" : "close")
    let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    var rest = head.method == .HEAD ? ByteBuffer() : answer.bytes
    while rest.readableBytes > 0, let part = rest.readSlice(length: min(rest.readableBytes, Self.partSize)) {
      context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
    }
    let end = context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated()
    let (channel, number) = (context.channel, requests)
    end.whenComplete { [self] _ in
      if !isKept { return channel.close(promise: nil) }
      // Unless the next request has begun already.
      if requests == number { awaitNext(channel) }
    }
  }

  private func awaitNext(_ channel: any Channel) {
    keepAliveEnd = channel.eventLoop.scheduleTask(in: .seconds(Self.rest)) { channel.close(promise: nil) }
  }
}

extension ViewAccess.Visitor {
  /// Header fields that proxies add.
  private static let proxyFields = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"]

  /// The visitor of a request.
  init(
    _ head: HTTPRequestHead, _ address: PageAddress, _ peer: IPAddress,
    _ channel: (any NIOCore.Channel)? = nil
  ) {
    let hosts = head.headers["Host"]
    let cookies = head.headers["Cookie"].flatMap { $0.split(separator: ";") }
    let name = "\(DeskTokens.cookieName)="
    let cookie = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(name) }
    // Several `Host` fields are ambiguous, so they count as none.
    self.init(
      peer: peer, local: channel?.localAddress?.ipAddress.flatMap { IPAddress($0) },
      host: hosts.count == 1 ? hosts[0] : nil, origin: head.headers.first(name: "Origin"),
      key: address.query["key"], cookie: cookie.map { String($0.dropFirst(name.utf8.count)) },
      isForwarded: Self.proxyFields.contains { head.headers.contains(name: $0) })
  }
}
