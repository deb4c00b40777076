import Foundation
import Glibc

/// A D-Bus message bus like the session bus of a desktop: a dbus-daemon for one test, ended when this object is freed.
public final class MessageBus {
  /// The address, as in `DBUS_SESSION_BUS_ADDRESS`.
  public let address: String
  private let folder: TemporaryFolder
  private let daemon: HeldProcess
  private var environment: [String] { Self.environment(address) }

  private static func environment(_ address: String) -> [String] {
    ["DBUS_SESSION_BUS_ADDRESS=" + address, "LC_ALL=C.UTF-8"] + inherited()
  }

  private static func settings(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>
    """
  }

  /// Starts a bus and waits until it listens.
  public init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("bus")
    address = "unix:path=" + path
    let configuration = try folder.write(Self.settings(address), to: "bus.conf")
    daemon = try HeldProcess(
      ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile"],
      environment: Self.environment(address), last: "KILL")
    guard poll(within: 10, until: { Self.listens(path) }) else {
      throw Child.Failure(description: "dbus-daemon does not listen")
    }
  }

  /// Kills the daemon, as a crash would end it.
  public func kill() { daemon.end(SIGKILL) }

  /// Stops the daemon (SIGSTOP) or continues it: a bus that hangs.
  public func freeze(_ isFrozen: Bool) { daemon.freeze(isFrozen) }

  /// A program on the bus that runs until this object is freed.
  public final class Client {
    private let process: pid_t
    private let output: String
    private var code: Int32?

    init(_ words: [String], environment: [String], output: String) throws {
      self.output = output
      let file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      process = try spawn(words, [1: .ours(file), 2: .ours(file)], environment: environment)
    }

    deinit {
      guard code == nil else { return }
      Glibc.kill(process, SIGKILL)
      _ = exitCode()
    }

    /// Everything that it has written so far.
    public var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Waits for the end of the program. Returns its exit code, or minus the signal.
    public func exitCode() -> Int32 {
      if let code { return code }
      let ended = ending(of: process) ?? 0
      code = ended
      return ended
    }
  }

  /// Starts a program on the bus.
  public func start(_ words: [String]) throws -> Client {
    try Client(words, environment: environment, output: folder.file(UUID().uuidString))
  }

  /// Runs a program on the bus to its end, at most 120 s. Returns its output without the last newline, and its exit
  /// code.
  @discardableResult
  public func run(_ words: [String]) throws -> (text: String, code: Int32) {
    let client = try start(["timeout", "120"] + words)
    let code = client.exitCode()
    let text = client.text
    return (text.hasSuffix("\n") ? String(text.dropLast()) : text, code)
  }

  /// Whether a server accepts connections at a path. A socket may exist before it does.
  private static func listens(_ path: String) -> Bool {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
