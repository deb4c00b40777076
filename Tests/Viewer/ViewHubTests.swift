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

/// OSC packets of pages, and their effects.
@Suite struct ViewHubTests {
  /// Handles a packet of a client. Returns how many messages were carried out or refused, and the last message sent.
  private func take(_ packet: [UInt8], of right: ViewRight) throws -> (messages: Int, answer: String) {
    let (count, show, loop) = (Locked(0), Show(), EmbeddedEventLoop())
    var sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    sources.notify = { _ in count.withLock { $0 += 1 } }
    let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: loop)
    let channel = EmbeddedChannel()
    hub.take(ByteBuffer(bytes: packet), of: ViewClient(channel, right, name: "a page", at: 0))
    // A refusal is sent by the event loop, to connected clients.
    loop.run()
    var answer = ""
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
      answer = String(buffer: frame.data)
    }
    return (count.withLock { $0 }, answer)
  }

  /// A bundle of many equal messages.
  private static func bundle(_ count: Int) throws -> [UInt8] {
    let message = try Message("/x").packet()
    let size = withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) }
    return Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
      + [[UInt8]](repeating: size + message, count: count).flatMap { $0 }
  }

  @Test func `each message of a bundle counts`() throws {
    let few = try take(Self.bundle(500), of: .steer)
    #expect(few.messages == 500 && few.answer.isEmpty)
    // If this takes seconds, more messages are allowed.
    let many = try take(Self.bundle(5000), of: .steer)
    #expect((501..<5000).contains(many.messages) && many.answer.contains(#""code":"view-too-much""#))
  }

  @Test func `a client that may only look on is refused a bundle once, and nothing of it is read`() throws {
    for packet in [try Self.bundle(500), [1, 2, 3]] {
      let refused = try take(packet, of: .watch)
      #expect(refused.messages == 0 && refused.answer.contains(#""about":"","code":"view-key""#))
    }
  }

  // MARK: - What viewers with the right to look on may see

  @Test func `sound needs the right to steer, and its places are not taken by viewers`() throws {
    let show = Show()
    let sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: EmbeddedEventLoop())
    func ask(_ right: ViewRight, _ number: Int) -> ViewFault? {
      let client = ViewClient(EmbeddedChannel(), right, name: "a page", at: 0)
      hub.join(client)
      do throws(ViewFault) {
        try hub.perform(.sound(SoundChannel(node: "song", output: "audio", channel: number)), of: client)
        return nil
      } catch { return error }
    }
    for number in 0..<8 { #expect(ask(.watch, number) == .notAllowed) }
    for number in 0..<4 { #expect(ask(.steer, number) == nil) }
    #expect(ask(.steer, 4)?.code == "view-too-much")
    #expect(ask(.watch, 0) == .notAllowed)
  }

  @Test func `viewers are sent how the show goes, but no files, targets or settings`() {
    for address in [
      "/visgraph/level/meter/1", "/visgraph/master", "/visgraph/blackout", "/visgraph/scene",
      "/visgraph/scene/progress",
      "/visgraph/cue/next", "/visgraph/status/name", "/visgraph/status/state",
      "/visgraph/status/event/active",
      "/visgraph/status/healthy", "/visgraph/status/node/song/title",
      "/visgraph/status/node/song/currentTime",
    ] {
      #expect(ViewRight.watch.sees(address) && ViewRight.steer.sees(address), "\(address)")
    }
    for address in [
      "/visgraph/status/graph", "/visgraph/status/target/rig/1", "/visgraph/status/fault/1",
      "/visgraph/status/refused",
      "/visgraph/status/limit/rig/rate", "/visgraph/status/node/song/url",
      "/visgraph/status/node/song/fault", "/visgraph/node/rig/to",
      "/visgraph/node/gain/gain", "/visgraph/fader/gain/gain", "/visgraph/mastery", "/visgraph", "/",
    ] {
      #expect(!ViewRight.watch.sees(address) && ViewRight.steer.sees(address), "\(address)")
    }
    #expect(ViewTopic.allCases.filter(ViewRight.watch.sees) == [.graph, .players, .events])
    #expect(ViewTopic.allCases.allSatisfy(ViewRight.steer.sees))
  }
}
