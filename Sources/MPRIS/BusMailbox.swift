import CDbus

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

  /// Tells desktops what has changed since the last time.
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
