import CDbus
import Glibc
import TestSupport

/// Another client on a bus, which sends any message that the bus accepts.
final class BusPeer {
  private let handle: OpaquePointer

  init(_ bus: MessageBus) throws {
    guard let handle = dbus_connection_open_private(bus.address, nil) else {
      throw Child.Failure(description: "no connection")
    }
    dbus_connection_set_exit_on_disconnect(handle, 0)
    guard dbus_bus_register(handle, nil) != 0 else { throw Child.Failure(description: "no hello") }
    self.handle = handle
  }

  deinit {
    dbus_connection_close(handle)
    dbus_connection_unref(handle)
  }

  /// A value to send, of any type of the bus.
  indirect enum Value: Sendable {
    case byte(UInt8), flag(UInt32), int32(Int32), int64(Int64), number(Double), text(String), object(String)
    case file(Int32)
    /// An array of this many bytes.
    case bytes(Int)
    case array(String, [Value])
    case pair([Value])
    case any(String, Value)
    /// A value nested in this many variants.
    case deep(Int, String, Value)
  }

  /// Calls a method of the player. Returns the name of the error, "" for a reply, or nil after 120 s without either.
  func call(
    _ member: String, _ values: [Value] = [], interface: String? = "org.mpris.MediaPlayer2.Player",
    path: String = "/org/mpris/MediaPlayer2"
  ) -> String? {
    guard let message = make(member, values, interface, path) else { return "not made" }
    defer { dbus_message_unref(message) }
    var failure = DBusError()
    dbus_error_init(&failure)
    defer { dbus_error_free(&failure) }
    guard let reply = dbus_connection_send_with_reply_and_block(handle, message, 120_000, &failure) else {
      guard let name = failure.name.map({ String(cString: $0) }),
        name != "org.freedesktop.DBus.Error.NoReply"
      else { return nil }
      return String(name.dropFirst("org.freedesktop.DBus.Error.".count))
    }
    dbus_message_unref(reply)
    return ""
  }

  /// Sends a message without waiting for a reply.
  func send(_ member: String, _ values: [Value] = [], isSignal: Bool = false, count: Int = 1) {
    for _ in 0..<count {
      let message =
        isSignal
        ? dbus_message_new_signal("/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", member)
        : make(member, values, "org.mpris.MediaPlayer2.Player", "/org/mpris/MediaPlayer2")
      guard let message else { return }
      if isSignal { dbus_message_set_destination(message, "org.mpris.MediaPlayer2.visgraph") }
      dbus_connection_send(handle, message, nil)
      dbus_message_unref(message)
    }
    dbus_connection_flush(handle)
  }

  private func make(_ member: String, _ values: [Value], _ interface: String?, _ path: String)
    -> OpaquePointer?
  {
    guard
      let message = dbus_message_new_method_call("org.mpris.MediaPlayer2.visgraph", path, interface, member)
    else { return nil }
    var place = DBusMessageIter()
    dbus_message_iter_init_append(message, &place)
    for value in values { append(value, &place) }
    return message
  }

  private func append(_ value: Value, _ place: UnsafeMutablePointer<DBusMessageIter>) {
    func basic(_ letter: Unicode.Scalar, _ value: some BitwiseCopyable) {
      var value = value
      dbus_message_iter_append_basic(place, Int32(letter.value), &value)
    }
    func inside(
      _ letter: Unicode.Scalar, _ type: String?, _ body: (UnsafeMutablePointer<DBusMessageIter>) -> Void
    ) {
      var inner = DBusMessageIter()
      dbus_message_iter_open_container(place, Int32(letter.value), type, &inner)
      body(&inner)
      dbus_message_iter_close_container(place, &inner)
    }
    switch value {
    case .byte(let byte): basic("y", byte)
    case .flag(let flag): basic("b", flag)
    case .int32(let number): basic("i", number)
    case .int64(let number): basic("x", number)
    case .number(let number): basic("d", number)
    case .file(let number): basic("h", number)
    case .text(let text): text.withCString { basic("s", Optional($0)) }
    case .object(let text): text.withCString { basic("o", Optional($0)) }
    case .bytes(let count):
      let bytes = [UInt8](repeating: 1, count: count)
      inside("a", "y") { inner in
        bytes.withUnsafeBufferPointer { buffer in
          var start = buffer.baseAddress
          dbus_message_iter_append_fixed_array(inner, Int32(UInt8(ascii: "y")), &start, Int32(count))
        }
      }
    case .array(let type, let values):
      inside("a", type) { inner in for value in values { append(value, inner) } }
    case .pair(let values): inside("r", nil) { inner in for value in values { append(value, inner) } }
    case .any(let type, let value): inside("v", type) { inner in append(value, inner) }
    case .deep(let depth, let type, let value):
      inside("v", depth > 1 ? "v" : type) { inner in
        append(depth > 1 ? .deep(depth - 1, type, value) : value, inner)
      }
    }
  }
}
