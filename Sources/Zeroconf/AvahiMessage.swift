import CDbus
import DBus

/// Calls of Avahi's daemon; nil when there is no memory. None of them starts it. [announcement]
enum AvahiMessage {
  static let daemon = "org.freedesktop.Avahi"
  static let server = "org.freedesktop.Avahi.Server"
  static let group = "org.freedesktop.Avahi.EntryGroup"

  /// Asks for a group of services, which come and go together.
  static func newGroup() -> OpaquePointer? { call("/", server, "EntryGroupNew") }

  /// Asks what this machine is called in its network.
  static func hostName() -> OpaquePointer? { call("/", server, "GetHostNameFqdn") }

  /// Takes what is in the group back, so that it can be filled anew.
  static func reset(_ path: String) -> OpaquePointer? { call(path, group, "Reset") }

  /// Announces what is in the group.
  static func commit(_ path: String) -> OpaquePointer? { call(path, group, "Commit") }

  /// Puts a service into the group. `interface` is its index, or −1 for all.
  static func add(_ service: AnnouncedService, as name: String, interface: Int32, to path: String)
    -> OpaquePointer?
  {
    guard let message = call(path, group, "AddService") else { return nil }
    var place = DBusMessageIter()
    dbus_message_iter_init_append(message, &place)
    var (interface, flags, port) = (interface, UInt32(0), service.port)
    // AVAHI_PROTO_INET, AVAHI_PROTO_INET6, or AVAHI_PROTO_UNSPEC for both.
    var family: Int32 = service.isIPv4.map { $0 ? 0 : 1 } ?? -1
    let isMade =
      append(&interface, "i", to: &place) && append(&family, "i", to: &place)
      && append(&flags, "u", to: &place)
      // The domain and the host are those of the daemon.
      && [name, service.type, "", ""].allSatisfy { BusValue.append($0, BusType.text, to: &place) }
      && append(&port, "q", to: &place) && append(service.text, to: &place)
    if isMade { return message }
    dbus_message_unref(message)
    return nil
  }

  private static func call(_ path: String, _ interface: String, _ method: String) -> OpaquePointer? {
    guard dbus_validate_path(path, nil) != 0 else { return nil }
    let message = dbus_message_new_method_call(daemon, path, interface, method)
    if let message { dbus_message_set_auto_start(message, 0) }
    return message
  }

  private static func append<Value: BitwiseCopyable>(
    _ value: inout Value, _ type: Unicode.Scalar, to place: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    dbus_message_iter_append_basic(place, Int32(type.value), &value) != 0
  }

  /// An array of arrays of bytes.
  private static func append(_ texts: [String], to place: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    BusValue.inside(BusType.array, "ay", of: place) { outer in
      texts.allSatisfy { text in
        BusValue.inside(BusType.array, "y", of: outer) { inner in
          text.utf8.allSatisfy { byte in
            var byte = byte
            return append(&byte, "y", to: inner)
          }
        }
      }
    }
  }
}
