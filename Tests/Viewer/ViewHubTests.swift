import Controls
import Engine
import Graphs
import NIOCore
import NIOEmbedded
import NIOWebSocket
import OSC
import System
import Testing

@testable import Viewer

/// What is done of the packets of OSC that pages send.
@Suite struct ViewHubTests {
  /// Has a packet taken of somebody; says how many messages were carried out or refused, and what was told last.
  private func take(_ packet: [UInt8], of right: ViewRight) throws -> (messages: Int, told: String) {
    let (count, show, loop) = (Locked(0), Show(), EmbeddedEventLoop())
    var sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    sources.notify = { _ in count.withLock { $0 += 1 } }
    let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: loop)
    let channel = EmbeddedChannel()
    hub.take(ByteBuffer(bytes: packet), of: ViewClient(channel, right, name: "a page", at: 0))
    // What is refused is told by the loop, to those who are connected.
    loop.run()
    var told = ""
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
      told = String(buffer: frame.data)
    }
    return (count.withLock { $0 }, told)
  }

  /// A bundle of one message many times.
  private static func bundle(_ count: Int) throws -> [UInt8] {
    let message = try Message("/x").packet()
    let size = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) }
    return Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
      + [[UInt8]](repeating: size + message, count: count).flatMap { $0 }
  }

  @Test func `each message of a bundle counts`() throws {
    let few = try take(Self.bundle(500), of: .steer)
    #expect(few.messages == 500 && few.told.isEmpty)
    // Where this takes seconds, more are taken.
    let many = try take(Self.bundle(5000), of: .steer)
    #expect((501..<5000).contains(many.messages) && many.told.contains(#""code":"view-too-much""#))
  }

  @Test func `whoever may only look on is refused a bundle once, and nothing of it is read`() throws {
    for packet in [try Self.bundle(500), [1, 2, 3]] {
      let refused = try take(packet, of: .watch)
      #expect(refused.messages == 0 && refused.told.contains(#""about":"","code":"view-key""#))
    }
  }
}
