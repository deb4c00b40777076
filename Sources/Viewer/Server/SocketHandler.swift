import Controls
import NIOCore
import NIOWebSocket
import System

/// One WebSocket: takes frames apart as RFC 6455 wants it, and hands whole messages on. [view]
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The most bytes of a message.
  static let messageLimit = 65_536

  private let hub: any PageHub
  private let client: ViewClient
  /// A message in parts that is not whole yet.
  private var partial: (isText: Bool, bytes: ByteBuffer)?
  private var isClosing = false

  init(_ hub: any PageHub, _ client: ViewClient) {
    self.hub = hub
    self.client = client
  }

  func handlerAdded(context: ChannelHandlerContext) { hub.join(client) }

  func channelInactive(context: ChannelHandlerContext) {
    hub.leave(client)
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    client.noteWritability(context.channel.isWritable, at: MonotonicClock.seconds)
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The library has answered with a close frame where it is the other end's fault.
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    let frame = unwrapInboundIn(data)
    client.lastHeard = MonotonicClock.seconds
    // The library looks at lengths alone.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return end(context, .protocolError)
    }
    switch frame.opcode {
    case .connectionClose: end(context, .normalClosure)
    case .ping:
      guard client.messages.take(at: MonotonicClock.seconds) else { return end(context, .policyViolation) }
      guard context.channel.isWritable else { return }
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .pong: break
    case .text, .binary:
      guard partial == nil else { return end(context, .protocolError) }
      if frame.fin {
        take(context, isText: frame.opcode == .text, frame.unmaskedData)
      } else {
        partial = (frame.opcode == .text, frame.unmaskedData)
      }
    case .continuation:
      guard var whole = partial else { return end(context, .protocolError) }
      var more = frame.unmaskedData
      guard whole.bytes.readableBytes + more.readableBytes <= Self.messageLimit else {
        return end(context, .messageTooLarge)
      }
      // Parts of nothing would be a way to keep us busy for ever.
      guard frame.fin || more.readableBytes > 0 else { return end(context, .policyViolation) }
      whole.bytes.writeBuffer(&more)
      partial = frame.fin ? nil : whole
      if frame.fin { take(context, isText: whole.isText, whole.bytes) }
    default: end(context, .protocolError)
    }
  }

  private func take(_ context: ChannelHandlerContext, isText: Bool, _ bytes: ByteBuffer) {
    guard client.messages.take(at: MonotonicClock.seconds) else { return end(context, .policyViolation) }
    guard isText else { return hub.take(bytes, of: client) }
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      return end(context, .dataInconsistentWithMessage)
    }
    hub.take(text, of: client)
  }

  private func end(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    isClosing = true
    client.close(code)
  }
}
