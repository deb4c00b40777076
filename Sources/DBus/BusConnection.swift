import CDbus
import Glibc

/// A connection to a message bus, for one thread. The thread never waits for the bus alone, but for any message, a
/// wake-up or a timeout. [one]
package final class BusConnection {
  private let handle: OpaquePointer
  private let socket: Int32
  /// Receives every message.
  private let received: (OpaquePointer) -> Void
  /// Whether messages remain that were read and not dispatched.
  private var hasMore = false

  /// The most bytes that may wait to be sent. Beyond that nothing is sent to a bus that does not read.
  private static let longestQueue = 1 << 20

  /// The part of an address that names sockets of this machine; nil where it names none.
  package static func sockets(of address: String) -> String? {
    let sockets = address.split(separator: ";").filter { $0.hasPrefix("unix:") }
    return sockets.isEmpty ? nil : sockets.joined(separator: ";")
  }

  /// Connects to the first of the addresses that answers; nil when none does.
  package init?(address: String, received: @escaping (OpaquePointer) -> Void) {
    // By default libdbus makes the process ignore SIGPIPE, which it does not need on Linux.
    dbus_connection_set_change_sigpipe(0)
    guard let handle = dbus_connection_open_private(address, nil) else { return nil }
    dbus_connection_set_exit_on_disconnect(handle, 0)
    var socket: Int32 = -1
    guard dbus_connection_get_unix_fd(handle, &socket) != 0 else {
      dbus_connection_close(handle)
      dbus_connection_unref(handle)
      return nil
    }
    self.handle = handle
    self.socket = socket
    self.received = received
    // The most bytes of received messages that are kept before more is read.
    dbus_connection_set_max_received_size(handle, 1 << 20)
    let filter: DBusHandleMessageFunction = { _, message, context in
      guard let message, let context else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
      Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().received(message)
      return DBUS_HANDLER_RESULT_HANDLED
    }
    dbus_connection_add_filter(handle, filter, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  deinit {
    dbus_connection_close(handle)
    // The last message reports that the connection is closed; it ends with the connection.
    dbus_connection_unref(handle)
  }

  /// Whether the connection is open.
  package var isOpen: Bool { dbus_connection_get_is_connected(handle) != 0 }

  /// Whether a message waits to be sent.
  package var hasMailToSend: Bool { dbus_connection_has_messages_to_send(handle) != 0 }

  /// Sets the name that the bus gave this connection.
  package func setUniqueName(_ name: String) { dbus_bus_set_unique_name(handle, name) }

  /// Sends the message that `make` returns. Returns its serial number; nil where memory is short, or too much waits
  /// already.
  @discardableResult
  package func send(_ make: @autoclosure () -> OpaquePointer?) -> UInt32? {
    guard dbus_connection_get_outgoing_size(handle) < Self.longestQueue, let message = make() else {
      return nil
    }
    defer { dbus_message_unref(message) }
    var number: UInt32 = 0
    return dbus_connection_send(handle, message, &number) != 0 ? number : nil
  }

  /// Waits until a message comes or can be sent, `wakeDescriptor` is readable, or `seconds` are over; then reads,
  /// sends, and passes on messages. Returns false when the connection is closed.
  package func processEvents(wakeDescriptor: Int32, seconds: Double) -> Bool {
    var wanted = Int16(POLLIN)
    if hasMailToSend { wanted |= Int16(POLLOUT) }
    var files = [
      pollfd(fd: socket, events: wanted, revents: 0),
      pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    let wait = hasMore ? 0 : max(0, min(seconds, 60))
    poll(&files, nfds_t(files.count), Int32((wait * 1000).rounded(.up)))
    guard dbus_connection_read_write(handle, 0) != 0 else { return false }
    // At most 64 messages at a time, so that one sender cannot hold up all else.
    for _ in 0..<64 {
      hasMore = dbus_connection_dispatch(handle) == DBUS_DISPATCH_DATA_REMAINS
      if !hasMore { break }
    }
    return isOpen
  }
}
