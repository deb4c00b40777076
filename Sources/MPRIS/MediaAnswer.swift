import CDbus
import DBus

extension BusMessage {
  /// Makes the D-Bus reply to a method call, a return or an error; the caller unreferences it. Nil without memory.
  static func answer(_ call: OpaquePointer, _ answer: MediaObject.Answer) -> OpaquePointer? {
    switch answer {
    case .done: dbus_message_new_method_return(call)
    case .value(let value, let isAny):
      filled(dbus_message_new_method_return(call), [value], isAny: isAny)
    case .fault(let fault): dbus_message_new_error(call, fault.code, fault.message)
    }
  }
}
