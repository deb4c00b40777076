import Glibc

/// Linux namespaces for a program, made by unshare(1): a network with only the loopback, and mounts that only the
/// program sees. They need no privileges: inside, the program is root, or keeps its user.
public struct Namespaces: Sendable {
  private let options: [String]
  private let setup: [String]

  /// A network namespace with the loopback up, or the machine's network; own mounts, each in the arguments of mount(8),
  /// or the machine's mounts. Shell commands then prepare the namespaces.
  public init(
    network: Bool = false, mounts: [String] = [], then more: [String] = [], keepsUser: Bool = false
  ) {
    let same = geteuid() == 0 ? [] : ["--user", "--map-current-user", "--keep-caps"]
    let user = keepsUser ? same : ["--map-root-user"]
    options = user + (network ? ["--net"] : []) + (mounts.isEmpty ? [] : ["--mount"])
    setup = (network ? ["ip link set lo up"] : []) + mounts.map { "mount \($0)" } + more
  }

  /// The command that starts a program in the namespaces.
  public func command(_ words: [String]) -> [String] {
    ["unshare"] + options + ["sh", "-c", (setup + ["exec \"$@\""]).joined(separator: " && "), "sh"] + words
  }

  /// Whether this machine allows such namespaces.
  public var isPossible: Bool { (try? Child(command(["true"])))?.exitCode() == 0 }
}
