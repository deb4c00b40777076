import NIOCore

/// Notes that bytes come, also while the message that they are of is not whole. [view]
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
