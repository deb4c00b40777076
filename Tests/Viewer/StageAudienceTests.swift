import NIOCore
import NIOEmbedded
import NIOWebSocket
import Nodes
import TestSupport
import Testing

@testable import Viewer

/// Which parts of a stage are sent to which viewers.
@Suite(.waiting) struct StageAudienceTests {
  /// A viewer, and the bytes that it was sent.
  private final class Viewer {
    let channel = EmbeddedChannel()
    let client: ViewClient

    init() { client = ViewClient(channel, .watch, name: "a viewer", at: 0) }

    /// The first bytes of the bodies received since the last call, and of the description.
    func take() throws -> [UInt8] {
      var found: [UInt8] = []
      while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
        let bytes = Array(frame.data.readableBytesView)
        var at = 0
        while at < bytes.count {
          found.append(bytes[at + 8])
          at += 8 + Int(bytes[at + 4])
        }
      }
      return found
    }
  }

  /// A record of an emitter with a body of one byte.
  private static func record(_ kind: UInt8, _ body: UInt8) -> [UInt8] { [kind, 1, 1, 0, 1, 0, 0, 0, body] }
  private static func frame(_ number: UInt8) -> StagePacket {
    StagePacket(emitter: 1, audience: .following, bytes: record(4, number))
  }
  private static let state = StagePacket(emitter: 1, audience: .waiting, bytes: record(2, 0))
  private static let description = ByteBuffer(bytes: record(1, 100))

  private func audience(_ viewers: [Viewer], isRelay: Bool = false) -> StageAudience {
    let audience = StageAudience()
    audience.describe(Self.description, emitters: [1])
    for viewer in viewers { audience.join(viewer.client, isRelay: isRelay) }
    return audience
  }

  @Test func `a state goes to viewers that wait for it, and frames to those that have one`() throws {
    let (first, second) = (Viewer(), Viewer())
    let audience = audience([first])
    audience.take(Self.frame(1))
    #expect(audience.wanted == [1])
    audience.take(Self.state)
    audience.take(Self.frame(2))
    #expect(try first.take() == [100, 1, 2] && audience.wanted.isEmpty)
    audience.join(second.client, isRelay: false)
    audience.take(Self.frame(3))
    audience.take(Self.state)
    audience.take(Self.frame(4))
    #expect(try first.take() == [3, 4] && second.take() == [100, 1, 4])
    #expect(audience.leave(second.client) && !audience.leave(second.client) && !audience.isEmpty)
  }

  @Test func `frames wait after a slow state, and a viewer that takes nothing needs another state`() throws {
    let viewer = Viewer()
    let audience = audience([viewer])
    audience.take(Self.state)
    viewer.channel.isWritable = false
    audience.take(Self.frame(1))
    #expect(try viewer.take() == [100, 1, 1])
    viewer.channel.isWritable = true
    audience.take(Self.frame(2))
    viewer.channel.isWritable = false
    audience.take(Self.frame(3))
    #expect(try viewer.take() == [2] && viewer.client.needsState == [1])
    // No state is made for a viewer without room for it.
    #expect(audience.wanted.isEmpty)
    viewer.channel.isWritable = true
    #expect(audience.wanted == [1])
  }

  @Test func `frames do not wait for ever after a state`() throws {
    let viewer = Viewer()
    let audience = audience([viewer])
    audience.take(Self.state)
    viewer.channel.isWritable = false
    var taken = 0
    while viewer.client.needsState.isEmpty, taken < 100_000 {
      audience.take(Self.frame(1))
      taken += 1
    }
    #expect(viewer.client.needsState == [1] && taken == 262_144 / 9 + 1)
  }

  @Test
  func `a viewer that was sent no frames for a while has to take the next state, and no other viewer has to`()
    throws
  {
    let (slow, other) = (Viewer(), Viewer())
    let audience = audience([slow, other])
    audience.take(Self.state)
    audience.take(Self.frame(2))
    slow.channel.isWritable = false
    audience.take(Self.frame(3))
    slow.channel.isWritable = true
    audience.take(Self.frame(4))
    audience.take(Self.state)
    audience.take(Self.frame(5))
    #expect(try slow.take() == [100, 1, 2, 1, 5] && other.take() == [100, 1, 2, 3, 4, 5])
  }

  @Test
  func `a relay gets every frame, also around a state, and after a gap all its viewers have to take a state`()
    throws
  {
    let relay = Viewer()
    let audience = audience([relay], isRelay: true)
    audience.take(Self.state)
    // The relay had no state: this one is for all its viewers.
    #expect(try relay.take() == [100, 1])
    audience.wantState(relay.client, of: 1)
    #expect(audience.wanted == [1])
    audience.take(Self.frame(2))
    audience.take(Self.state)
    audience.take(Self.frame(3))
    #expect(try relay.take() == [2, 0, 3])
    audience.lose(1)
    audience.take(Self.frame(4))
    audience.take(Self.state)
    #expect(try relay.take() == [1])
  }

  @Test func `for many viewers three frames are sent together, and the stage allows for the delay`() throws {
    let viewers = (0..<501).map { _ in Viewer() }
    let audience = audience(Array(viewers.dropLast()))
    #expect(audience.frameDelay == 0)
    audience.join(viewers[500].client, isRelay: false)
    #expect(audience.frameDelay == 2)
    audience.take(Self.state)
    for number in 1...5 { audience.take(Self.frame(UInt8(number))) }
    #expect(try viewers[500].take() == [100, 1, 1, 2, 3])
    // A few viewers that come and go change nothing.
    for viewer in viewers.prefix(100) { _ = audience.leave(viewer.client) }
    #expect(audience.frameDelay == 2)
    _ = audience.leave(viewers[100].client)
    #expect(audience.frameDelay == 0)
    audience.take(Self.frame(6))
    #expect(try viewers[500].take() == [4, 5, 6])
  }
}
