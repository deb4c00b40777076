import Foundation
import Glibc

/// A message bus as a desktop's session has one, for one test: a dbus-daemon of its own, that ends with this object.
public final class MessageBus {
  /// A bus that did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// What happened.
    public let description: String

    /// Says what happened.
    public init(description: String) { self.description = description }
  }

  /// What a client needs to connect, as in `DBUS_SESSION_BUS_ADDRESS`.
  public let address: String
  private let folder: TemporaryFolder
  /// A shell that holds the daemon and kills it when our end of its pipe is closed: also when a test crashes.
  private let shell: pid_t
  private let daemon: pid_t
  private let leash: Int32
  private var isGone = false

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
    let script =
      "\"$@\" </dev/null >/dev/null 2>&1 & echo $!; exec >/dev/null; cat >/dev/null; kill -KILL $!; wait"
    let hold = try Self.pipe()
    let answer = try Self.pipe()
    defer { for end in [hold[0], answer[0], answer[1]] { close(end) } }
    leash = hold[1]
    shell = try Self.spawn(
      ["sh", "-c", script, "sh", "dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile"],
      input: hold[0], output: answer[1], address: address)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(answer[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
    guard let number = pid_t(String(decoding: line, as: UTF8.self)) else {
      throw Failure(description: "dbus-daemon did not start")
    }
    daemon = number
    guard poll(within: 10, until: { Self.listens(path) }) else {
      kill()
      throw Failure(description: "dbus-daemon does not listen")
    }
  }

  deinit { kill() }

  /// Ends the daemon at once, as a crash would.
  public func kill() {
    guard !isGone else { return }
    isGone = true
    Glibc.kill(daemon, SIGKILL)
    close(leash)
    // Something started meanwhile may hold the pipe too.
    Glibc.kill(shell, SIGKILL)
    var status: Int32 = 0
    waitpid(shell, &status, 0)
  }

  /// Stops the daemon where it is, or lets it go on: a bus that hangs.
  public func freeze(_ isFrozen: Bool) {
    if !isGone { Glibc.kill(daemon, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// A program on the bus that goes on until this object goes.
  public final class Client {
    private let process: pid_t
    private let output: String
    private var code: Int32?

    init(_ words: [String], address: String, output: String) throws {
      self.output = output
      let file = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      process = try MessageBus.spawn(words, input: nil, output: file, address: address)
    }

    deinit {
      guard code == nil else { return }
      Glibc.kill(process, SIGKILL)
      _ = exitCode()
    }

    /// All it has written so far.
    public var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Waits for its end, and gives its exit code, or minus the signal that ended it.
    public func exitCode() -> Int32 {
      if let code { return code }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let ended = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
      code = ended
      return ended
    }
  }

  /// Starts a program on the bus.
  public func start(_ words: [String]) throws -> Client {
    try Client(words, address: address, output: folder.file(UUID().uuidString))
  }

  /// Runs a program on the bus to its end, 20 s at most: what it writes, without the last line's end, and its exit code.
  @discardableResult
  public func run(_ words: [String]) throws -> (text: String, code: Int32) {
    let client = try start(["timeout", "20"] + words)
    let code = client.exitCode()
    let text = client.text
    return (text.hasSuffix("\n") ? String(text.dropLast()) : text, code)
  }

  // MARK: - Processes

  /// Whether somebody takes connections at a path; that it exists does not say so yet.
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

  private static func pipe() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(_ words: [String], input: Int32?, output: Int32, address: String) throws -> pid_t
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    var process: pid_t = 0
    let arguments = words.map { strdup($0) } + [nil]
    var variables = [strdup("DBUS_SESSION_BUS_ADDRESS=" + address), strdup("LC_ALL=C.UTF-8")]
    for name in ["PATH", "HOME", "TMPDIR"] {
      if let value = getenv(name) { variables.append(strdup(name + "=" + String(cString: value))) }
    }
    variables.append(nil)
    defer { for text in arguments + variables { free(text) } }
    let number = posix_spawnp(&process, words[0], &actions, nil, arguments, variables)
    guard number == 0 else {
      throw Failure(description: "cannot start \(words[0]): \(String(cString: strerror(number)))")
    }
    return process
  }
}
