import CDbus
import DBus
import Glibc

/// A player on the desktop's message bus, where media keys, panels and programs such as playerctl find it: the
/// interfaces of MPRIS 2.2. [control] opens it, [any] closes it.
///
/// It works on a thread of its own and makes nobody wait. Without a bus there is none, and when the bus goes away it
/// comes to an end by itself; a player plays on without it.
public final class MediaPlayerService: Sendable {
  private let thread: MediaPlayerThread

  /// Begins to answer as `org.mpris.MediaPlayer2.NAME`, or with `.instance` and the process's number behind it where
  /// another player has that name. nil where the desktop has no bus, and for a name that is none.
  ///
  /// - Parameters:
  ///   - name: the word for the bus: ASCII letters, digits, `_` and `-`, no digit at the beginning.
  ///   - identity: what people call the program.
  ///   - rates: the slowest and the fastest that it plays.
  ///   - volumes: the quietest and the loudest.
  ///   - bus: the address of a bus; nil: that of the session.
  ///   - state: how the player stands; asked on the service's thread, ten times a second and for each question.
  ///   - perform: takes what desktops ask for, on the service's thread.
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

  /// The name on the bus; nil before the bus has given it, and after the end.
  public var busName: String? { thread.busName }

  /// Whether the bus has gone, or never answered.
  public var isOver: Bool { thread.isOver }

  /// Leaves the bus. When it returns neither `state` nor `perform` is called any more, unless one of them hangs for
  /// longer than a second.
  public func close() {
    thread.end()
    for _ in 0..<1000 where !thread.isOver { usleep(1000) }
  }
}

/// Where the desktop's message bus is. [control]
enum SessionBus {
  /// Its address, from the environment or at its usual place; nil where there is none. A bus is never started: of the
  /// ways that an address may name, only sockets of this machine are taken.
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
