import NIOCore

/// The content behind a server's pages: a show, or the relay of one. [view]
protocol PageHub: AnyObject, Sendable {
  var clients: ViewClients { get }
  /// Whether WebSockets can be opened.
  var isReady: Bool { get }

  /// Called once the port is open.
  func begin()
  /// A WebSocket was opened.
  func join(_ client: ViewClient)
  /// A WebSocket was closed.
  func leave(_ client: ViewClient)
  /// Carries out a request; throws if it is refused.
  func perform(_ request: ViewRequest, of client: ViewClient) throws(ViewFault)
  /// Takes an OSC packet.
  func take(_ bytes: ByteBuffer, of client: ViewClient)
  /// The embedded file at a path; nil: none.
  func page(at path: String) -> EmbeddedPages.Page?
  /// The OSCQuery answer for a client with this right; nil: no such address.
  func query(_ address: PageAddress, _ right: ViewRight) -> QueryAnswer?
  /// The picture at a path, once it is read; nil: no such path.
  func picture(at path: String) -> EventLoopFuture<PagePicture?>?
  /// The file for caches at a path; nil: no such path.
  func piece(at path: String) -> EventLoopFuture<StageFile>?
  /// Closes all connections.
  func close()
}

extension PageHub {
  func piece(at path: String) -> EventLoopFuture<StageFile>? { nil }

  /// Takes a text message of JSON.
  func take(_ text: String, of client: ViewClient) {
    do throws(ViewFault) {
      for request in try ViewRequest.read(text) { try perform(request, of: client) }
    } catch {
      client.refuse(error)
    }
  }
}
