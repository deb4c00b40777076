import CDbus
import DBus

/// Calls of Avahi's daemon; nil where memory is short. No call starts the daemon. [announcement]
enum AvahiMessage {
  static let daemon = "org.freedesktop.Avahi"
  static let server = "org.freedesktop.Avahi.Server"
  static let group = "org.freedesktop.Avahi.EntryGroup"

  /// Requests an entry group, whose services are announced and withdrawn together.
  static func newGroup() -> OpaquePointer? { call("/", server, "EntryGroupNew") }

  /// Requests this machine's name in its network.
  static func hostName() -> OpaquePointer? { call("/", server, "GetHostNameFqdn") }

  /// Withdraws the services of the group, so that it can be filled again.
  static func reset(_ path: String) -> OpaquePointer? { call(path, group, "Reset") }

  /// Announces the services of the group.
  static func commit(_ path: String) -> OpaquePointer? { call(path, group, "Commit") }

  /// Adds a service to the group. `interface` is its index, or −1 for all.
  static func add(_ service: AnnouncedService, as name: String, interface: Int32, to path: String)
    -> OpaquePointer?
  {
    guard let message = call(path, group, "AddService") else { return nil }
    var place = DBusMessageIter()
    dbus_message_iter_init_append(message, &place)
    var (interface, flags, port) = (interface, UInt32(0), service.port)
    var family: Int32 =
      switch service.family {
      case .ipv4: 0  // AVAHI_PROTO_INET
      case .ipv6: 1  // AVAHI_PROTO_INET6
      case .both: -1  // AVAHI_PROTO_UNSPEC
      }
    let isMade =
      append(&interface, "i", to: &place) && append(&family, "i", to: &place)
      && append(&flags, "u", to: &place)
      // Empty: the daemon's own domain and host.
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

  /// Appends an array of arrays of bytes.
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
