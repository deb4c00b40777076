import CDbus
import DBus

extension BusMessage {
  /// The reply to a call.
  static func answer(_ call: OpaquePointer, _ answer: MediaObject.Answer) -> OpaquePointer? {
    switch answer {
    case .done: dbus_message_new_method_return(call)
    case .value(let value, let isAny):
      filled(dbus_message_new_method_return(call), [value], isAny: isAny)
    case .fault(let fault): dbus_message_new_error(call, fault.code, fault.message)
    }
  }
}
