import CDbus
import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// A stand-in for Avahi's daemon on a private bus. It is as strict as Avahi: it accepts the calls of an entry group in
/// the right order, with arguments of the right types, and removes the services of a client that leaves the bus.
final class AvahiStandIn: @unchecked Sendable {
  /// A service in an entry group.
  struct Service: Equatable {
    var name: String
    var type: String
    var port: UInt16
    var text: [String]
    var interface: Int32
    var family: Int32
  }

  /// The daemon's behavior.
  struct Behavior: Sendable {
    /// Names of other services on this machine, refused at once.
    var taken: Set<String> = []
    /// Names of other machines in the network, reported after a delay.
    var takenElsewhere: Set<String> = []
    /// Whether the daemon answers no call.
    var isMute = false
    /// The host name of this machine in its network.
    var host = "stage.local"
  }

  private struct Group {
    var owner: String
    var services: [Service] = []
    var isCommitted = false
  }

  private let handle: OpaquePointer
  private let behavior: Behavior
  private let isEnding = Atomic<Bool>(false)
  private let groups = Locked<[String: Group]>([:])
  private let faults = Locked<[String]>([])
  private let calls = Locked(0)
  private var thread: TestThread?
  private var count = 0

  init(_ bus: MessageBus, _ behavior: Behavior = Behavior()) throws {
    guard let handle = dbus_connection_open_private(bus.address, nil), dbus_bus_register(handle, nil) != 0
    else { throw Child.Failure(description: "no connection") }
    dbus_connection_set_exit_on_disconnect(handle, 0)
    (self.handle, self.behavior) = (handle, behavior)
    dbus_bus_add_match(handle, "type='signal',member='NameOwnerChanged'", nil)
    guard
      dbus_bus_request_name(handle, "org.freedesktop.Avahi", 0, nil) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
    else { throw Child.Failure(description: "no name") }
    thread = TestThread { [self] in
      while !isEnding.load(ordering: .acquiring), dbus_connection_read_write(self.handle, 10) != 0 {
        while let message = dbus_connection_pop_message(self.handle) {
          take(message)
          dbus_message_unref(message)
        }
      }
    }
  }

  /// Leaves the bus, as a daemon does when it ends. The test has to call it, because the thread holds the object until
  /// then.
  func end() {
    guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = poll { thread?.isDone ?? true }
    dbus_connection_close(handle)
    dbus_connection_unref(handle)
  }

  /// The services announced now.
  var announced: [Service] {
    groups.withLock { $0.values.filter(\.isCommitted).flatMap(\.services) }
  }

  /// The number of calls, answered or not.
  var callCount: Int { calls.withLock { $0 } }

  /// Sends a signal that the host name is being registered (1), is registered (2) or collides (3).
  func hostChanges(to state: Int32) { sendState("/", state: state, of: "org.freedesktop.Avahi.Server") }

  /// Sends the maker of a group, from another client of the bus, a forged signal that its name collides.
  func pretend(_ bus: MessageBus) throws {
    let stranger = try #require(dbus_connection_open_private(bus.address, nil))
    defer {
      dbus_connection_close(stranger)
      dbus_connection_unref(stranger)
    }
    #expect(dbus_bus_register(stranger, nil) != 0)
    dbus_connection_set_exit_on_disconnect(stranger, 0)
    for (path, group) in groups.withLock({ $0 }) {
      let signal = try #require(Self.signal(path, state: 3, of: "org.freedesktop.Avahi.EntryGroup"))
      dbus_message_set_destination(signal, group.owner)
      dbus_connection_send(stranger, signal, nil)
      dbus_message_unref(signal)
    }
    dbus_connection_flush(stranger)
  }

  /// Calls that Avahi would refuse.
  var complaints: [String] { faults.withLock { $0 } }

  // MARK: - On the daemon's thread

