import CDbus
import Glibc

/// Where the desktop's message bus is. [control]
enum SessionBus {
  /// Its address, from the environment or at its usual place; nil where there is none. A bus is never started: of the
  /// ways that an address may name, only sockets of this machine are taken.
  static func address(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) -> String?
  {
    if let given = variable("DBUS_SESSION_BUS_ADDRESS"), !given.isEmpty {
      let sockets = given.split(separator: ";").filter { $0.hasPrefix("unix:") }
      return sockets.isEmpty ? nil : sockets.joined(separator: ";")
    }
    guard let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    var facts = stat()
    guard stat(folder + "/bus", &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { return nil }
    guard let escaped = dbus_address_escape_value(folder + "/bus") else { return nil }
    defer { dbus_free(escaped) }
    return "unix:path=" + String(cString: escaped)
  }
}
