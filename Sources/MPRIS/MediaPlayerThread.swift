import CDbus
import DBus
import Glibc
import Synchronization
import System

/// The thread of a `MediaPlayerService`, `media keys`, from connecting to the bus until leaving it. [desktop]
///
/// [control] makes and starts it; `end`, `busName` and `isOver` are for [any].
final class MediaPlayerThread: Sendable {
  /// The interval in seconds at which the state is read, and the least one between two messages about changes.
  static let pace = 0.1
  /// The timeout for the bus's first replies, in seconds.
  static let replyTimeout = 10.0

  private let address: String
  private let object: MediaObject
  private let state: @Sendable () -> MediaState
  private let perform: @Sendable (MediaRequest) -> Void
  /// Readable once the thread is to end.
  private let wakePipe: WakePipe
  private let isEnding = Atomic<Bool>(false)
  private let given = Locked<String?>(nil)
  private let over = Atomic<Bool>(false)

  /// Nil where the process has no file descriptor left.
  init?(
    address: String, object: MediaObject, state: @escaping @Sendable () -> MediaState,
    perform: @escaping @Sendable (MediaRequest) -> Void
  ) {
    self.address = address
    self.object = object
    self.state = state
    self.perform = perform
    guard let wakePipe = WakePipe() else { return nil }
    self.wakePipe = wakePipe
  }

  /// The name on the bus; nil before there is one, and after the end.
  var busName: String? { given.withLock { $0 } }

  /// Whether the thread has ended.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Asks the thread to end.
  func end() {
    isEnding.store(true, ordering: .releasing)
    wakePipe.wake()
  }

  /// Starts the thread. Returns false where the system gives none.
  func start() -> Bool {
    (try? Thread("media keys") { [self] in run() }) != nil
  }

  // MARK: - On the thread

  private func run() {
    runLoop()
    given.withLock { $0 = nil }
    over.store(true, ordering: .releasing)
  }

  private var mayGoOn: Bool { !isEnding.load(ordering: .acquiring) }

  private func runLoop() {
    let mailbox = BusMailbox(object: object, state: state, perform: perform)
    guard let bus = BusConnection(address: address, received: { mailbox.receive($0) }) else { return }
    mailbox.bus = bus
    guard let name = introduce(bus, mailbox) else { return }
    given.withLock { $0 = name }
    mailbox.watch = PropertyChanges(object.properties, state(), at: MonotonicClock.seconds)
    var nextPoll = MonotonicClock.seconds + Self.pace
    while mayGoOn {
      guard bus.processEvents(wakeDescriptor: wakePipe.descriptor, seconds: nextPoll - MonotonicClock.seconds)
      else {
        return
      }
      guard MonotonicClock.seconds >= nextPoll, mayGoOn else { continue }
      mailbox.poll(at: MonotonicClock.seconds)
      nextPoll = MonotonicClock.seconds + Self.pace
    }
    // The last reply should still be sent: it may be to the request to quit.
    let end = MonotonicClock.seconds + 0.2
    while bus.hasMailToSend, MonotonicClock.seconds < end {
      if !bus.processEvents(wakeDescriptor: -1, seconds: 0.02) { return }
    }
  }

  /// Registers the connection and requests a name on the bus. Returns the name.
  private func introduce(_ bus: BusConnection, _ mailbox: BusMailbox) -> String? {
    guard let hello = reply(to: BusMessage.ask("Hello"), bus, mailbox), case .text(let unique)? = hello.value
    else {
      return nil
    }
    bus.setUniqueName(unique)
    for name in BusNames.wanted(by: object.properties.name) {
      guard let answer = reply(to: BusMessage.askForName(name), bus, mailbox) else { return nil }
      if answer.number == UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) { return name }
    }
    return nil
  }

  private func reply(to message: OpaquePointer?, _ bus: BusConnection, _ mailbox: BusMailbox) -> BusMailbox
    .Reply?
  {
    guard let message, let number = bus.send(message) else { return nil }
    mailbox.awaited = number
    let end = MonotonicClock.seconds + Self.replyTimeout
    while mayGoOn, MonotonicClock.seconds < end {
      guard bus.processEvents(wakeDescriptor: wakePipe.descriptor, seconds: end - MonotonicClock.seconds)
      else {
        return nil
      }
      if let reply = mailbox.takeReply() { return reply }
    }
    return nil
  }
}

/// Messages between the bus and a player. On the service's thread only. [desktop]
final class BusMailbox {
  private let object: MediaObject
  private let state: () -> MediaState
  private let perform: (MediaRequest) -> Void
  /// The connection that replies are sent on.
  unowned var bus: BusConnection!
  /// Finds changes; nil until the player has a name.
  var watch: PropertyChanges?
  /// The serial number of the call whose reply is awaited.
  var awaited: UInt32?
  private var reply: Reply?
  private var mayHaveJumped = false

  /// A reply of the bus: a text, or a number.
  struct Reply {
    var value: BusValue?
    var number: UInt32?
  }

  init(object: MediaObject, state: @escaping () -> MediaState, perform: @escaping (MediaRequest) -> Void) {
    self.object = object
    self.state = state
    self.perform = perform
  }

  /// Removes and returns the reply that was awaited; nil: it has not come.
  func takeReply() -> Reply? {
    defer { reply = nil }
    return reply
  }

  /// Handles a message.
  func receive(_ message: OpaquePointer) {
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: answer(message)
    case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
      guard let awaited, dbus_message_get_reply_serial(message) == awaited else { return }
      self.awaited = nil
      reply = Reply(value: BusCall(message).arguments.first ?? nil, number: Self.number(in: message))
    default: break
    }
  }

  private func answer(_ message: OpaquePointer) {
    let (answer, request) = object.answer(BusCall(message), state)
    // The request is carried out before the reply is sent: the caller may rely on it then.
    if let request {
      perform(request)
      switch request {
      case .seek, .skip: mayHaveJumped = true
      default: break
      }
    }
    if dbus_message_get_no_reply(message) == 0 { bus.send(BusMessage.answer(message, answer)) }
  }

  /// Sends desktops the changes since the last poll.
  func poll(at time: Double) {
    guard watch != nil else { return }
    if mayHaveJumped { watch?.expectJump(at: time) }
    mayHaveJumped = false
    let state = state()
    guard let changes = watch?.poll(state, at: time) else { return }
    if !changes.changed.isEmpty {
      bus.send(
        BusMessage.signal(
          BusNames.object, BusNames.properties, "PropertiesChanged",
          [.text(BusNames.player), .entries(changes.changed), .texts([])]))
    }
    if changes.hasJumped {
      let place = MediaProperties.microseconds(state.position)
      bus.send(BusMessage.signal(BusNames.object, BusNames.player, "Seeked", [.integer(place)]))
    }
  }

  private static func number(in message: OpaquePointer) -> UInt32? {
    var place = DBusMessageIter()
    guard dbus_message_iter_init(message, &place) != 0,
      dbus_message_iter_get_arg_type(&place) == Int32(UInt8(ascii: "u"))
    else { return nil }
    var number: UInt32 = 0
    dbus_message_iter_get_basic(&place, &number)
    return number
  }
}
