import Glibc

/// Names of objects, interfaces and players on the bus.
enum BusNames {
  static let object = "/org/mpris/MediaPlayer2"
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspection = "org.freedesktop.DBus.Introspectable"

  /// The bus names that a player requests, in order: the first may belong to another program or to another process of
  /// this one.
  static func wanted(by name: String) -> [String] {
    let plain = root + "." + name
    return [plain, plain + ".instance\(getpid())"]
  }
}
