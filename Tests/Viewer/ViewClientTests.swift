import NIOCore
import NIOEmbedded
import Testing

@testable import Viewer

/// Who is given up as they take nothing.
@Suite struct ViewClientTests {
  @Test func `who takes nothing for ten seconds is stuck, and who takes a little of much is not`() {
    let channel = EmbeddedChannel()
    let client = ViewClient(channel, .watch, name: "a viewer", at: 0)
    // What is not flushed waits.
    func wait(_ count: Int) { channel.write(ByteBuffer(repeating: 0, count: count), promise: nil) }
    #expect(!client.isStuck(at: 100))
    wait(1000)
    client.noteWritability(false, at: 100)
    #expect(!client.isStuck(at: 109))
    channel.flush()
    wait(999)
    #expect(!client.isStuck(at: 110) && !client.isStuck(at: 119))
    // What is added behind it has not gone.
    wait(100)
    #expect(client.isStuck(at: 120))
    channel.flush()
    client.noteWritability(true, at: 121)
    #expect(!client.isStuck(at: 200))
  }
}
