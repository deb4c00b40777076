import NIOCore
import NIOEmbedded
import Testing

@testable import Viewer

/// The messages that count as a sign of life of the show.
@Suite struct RelayEarTests {
  @Test func `every part of a message counts, and is passed on unchanged`() throws {
    var times = 0
    let channel = EmbeddedChannel(handler: RelayEar { times += 1 })
    for part in ["a state ", "that is ", "long"] {
      try channel.writeInbound(ByteBuffer(string: part))
      #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: part))
    }
    #expect(times == 3)
    _ = try channel.finish()
  }
}
