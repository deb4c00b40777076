import CDbus
import DBus
import Glibc

/// A player on the desktop's message bus by MPRIS 2.2, where media keys, panels and programs such as playerctl find
/// it. [control] opens it, [any] closes it.
///
/// It works on a thread of its own, for which no caller waits. Without a bus there is no service, and it ends when
/// the bus goes away; the player plays on.
public final class MediaPlayerService: Sendable {
  private let thread: MediaPlayerThread

  /// Starts to answer as `org.mpris.MediaPlayer2.NAME`, or as `org.mpris.MediaPlayer2.NAME.instancePID` where another
  /// player has that name. Nil where the desktop has no bus, and for an invalid name.
  ///
  /// - Parameters:
  ///   - name: the name on the bus: ASCII letters, digits, `_` and `-`, without a digit at the start.
  ///   - identity: the name of the program for users.
  ///   - rates: the range of playback rates.
  ///   - volumes: the range of volumes.
  ///   - bus: the address of a bus; nil: the session bus.
  ///   - state: returns the state of the player. Called on the service's thread, ten times a second and for each
  ///     query.
  ///   - perform: carries out requests of desktops. Called on the service's thread.
  public init?(
    name: String, identity: String, rates: ClosedRange<Double>, volumes: ClosedRange<Double>,
    bus: String? = nil, state: @escaping @Sendable () -> MediaState,
    perform: @escaping @Sendable (MediaRequest) -> Void
  ) {
    guard let address = bus ?? SessionBus.address(),
      dbus_validate_bus_name(BusNames.root + "." + name, nil) != 0, !name.contains("."),
      !name.utf8.contains(0),
      let thread = MediaPlayerThread(
        address: address,
        object: MediaObject(
          properties: MediaProperties(name: name, identity: identity, rates: rates, volumes: volumes)),
        state: state, perform: perform),
      thread.start()
    else { return nil }
    self.thread = thread
  }

  deinit { thread.end() }

  /// The name on the bus; nil before the bus has granted it, and after the end.
  public var busName: String? { thread.busName }

  /// Whether the service has ended: the bus has gone, or has never answered.
  public var isOver: Bool { thread.isOver }

  /// Leaves the bus. When it returns, neither `state` nor `perform` is called any more, unless one of them hangs for
  /// more than 1 s.
  public func close() {
    thread.end()
    for _ in 0..<1000 where !thread.isOver { usleep(1000) }
  }
}

/// Finds the desktop's message bus. [control]
enum SessionBus {
  /// The address of the session bus, from the environment or at its usual place; nil: none. Only sockets of this
  /// machine are taken, so that no bus is started.
  static func address(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> String?
  {
    if let given = variable("DBUS_SESSION_BUS_ADDRESS"), !given.isEmpty {
      return BusConnection.sockets(of: given)
    }
    guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    var state = stat()
    guard stat(folder + "/bus", &state) == 0, state.st_mode & S_IFMT == S_IFSOCK else { return nil }
    guard let escaped = dbus_address_escape_value(folder + "/bus") else { return nil }
    defer { dbus_free(escaped) }
    return "unix:path=" + String(cString: escaped)
  }
}
