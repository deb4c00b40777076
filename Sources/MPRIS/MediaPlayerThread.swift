import CDbus
import DBus
import Glibc
import Synchronization
import System

/// What the thread of a `MediaPlayerService` does, from the first word to the bus to the last. [desktop]
///
/// [control] makes and starts it; `end`, `busName` and `isOver` are for [any].
final class MediaPlayerThread: Sendable {
  /// How often a player is looked at, in seconds: so often at most desktops are sent changes.
  static let pace = 0.1
  /// How long the bus may take to answer at the beginning, in seconds.
  static let patience = 10.0

  private let address: String
  private let object: MediaObject
  private let state: @Sendable () -> MediaState
  private let perform: @Sendable (MediaRequest) -> Void
  /// Can be read once the thread should end.
  private let bell: WakePipe
  private let isEnding = Atomic<Bool>(false)
  private let given = Locked<String?>(nil)
  private let over = Atomic<Bool>(false)

  /// nil where the machine has no descriptor left.
  init?(
    address: String, object: MediaObject, state: @escaping @Sendable () -> MediaState,
    perform: @escaping @Sendable (MediaRequest) -> Void
  ) {
    self.address = address
    self.object = object
    self.state = state
    self.perform = perform
    guard let bell = WakePipe() else { return nil }
    self.bell = bell
  }

  /// The name on the bus; nil before there is one, and after the end.
  var busName: String? { given.withLock { $0 } }

  /// Whether the thread has done its last.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Asks the thread to end.
  func end() {
    isEnding.store(true, ordering: .releasing)
    bell.ring()
  }

  /// Starts the thread. False when the machine has none.
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
      guard bus.processEvents(bell: bell.descriptor, seconds: nextPoll - MonotonicClock.seconds) else {
        return
      }
      guard MonotonicClock.seconds >= nextPoll, mayGoOn else { continue }
      mailbox.poll(at: MonotonicClock.seconds)
      nextPoll = MonotonicClock.seconds + Self.pace
    }
    // What was answered last should still arrive; it was perhaps the request to quit.
    let end = MonotonicClock.seconds + 0.2
    while bus.hasMailToSend, MonotonicClock.seconds < end {
      if !bus.processEvents(bell: -1, seconds: 0.02) { return }
    }
  }

  /// Says hello and asks for a name on the bus.
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
    let end = MonotonicClock.seconds + Self.patience
    while mayGoOn, MonotonicClock.seconds < end {
      guard bus.processEvents(bell: bell.descriptor, seconds: end - MonotonicClock.seconds) else {
        return nil
      }
      if let reply = mailbox.takeReply() { return reply }
    }
    return nil
  }
}

/// What comes from the bus to a player and goes back; on the thread of the service only. [desktop]
final class BusMailbox {
  private let object: MediaObject
  private let state: () -> MediaState
  private let perform: (MediaRequest) -> Void
  /// Where answers go.
  unowned var bus: BusConnection!
  /// Looks for changes, once the player has a name.
  var watch: PropertyChanges?
  /// The number of the call that an answer is awaited to.
  var awaited: UInt32?
  private var reply: Reply?
  private var mayHaveJumped = false

  /// What the bus answered: a text, or a number.
  struct Reply {
    var value: BusValue?
    var number: UInt32?
  }

  init(object: MediaObject, state: @escaping () -> MediaState, perform: @escaping (MediaRequest) -> Void) {
    self.object = object
    self.state = state
    self.perform = perform
  }

  /// Takes the answer that was awaited, if it has come.
  func takeReply() -> Reply? {
    defer { reply = nil }
    return reply
  }

  /// Takes a message.
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
    // First carried out, then answered: who has the answer may rely on it.
    if let request {
      perform(request)
      switch request {
      case .seek, .skip: mayHaveJumped = true
      default: break
      }
    }
    if dbus_message_get_no_reply(message) == 0 { bus.send(BusMessage.answer(message, answer)) }
  }

  /// Sends desktops what has changed since the last time.
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
