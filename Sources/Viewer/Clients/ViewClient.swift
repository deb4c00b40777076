import Controls
import Graphs
import NIOCore
import NIOWebSocket
import OSC

/// A client with a WebSocket: its right and its subscriptions. [view]
final class ViewClient {
  /// How long a client may take no bytes before it is disconnected, in s.
  static let timeout = 10.0
  /// The maximum number of subscribed patterns.
  private static let mostSubscriptions = 16

  /// The subscription of a pattern.
  struct Subscription {
    let pattern: FeedbackPattern
    /// The most messages a second.
    var rate: Double
    /// When the next message is due, in s of the monotonic clock; 0: at once.
    var next: Double
    /// The version of the state that was sent last.
    var version = -1
  }

  let channel: any NIOCore.Channel
  let right: ViewRight
  /// Its name in the log.
  let name: String
  /// Whether it runs on the machine of the show.
  let isHere: Bool
  /// Whether it is a screen of the show (`?kiosk`), and not a window of the user.
  let isScreen: Bool
  /// Whether it connected at `/`, as OSCQuery clients do.
  let isQuery: Bool
  /// The subscribed patterns, whose values are sent as JSON.
  var subscriptions: [Subscription] = []
  /// Addresses of OSCQuery's LISTEN, which are sent as OSC packets; with the version that was sent last.
  var oscQueryListens: [String: Int] = [:]
  /// Subscribed topics, with a hash of the text that was sent last; 0: none was.
  var topics: [ViewTopic: Int] = [:]
  /// Numbers of emitters whose next message to this client must be a state.
  var needsState: Set<UInt16> = []
  /// Bytes of frames that are queued behind a state; nil: no state is queued.
  var behindState: Int?
  /// Whether it is a relay: it gets frames also while it waits for a state that a page of its own needs.
  var isRelay = false
  /// Numbers of emitters whose state a relay needs for its pages.
  var relayNeedsState: Set<UInt16> = []
  /// Limits the rate of its messages.
  var messages = TokenBucket(perSecond: ViewRequest.mostPerSecond, atOnce: ViewRequest.mostPerSecond)
  /// When the last bytes came, in s of the monotonic clock.
  var lastHeard: Double
  /// Bytes of messages that were queued for it so far.
  private var queuedBytes = 0
  /// While its buffer is full: the bytes that were sent at the last check, and since when there were no more.
  private var backlog: (sentBytes: Int, since: Double)?

  init(
    _ channel: any NIOCore.Channel, _ right: ViewRight, name: String, isHere: Bool = false,
    isScreen: Bool = false, isQuery: Bool = false, at time: Double
  ) {
    self.channel = channel
    self.right = right
    self.name = name
    (self.isHere, self.isScreen, self.isQuery) = (isHere, isScreen, isQuery)
    lastHeard = time
  }

  /// Subscribes to a pattern, at most `rate` times a second; 0 unsubscribes.
  func subscribe(to pattern: FeedbackPattern, rate: Double) throws(ViewFault) {
    let old = subscriptions.firstIndex { $0.pattern == pattern }
    guard rate > 0 else {
      if let old { subscriptions.remove(at: old) }
      return
    }
    if let old {
      subscriptions[old].rate = rate
      subscriptions[old].next = 0
      return
    }
    guard subscriptions.count < Self.mostSubscriptions else {
      throw .tooMuch("one client may listen to \(Self.mostSubscriptions) patterns")
    }
    subscriptions.append(Subscription(pattern: pattern, rate: rate, next: 0))
  }

  /// Whether its buffer has room. A client without room is skipped, and later gets the newest state.
  var isReady: Bool { channel.isWritable }

  /// Bytes that were sent. The heads of WebSocket frames in the buffer, a few bytes each, make it slightly too small.
  private var sentBytes: Int {
    queuedBytes - ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
  }

  func noteWritability(_ isWritable: Bool, at time: Double) {
    backlog = isWritable ? nil : (sentBytes, time)
  }

  /// Notes the progress since the last check, and returns whether the client has taken no bytes for `timeout`. A large
  /// message may take longer, as long as bytes go. `ViewClients.look` alone calls it.
  func checkIsStuck(at time: Double) -> Bool {
    guard let before = backlog else { return false }
    let sentBytes = sentBytes
    let since = sentBytes > before.sentBytes ? time : before.since
    backlog = (max(sentBytes, before.sentBytes), since)
    return time - since >= Self.timeout
  }

  /// Sends a text message of JSON.
  func send(_ text: String) { send(ByteBuffer(string: text), isText: true) }

  func send(_ bytes: ByteBuffer, isText: Bool) {
    queuedBytes += bytes.readableBytes
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: isText ? .text : .binary, data: bytes), promise: nil)
  }

  /// Sends the greeting: version, show, right, and the clock in s.
  func greet(version: String, show: String, maySteer: Bool, clock: Double) {
    let hello = Json.object([
      ("visgraph", .string(version)), ("name", .string(show)),
      ("may", .string(maySteer ? "steer" : "watch")), ("clock", .number(clock)),
    ])
    send("{\"hello\":\(hello.line)}")
  }

  /// Answers a ping with the clock in s. A late answer would be useless, so it is only sent if there is room.
  func answer(_ ping: Json, clock: Double) {
    if isReady { send("{\"pong\":\(ping.line),\"clock\":\(shortest(clock))}") }
  }

  /// Sends an error about `address`.
  func refuse(about address: String, code: String, reason: String) {
    guard isReady else { return }
    let error = Json.object([
      ("about", .string(String(address.prefix(512)))), ("code", .string(code)),
      ("reason", .string(String(reason.prefix(1500)))),
    ])
    send("{\"error\":\(error.line)}")
  }

  /// Sends a fault as an error.
  func refuse(_ fault: ViewFault, about address: String = "") {
    refuse(about: address, code: fault.code, reason: fault.reason)
  }

  /// Sends a WebSocket ping.
  func ping() {
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
  }

  /// Sends a close frame and closes the connection; without the frame if there is no room.
  func close(_ code: WebSocketErrorCode) {
    var bytes = ByteBuffer()
    bytes.write(webSocketErrorCode: code)
    let channel = channel
    guard channel.isWritable else { return channel.close(promise: nil) }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: bytes))
      .whenComplete { _ in channel.close(promise: nil) }
  }
}
