import NIOCore

/// What stands behind the pages of a server: a show, or the relay of one. [view]
protocol PageHub: AnyObject, Sendable {
  /// Who is connected, and who may be.
  var clients: ViewClients { get }
  /// Whether there is anything that a WebSocket could be sent.
  var isReady: Bool { get }

  /// The port is there: what has to be looked for is looked for from now on.
  func begin()
  /// A WebSocket has been opened.
  func join(_ client: ViewClient)
  /// It is gone.
  func leave(_ client: ViewClient)
  /// Does what a page asks for; throws why it cannot be done, or may not.
  func perform(_ request: ViewRequest, of client: ViewClient) throws(ViewFault)
  /// A packet of OSC.
  func take(_ bytes: ByteBuffer, of client: ViewClient)
  /// What is served at a path of what the program has embedded; nil where nothing is.
  func page(at path: String) -> EmbeddedPages.Page?
  /// What OSCQuery is answered at an address to those who may do so much; nil where there is nothing.
  func query(_ address: PageAddress, _ right: ViewRight) -> QueryAnswer?
  /// A picture at a path, once it has been read; nil where none can be.
  func picture(at path: String) -> EventLoopFuture<PagePicture?>?
  /// A file of the stage, for caches, at a path; nil where none lies below it.
  func piece(at path: String) -> EventLoopFuture<StageFile>?
  /// Ends it, and says good-bye to all.
  func close()
}

extension PageHub {
  /// None.
  func piece(at path: String) -> EventLoopFuture<StageFile>? { nil }

  /// A message of JSON.
  func take(_ text: String, of client: ViewClient) {
    do throws(ViewFault) {
      for request in try ViewRequest.read(text) { try perform(request, of: client) }
    } catch {
      client.refuse(error)
    }
  }
}
