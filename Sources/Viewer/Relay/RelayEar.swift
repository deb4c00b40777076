import NIOCore

/// Notes incoming bytes, also while a large message is not complete. [view]
final class RelayEar: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let heard: () -> Void

  init(_ heard: @escaping () -> Void) { self.heard = heard }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    heard()
    context.fireChannelRead(data)
  }
}
