import Glibc

/// Namespaces of a program's own, made by unshare(1): a network that has the loopback alone, and mounts that nobody else
/// sees. They need no rights: the program is root in them, or who it was.
public struct Namespaces: Sendable {
  private let options: [String]
  private let setup: [String]

  /// A network of its own, with the loopback up, or the machine's; and mounts of its own, each as mount(8) is told, or the
  /// machine's. Then commands of a shell make it ready.
  public init(
    network: Bool = false, mounts: [String] = [], then more: [String] = [], keepsUser: Bool = false
  ) {
    let same = geteuid() == 0 ? [] : ["--user", "--map-current-user", "--keep-caps"]
    let user = keepsUser ? same : ["--map-root-user"]
    options = user + (network ? ["--net"] : []) + (mounts.isEmpty ? [] : ["--mount"])
    setup = (network ? ["ip link set lo up"] : []) + mounts.map { "mount \($0)" } + more
  }

  /// What starts a program in them.
  public func command(_ words: [String]) -> [String] {
    ["unshare"] + options + ["sh", "-c", (setup + ["exec \"$@\""]).joined(separator: " && "), "sh"] + words
  }

  /// Whether this machine lets us have them.
  public var isPossible: Bool { (try? Child(command(["true"])))?.exitCode() == 0 }
}
