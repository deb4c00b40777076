import Controls
import NIOCore
import NIOWebSocket
import System

/// A WebSocket: checks frames by RFC 6455, and passes complete messages on. [view]
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The maximum size of a message, in bytes.
  static let messageLimit = 65_536

  private let hub: any PageHub
  private let client: ViewClient
  /// The fragments of an incomplete message.
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
    // NIO has sent a close frame if the client violated the protocol.
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    let frame = unwrapInboundIn(data)
    client.lastHeard = MonotonicClock.seconds
    // NIO checks lengths only; a client must mask its frames and set no reserved bits.
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
      // Empty fragments could go on for ever.
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
