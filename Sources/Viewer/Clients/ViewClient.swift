import Controls
import Graphs
import NIOCore
import NIOWebSocket
import OSC

/// A client that is connected: what it may do, and what it listens to. [view]
final class ViewClient {
  /// How long one may take nothing before it is given up, in seconds.
  static let patience = 10.0
  /// The most patterns that one may listen to.
  private static let mostListens = 16

  /// Messages that are wanted, and what of them was sent.
  struct Listening {
    let pattern: FeedbackPattern
    var rate: Double
    var next: Double
    /// The look at the show that was sent last.
    var version = -1
  }

  let channel: any NIOCore.Channel
  let right: ViewRight
  /// Who it is, as the log says it.
  let name: String
  /// Whether it is on the machine that the show runs on.
  let isHere: Bool
  /// Whether it is a screen of the show, which nobody opens and closes as a window.
  let isScreen: Bool
  /// Whether it speaks OSCQuery, whose programs connect at `/`.
  let isQuery: Bool
  /// What is sent as JSON.
  var listens: [Listening] = []
  /// What OSCQuery's LISTEN asked for, as packets.
  var addresses: [String: Int] = [:]
  /// Which facts are sent as they change, and what was sent last, by a number of the text.
  var topics: [ViewTopic: Int] = [:]
  /// Which emitters wait for a state before anything else of theirs, by number.
  var waiting: Set<UInt16> = []
  /// While a state is on its way: how many bytes of frames wait behind it.
  var behindState: Int?
  /// Whether it hands the stage on to others: frames go on while it waits for a state that one of them needs.
  var handsStageOn = false
  /// Which emitters' states it needs for others.
  var asked: Set<UInt16> = []
  /// Of how many more messages anything is taken.
  var messages = TokenBucket(perSecond: ViewRequest.mostPerSecond, atOnce: ViewRequest.mostPerSecond)
  /// When anything has come last, in seconds of the monotonic clock.
  var lastHeard: Double
  /// How many bytes of messages there were for it so far.
  private var given = 0
  /// How many of them had gone when that was looked at last, and since when no more have; nil while there is room.
  private var backlog: (gone: Int, since: Double)?

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

  /// Has it sent what a pattern says, at most so often a second; 0: not any more.
  func listen(_ pattern: FeedbackPattern, rate: Double) throws(ViewFault) {
    let old = listens.firstIndex { $0.pattern == pattern }
    guard rate > 0 else {
      if let old { listens.remove(at: old) }
      return
    }
    if let old {
      listens[old].rate = rate
      listens[old].next = 0
      return
    }
    guard listens.count < Self.mostListens else {
      throw .tooMuch("one client may listen to \(Self.mostListens) patterns")
    }
    listens.append(Listening(pattern: pattern, rate: rate, next: 0))
  }

  /// Whether there is room for more: a client that has none is sent it later, and then only how things stand by then.
  var isReady: Bool { channel.isWritable }

  /// How many bytes have gone; heads of messages that wait, a few bytes each, count as bytes that came back.
  private var gone: Int {
    given - ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
  }

  func noteWritability(_ isWritable: Bool, at time: Double) {
    backlog = isWritable ? nil : (gone, time)
  }

  /// Looks whether it has taken nothing for too long: what is large may be long on its way.
  func isStuck(at time: Double) -> Bool {
    guard let before = backlog else { return false }
    let gone = gone
    let since = gone > before.gone ? time : before.since
    backlog = (max(gone, before.gone), since)
    return time - since >= Self.patience
  }

  /// Sends a message of JSON.
  func send(_ text: String) { send(ByteBuffer(string: text), isText: true) }

  /// Sends a message.
  func send(_ bytes: ByteBuffer, isText: Bool) {
    given += bytes.readableBytes
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: isText ? .text : .binary, data: bytes), promise: nil)
  }

  /// Says who speaks, and what the client may do; `clock` is in seconds.
  func greet(version: String, show: String, maySteer: Bool, clock: Double) {
    let hello = Json.object([
      ("visgraph", .string(version)), ("name", .string(show)),
      ("may", .string(maySteer ? "steer" : "watch")), ("clock", .number(clock)),
    ])
    send("{\"hello\":\(hello.line)}")
  }

  /// Answers who asks for the time; an answer that comes late says nothing of clocks.
  func answer(_ ping: Json, clock: Double) {
    if isReady { send("{\"pong\":\(ping.line),\"clock\":\(shortest(clock))}") }
  }

  /// Says why something is not done.
  func refuse(about address: String, code: String, reason: String) {
    guard isReady else { return }
    let error = Json.object([
      ("about", .string(String(address.prefix(512)))), ("code", .string(code)),
      ("reason", .string(String(reason.prefix(1500)))),
    ])
    send("{\"error\":\(error.line)}")
  }

  /// Says why nothing is done of a message.
  func refuse(_ fault: ViewFault, about address: String = "") {
    refuse(about: address, code: fault.code, reason: fault.reason)
  }

  /// Asks whether it is still there.
  func ping() {
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), promise: nil)
  }

  /// Says good-bye and closes.
  func close(_ code: WebSocketErrorCode) {
    var bytes = ByteBuffer()
    bytes.write(webSocketErrorCode: code)
    let channel = channel
    guard channel.isWritable else { return channel.close(promise: nil) }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: bytes))
      .whenComplete { _ in channel.close(promise: nil) }
  }
}
