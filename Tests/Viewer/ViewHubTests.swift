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
  /// Has a packet taken of a client; says how many messages were carried out or refused, and what was sent last.
  private func take(_ packet: [UInt8], of right: ViewRight) throws -> (messages: Int, told: String) {
    let (count, show, loop) = (Locked(0), Show(), EmbeddedEventLoop())
    var sources = ViewSources(
      show: show, router: CommandRouter(show: show, wake: {}), folders: AllowedFolders([]), version: "",
      events: ViewEvents(), host: { HostSnapshot(name: "", rate: 0, timeline: 0) }, levels: { (nil, []) })
    sources.notify = { _ in count.withLock { $0 += 1 } }
    let hub = ViewHub(sources, ViewClients(ViewSettings(), most: 16), on: loop)
    let channel = EmbeddedChannel()
    hub.take(ByteBuffer(bytes: packet), of: ViewClient(channel, right, name: "a page", at: 0))
    // What is refused is sent by the loop, to those who are connected.
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

  @Test func `a client that may only look on is refused a bundle once, and nothing of it is read`() throws {
    for packet in [try Self.bundle(500), [1, 2, 3]] {
      let refused = try take(packet, of: .watch)
      #expect(refused.messages == 0 && refused.told.contains(#""about":"","code":"view-key""#))
    }
  }

  // MARK: - What those may see who only look on

  @Test func `sound is for those who steer, whose places no viewer takes`() throws {
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
    for number in 0..<8 { #expect(ask(.watch, number) == .mayNot) }
    for number in 0..<4 { #expect(ask(.steer, number) == nil) }
    #expect(ask(.steer, 4)?.code == "view-too-much")
    #expect(ask(.watch, 0) == .mayNot)
  }

  @Test func `viewers are told how the show goes, and neither files, targets nor settings`() {
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
      "/visgraph/status/limit/rig/rate", "/visgraph/status/node/song/url", "/visgraph/node/rig/to",
      "/visgraph/node/gain/gain", "/visgraph/fader/gain/gain", "/visgraph/mastery", "/visgraph", "/",
    ] {
      #expect(!ViewRight.watch.sees(address) && ViewRight.steer.sees(address), "\(address)")
    }
    #expect(ViewTopic.allCases.filter(ViewRight.watch.sees) == [.graph, .players, .events])
    #expect(ViewTopic.allCases.allSatisfy(ViewRight.steer.sees))
  }
}
