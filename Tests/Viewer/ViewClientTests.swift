import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import Viewer

/// Who is given up as they take nothing.
@Suite struct ViewClientTests {
  /// A network that carries nothing until it is asked to.
  private final class Link: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var carries = false
    func flush(context: ChannelHandlerContext) { if carries { context.flush() } }
  }

  @Test func `who takes nothing for ten seconds is stuck, and who takes a little of much is not`() throws {
    let channel = EmbeddedChannel()
    let link = Link()
    try channel.pipeline.syncOperations.addHandler(link)
    try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder())
    let client = ViewClient(channel, .watch, name: "a viewer", at: 0)
    func give(_ count: Int) { client.send(ByteBuffer(repeating: 0, count: count), isText: false) }
    #expect(!client.isStuck(at: 100))
    give(1000)
    client.noteWritability(false, at: 100)
    #expect(!client.isStuck(at: 109))
    // All of it goes, and more is added than has gone.
    link.carries = true
    channel.flush()
    link.carries = false
    give(5000)
    #expect(!client.isStuck(at: 110) && !client.isStuck(at: 119))
    // What is added behind it has not gone.
    give(100)
    #expect(client.isStuck(at: 120))
    client.noteWritability(true, at: 121)
    #expect(!client.isStuck(at: 200))
  }
}
