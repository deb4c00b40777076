import CDbus

/// Messages to be sent; nil when there is no memory, and for names that the bus does not allow. [desktop]
enum BusMessage {
  /// Something that has happened to an object.
  static func signal(_ object: String, _ interface: String, _ name: String, _ values: [BusValue])
    -> OpaquePointer?
  {
    filled(dbus_message_new_signal(object, interface, name), values)
  }

  /// A call of the bus itself.
  static func ask(_ method: String, _ values: [BusValue] = []) -> OpaquePointer? {
    filled(
      dbus_message_new_method_call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method),
      values)
  }

  /// Asks the bus for a name, and not to be put on its waiting list.
  static func askForName(_ name: String) -> OpaquePointer? {
    guard dbus_validate_bus_name(name, nil) != 0, let message = ask("RequestName", [.text(name)]) else {
      return nil
    }
    var flags = UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE)
    var place = DBusMessageIter()
    dbus_message_iter_init_append(message, &place)
    guard dbus_message_iter_append_basic(&place, Int32(UInt8(ascii: "u")), &flags) != 0 else {
      dbus_message_unref(message)
      return nil
    }
    return message
  }

  /// The answer to a call.
  static func answer(_ call: OpaquePointer, _ answer: MediaObject.Answer) -> OpaquePointer? {
    switch answer {
    case .done: dbus_message_new_method_return(call)
    case .value(let value, let isAny):
      filled(dbus_message_new_method_return(call), [value], isAny: isAny)
    case .fault(let fault): dbus_message_new_error(call, fault.code, fault.sentence)
    }
  }

  private static func filled(_ message: OpaquePointer?, _ values: [BusValue], isAny: Bool = false)
    -> OpaquePointer?
  {
    guard let message else { return nil }
    var place = DBusMessageIter()
    dbus_message_iter_init_append(message, &place)
    guard values.allSatisfy({ isAny ? $0.appendAny(to: &place) : $0.append(to: &place) }) else {
      dbus_message_unref(message)
      return nil
    }
    return message
  }
}
