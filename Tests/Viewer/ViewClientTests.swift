import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import Viewer

/// Clients that are closed because they read nothing.
@Suite struct ViewClientTests {
  /// A connection that transfers nothing until a test allows it.
  private final class Link: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var carries = false
    func flush(context: ChannelHandlerContext) { if carries { context.flush() } }
  }

  @Test func `a client that reads nothing for ten seconds is stuck, and one that reads slowly is not`() throws
  {
    let channel = EmbeddedChannel()
    let link = Link()
    try channel.pipeline.syncOperations.addHandler(link)
    try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder())
    let client = ViewClient(channel, .watch, name: "a viewer", at: 0)
    func give(_ count: Int) { client.send(ByteBuffer(repeating: 0, count: count), isText: false) }
    #expect(!client.checkIsStuck(at: 100))
    give(1000)
    client.noteWritability(false, at: 100)
    #expect(!client.checkIsStuck(at: 109))
    // All of it is transferred, and more is added than that.
    link.carries = true
    channel.flush()
    link.carries = false
    give(5000)
    #expect(!client.checkIsStuck(at: 110) && !client.checkIsStuck(at: 119))
    // The bytes added after it have not been transferred.
    give(100)
    #expect(client.checkIsStuck(at: 120))
    client.noteWritability(true, at: 121)
    #expect(!client.checkIsStuck(at: 200))
  }
}
