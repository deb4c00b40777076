import DBus
import Glibc
import Synchronization
import System

/// Services of this machine under one name, which the daemon Avahi announces as long as this object lives (multicast
/// DNS, RFC 6762, and DNS-SD, RFC 6763). [control] opens it, [any] closes it.
///
/// It works on a thread of its own, for which no caller waits. Without a bus or a daemon it tries again, and
/// announces the services when both are there, also to a daemon that has restarted. It starts neither.
public final class ServiceAnnouncement: Sendable {
  private let thread: AnnouncementThread

  /// Starts to announce. Where another machine of the network has the name, a number is appended. Nil where there are
  /// no services, or where the machine has no bus with a local socket.
  ///
  /// - Parameters:
  ///   - name: the name for users, cut to the length of a DNS label.
  ///   - bus: the address of a bus; nil: the system bus.
  ///   - nameChanged: called with the name under which the services are known, when it has changed; on the thread.
  ///   - hostNameChanged: called with this machine's name in its network, such as `stage-2.local`, when it may have
  ///     changed;
  ///     on the thread.
  public init?(
    name: String, services: [AnnouncedService], bus: String? = nil,
    nameChanged: @escaping @Sendable (String) -> Void = { _ in },
    hostNameChanged: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    guard !services.isEmpty, let address = bus ?? SystemBus.address(),
      let thread = AnnouncementThread(
        address: address, name: name, services: services, hostNameChanged: hostNameChanged,
        nameChanged: nameChanged),
      (try? Thread("announcement", { thread.run() })) != nil
    else { return nil }
    self.thread = thread
  }

  deinit { thread.end() }

  /// The name under which the services are known; nil while they are not.
  public var name: String? { thread.name }

  /// Whether the thread has ended.
  var isOver: Bool { thread.isOver }

  /// Leaves the bus, so that the daemon withdraws the services. Waits for nothing.
  public func close() { thread.end() }
}

/// Finds the machine's message bus. [control]
enum SystemBus {
  /// The address of the system bus, from the environment or at its usual place. Only sockets of this machine are
  /// taken.
  static func address(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> String?
  {
    guard let given = variable("DBUS_SYSTEM_BUS_ADDRESS"), !given.isEmpty else {
      return "unix:path=/run/dbus/system_bus_socket"
    }
    return BusConnection.sockets(of: given)
  }
}