  private func take(_ message: OpaquePointer) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    let (sender, member) = (text(dbus_message_get_sender(message)), text(dbus_message_get_member(message)))
    if member == "NameOwnerChanged" {
      let words = Self.values(message).compactMap { $0 as? String }
      if words.count == 3, words[2].isEmpty { groups.withLock { $0 = $0.filter { $1.owner != words[0] } } }
      return
    }
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL else { return }
    calls.withLock { $0 += 1 }
    guard !behavior.isMute else { return }
    let path = text(dbus_message_get_path(message))
    let interface = text(dbus_message_get_interface(message))
    let call = "\(interface).\(member)(\(text(dbus_message_get_signature(message))))"
    switch call {
    case "org.freedesktop.Avahi.Server.EntryGroupNew()" where path == "/":
      count += 1
      let group = "/Client1/EntryGroup\(count)"
      groups.withLock { $0[group] = Group(owner: sender) }
      answer(message, .object(group))
    case "org.freedesktop.Avahi.Server.GetHostNameFqdn()" where path == "/":
      answer(message, .text(behavior.host))
    case "org.freedesktop.Avahi.EntryGroup.AddService(iiussssqaay)": add(message, to: path)
    case "org.freedesktop.Avahi.EntryGroup.Commit()": commit(message, path)
    case "org.freedesktop.Avahi.EntryGroup.Reset()":
      groups.withLock { groups in
        groups[path]?.services = []
        groups[path]?.isCommitted = false
      }
      answer(message)
    default: refuse(message, "InvalidArguments", call)
    }
  }

  private func add(_ message: OpaquePointer, to path: String) {
    let values = Self.values(message)
    guard let interface = values[0] as? Int32, let family = values[1] as? Int32,
      let name = values[3] as? String, let type = values[4] as? String,
      let port = values[7] as? UInt16, let text = values[8] as? [String]
    else { return refuse(message, "InvalidArguments", "\(values)") }
    guard groups.withLock({ $0[path]?.isCommitted == false }) else {
      return refuse(message, "BadState", path)
    }
    if behavior.taken.contains(name) { return refuse(message, "CollisionError", nil) }
    if name.isEmpty || name.utf8.count > 63 { return refuse(message, "InvalidServiceName", name) }
    groups.withLock {
      $0[path]?.services.append(
        Service(name: name, type: type, port: port, text: text, interface: interface, family: family))
    }
    answer(message)
  }

  private func commit(_ message: OpaquePointer, _ path: String) {
    let services = groups.withLock { $0[path]?.services ?? [] }
    guard !services.isEmpty else {
      return refuse(message, "IsEmptyError", behavior.taken.isEmpty ? path : nil)
    }
    answer(message)
    sendState(path, state: 1)
    if services.contains(where: { behavior.takenElsewhere.contains($0.name) }) {
      sendState(path, state: 3)
    } else {
      groups.withLock { $0[path]?.isCommitted = true }
      sendState(path, state: 2)
    }
  }

  /// The value of a reply.
  private enum Value {
    case object(String), text(String)
  }

  private func answer(_ call: OpaquePointer, _ value: Value? = nil) {
    guard let message = dbus_message_new_method_return(call) else { return }
    let (type, text): (Unicode.Scalar, String?) =
      switch value {
      case .object(let path): ("o", path)
      case .text(let text): ("s", text)
      case nil: ("s", nil)
      }
    if let text {
      var place = DBusMessageIter()
      dbus_message_iter_init_append(message, &place)
      text.withCString { start in
        var start: UnsafePointer<CChar>? = start
        _ = dbus_message_iter_append_basic(&place, Int32(type.value), &start)
      }
    }
    send(message)
  }

  private func refuse(_ call: OpaquePointer, _ code: String, _ fault: String?) {
    if let fault { faults.withLock { $0.append("\(code): \(fault)") } }
    if let message = dbus_message_new_error(call, "org.freedesktop.Avahi.\(code)", code) { send(message) }
  }

  private func sendState(
    _ path: String, state: Int32, of interface: String = "org.freedesktop.Avahi.EntryGroup"
  ) {
    if let message = Self.signal(path, state: state, of: interface) { send(message) }
  }

  private static func signal(_ path: String, state: Int32, of interface: String) -> OpaquePointer? {
    guard let message = dbus_message_new_signal(path, interface, "StateChanged") else { return nil }
    var (state, place) = (state, DBusMessageIter())
    dbus_message_iter_init_append(message, &place)
    _ = dbus_message_iter_append_basic(&place, Int32(UInt8(ascii: "i")), &state)
    "".withCString { start in
      var start: UnsafePointer<CChar>? = start
      _ = dbus_message_iter_append_basic(&place, Int32(UInt8(ascii: "s")), &start)
    }
    return message
  }

  private func send(_ message: OpaquePointer) {
    dbus_connection_send(handle, message, nil)
    dbus_connection_flush(handle)
    dbus_message_unref(message)
  }

  /// The arguments of a message, of the types that occur in calls of an entry group.
  private static func values(_ message: OpaquePointer) -> [Any] {
    var (values, place) = ([Any](), DBusMessageIter())
    guard dbus_message_iter_init(message, &place) != 0 else { return [] }
    repeat { values.append(value(&place)) } while dbus_message_iter_next(&place) != 0
    return values
  }

  private static func value(_ place: UnsafeMutablePointer<DBusMessageIter>) -> Any {
    func basic<Value: BitwiseCopyable>(_ initial: Value) -> Value {
      var value = initial
      dbus_message_iter_get_basic(place, &value)
      return value
    }
    switch UInt8(dbus_message_iter_get_arg_type(place)) {
    case UInt8(ascii: "i"): return basic(Int32(0))
    case UInt8(ascii: "u"): return basic(UInt32(0))
    case UInt8(ascii: "q"): return basic(UInt16(0))
    case UInt8(ascii: "y"): return basic(UInt8(0))
    case UInt8(ascii: "s"): return basic(UnsafePointer<CChar>?.none).map { String(cString: $0) } ?? ""
    case UInt8(ascii: "a"):
      var (values, inner) = ([Any](), DBusMessageIter())
      dbus_message_iter_recurse(place, &inner)
      while dbus_message_iter_get_arg_type(&inner) != 0 {
        values.append(value(&inner))
        _ = dbus_message_iter_next(&inner)
      }
      if let bytes = values as? [UInt8], !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      return values.compactMap { $0 as? String }
    default: return ()
    }
  }
}
