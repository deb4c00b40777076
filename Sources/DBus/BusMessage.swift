import CDbus
import Glibc

/// Makes messages to be sent; nil where memory is short, or the bus does not allow a name. [one]
package enum BusMessage {
  /// A signal of an object.
  package static func signal(_ object: String, _ interface: String, _ name: String, _ values: [BusValue])
    -> OpaquePointer?
  {
    filled(dbus_message_new_signal(object, interface, name), values)
  }

  /// A call of a method of the bus itself.
  package static func ask(_ method: String, _ values: [BusValue] = []) -> OpaquePointer? {
    filled(
      dbus_message_new_method_call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method),
      values)
  }

  /// A request for a name; it is refused, and not queued, where another client owns the name.
  package static func askForName(_ name: String) -> OpaquePointer? {
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

  /// A message with `values` appended; `isAny`: each as a variant.
  package static func filled(_ message: OpaquePointer?, _ values: [BusValue], isAny: Bool = false)
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

/// A call of a method by a peer on the bus. [one]
package struct BusCall: Equatable {
  /// The path of the object.
  package var path: String
  /// The interface of the method; nil where the caller leaves it out.
  package var interface: String?
  /// The name of the method.
  package var member: String
  /// The type signature of its arguments.
  package var signature = ""
  /// The first three arguments; nil for a type that no method here takes. Variants are unpacked.
  package var arguments: [BusValue?] = []

  /// The most bytes of a text that is read; a longer one is nil.
  static let longestText = 16_384

  /// Makes a call.
  package init(
    path: String, interface: String?, member: String, signature: String = "", arguments: [BusValue?] = []
  ) {
    (self.path, self.interface, self.member) = (path, interface, member)
    (self.signature, self.arguments) = (signature, arguments)
  }
}

extension BusCall {
  /// Reads a method call, or a reply.
  package init(_ message: OpaquePointer) {
    path = dbus_message_get_path(message).map { String(cString: $0) } ?? ""
    interface = dbus_message_get_interface(message).map { String(cString: $0) }
    member = dbus_message_get_member(message).map { String(cString: $0) } ?? ""
    signature = dbus_message_get_signature(message).map { String(cString: $0) } ?? ""
    var place = DBusMessageIter()
    guard dbus_message_iter_init(message, &place) != 0 else { return }
    repeat {
      arguments.append(Self.value(at: &place))
    } while arguments.count < 3
      && dbus_message_iter_next(&place) != 0
  }

  private static func value(at place: UnsafeMutablePointer<DBusMessageIter>) -> BusValue? {
    switch dbus_message_iter_get_arg_type(place) {
    case BusType.flag:
      var value: dbus_bool_t = 0
      dbus_message_iter_get_basic(place, &value)
      return .flag(value != 0)
    case BusType.integer:
      var value: Int64 = 0
      dbus_message_iter_get_basic(place, &value)
      return .integer(value)
    case BusType.number:
      var value = 0.0
      dbus_message_iter_get_basic(place, &value)
      return .number(value)
    case BusType.text: return text(at: place).map { .text($0) }
    case BusType.object: return text(at: place).map { .object($0) }
    case BusType.any:
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(place, &inner)
      // A variant in a variant is not a value of any property here.
      guard dbus_message_iter_get_arg_type(&inner) != BusType.any else { return nil }
      return value(at: &inner)
    default: return nil
    }
  }

  private static func text(at place: UnsafeMutablePointer<DBusMessageIter>) -> String? {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(place, &start)
    guard let start, strnlen(start, longestText + 1) <= longestText else { return nil }
    return String(cString: start)
  }
}
