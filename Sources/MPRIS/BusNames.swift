import Glibc

/// The names that players have on the bus.
enum BusNames {
  static let object = "/org/mpris/MediaPlayer2"
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspection = "org.freedesktop.DBus.Introspectable"

  /// The names that a player asks for one after the other: another program, or another of us, may have the first.
  static func wanted(by name: String) -> [String] {
    let plain = root + "." + name
    return [plain, plain + ".instance\(getpid())"]
  }
}
