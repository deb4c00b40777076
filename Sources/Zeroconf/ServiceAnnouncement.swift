import DBus
import Glibc
import Synchronization
import System

/// Services of this machine under one name, announced by the daemon Avahi as long as this lives (multicast DNS, RFC 6762
/// and 6763). [control] opens it, [any] closes it.
///
/// It works on a thread of its own and makes nobody wait. Where there is no bus or no daemon it looks again, and announces
/// when they come; a daemon that is started anew is sent all anew. Nothing is started for it.
public final class ServiceAnnouncement: Sendable {
  private let thread: AnnouncementThread

  /// Begins to announce; where another machine of the network has the name, with a number behind it. nil where there is nothing
  /// to announce, and where the machine has no bus by whose socket Avahi could be asked.
  ///
  /// - Parameters:
  ///   - name: what people see, cut to what a name may have.
  ///   - bus: the address of a bus; nil: that of the system.
  ///   - told: called with the name under which the services are known, each time that it is another; on the thread.
  ///   - hostTold: called with this machine's name in its network, such as `stage-2.local`, whenever it may be another;
  ///     on the thread.
  public init?(
    name: String, services: [AnnouncedService], bus: String? = nil,
    told: @escaping @Sendable (String) -> Void = { _ in },
    hostTold: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    guard !services.isEmpty, let address = bus ?? SystemBus.address(),
      let thread = AnnouncementThread(
        address: address, name: name, services: services, hostTold: hostTold, told: told),
      (try? Thread("announcement", { thread.run() })) != nil
    else { return nil }
    self.thread = thread
  }

  deinit { thread.end() }

  /// The name under which the services are known; nil while they are not.
  public var name: String? { thread.name }

  /// Whether nothing is asked of the bus any more.
  var isOver: Bool { thread.isOver }

  /// Ends it: the bus notifies the daemon, which takes the services back. Waits for nothing.
  public func close() { thread.end() }
}

/// Where the message bus of the machine is. [control]
enum SystemBus {
  /// Its address, from the environment or the usual place; only a socket of this machine is taken.
  static func address(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> String?
  {
    guard let given = variable("DBUS_SYSTEM_BUS_ADDRESS"), !given.isEmpty else {
      return "unix:path=/run/dbus/system_bus_socket"
    }
    return BusConnection.sockets(of: given)
  }
}
