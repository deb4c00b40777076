import Graphs
import NIOCore
import NIOEmbedded
import NIOHTTP1
import OSC
import Testing

@testable import Viewer

/// Answers to requests for pages.
@Suite struct PageHandlerTests {
  /// Serves one page for every request.
  private final class OnePage: PageHub, @unchecked Sendable {
    let clients = ViewClients(ViewSettings(), most: 16)
    let isReady = true
    let page: EmbeddedPages.Page

    init(_ count: Int) {
      page = EmbeddedPages.Page(
        type: "text/html", tag: "", bytes: ByteBuffer(repeating: 7, count: count), packed: nil,
        isDocument: true)
    }

    func begin() {}
    func join(_ client: ViewClient) {}
    func leave(_ client: ViewClient) {}
    func perform(_ request: ViewRequest, of client: ViewClient) throws(ViewFault) {}
    func take(_ bytes: ByteBuffer, of client: ViewClient) {}
    func page(at path: String) -> EmbeddedPages.Page? { page }
    func query(_ address: PageAddress, _ right: ViewRight) -> QueryAnswer? { nil }
    func picture(at path: String) -> EventLoopFuture<PagePicture?>? { nil }
    func close() {}
  }

  private func connection(_ count: Int) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(handler: PageHandler(OnePage(count), .loopback))
    try channel.connect(to: NIOCore.SocketAddress(ipAddress: "127.0.0.1", port: 7780)).wait()
    return channel
  }

  /// Requests the page. Returns the sizes of the parts in which it arrives.
  private func get(_ channel: EmbeddedChannel, _ method: HTTPMethod = .GET) throws -> [Int] {
    let head = HTTPRequestHead(
      version: .http1_1, method: method, uri: "/desk", headers: ["Host": "127.0.0.1:7780"])
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    var sizes: [Int] = []
    while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
      if case .body(.byteBuffer(let bytes)) = part { sizes.append(bytes.readableBytes) }
    }
    return sizes
  }

  @Test func `a long page is sent in parts`() throws {
    let channel = try connection(200_000)
    #expect(try get(channel) == [65_536, 65_536, 65_536, 3392])
    #expect(try get(channel, .HEAD) == [])
    _ = try channel.finish()
    for (count, sizes) in [(0, []), (65_536, [65_536]), (65_537, [65_536, 1])] {
      let channel = try connection(count)
      #expect(try get(channel) == sizes)
      _ = try channel.finish()
    }
  }

  @Test func `five seconds after an answer the connection ends, unless another request came`() throws {
    let channel = try connection(10)
    channel.embeddedEventLoop.advanceTime(by: .seconds(20))
    for _ in 0..<3 {
      #expect(try get(channel) == [10])
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(4900))
      #expect(channel.isActive)
    }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
    #expect(!channel.isActive)
  }
}
