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
  /// The process of the daemon.
  private let daemon: pid_t
  private let folder: TemporaryFolder
  private let shell: Process
  /// As long as this is open the daemon runs: it ends with the test, also when that crashes.
  private let leash = Pipe()

  private static let settings = """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """

  /// Starts a bus and waits until it listens.
  public init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("bus")
    address = "unix:path=" + path
    let script =
      "\"$@\" </dev/null >/dev/null 2>&1 & echo $!; exec >/dev/null; cat >/dev/null; kill -KILL $!; wait"
    shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", script, "sh", "dbus-daemon", "--config-file=" + (try folder.write(Self.settings, to: "bus.conf")),
      "--nofork", "--nopidfile", "--address=" + address,
    ]
    shell.standardInput = leash
    let answer = Pipe()
    shell.standardOutput = answer
    try shell.run()
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(answer.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 10 { line.append(byte) }
    guard let number = pid_t(String(decoding: line, as: UTF8.self)) else {
      throw Failure(description: "dbus-daemon did not start")
    }
    daemon = number
    guard poll(within: 10, until: { access(path, F_OK) == 0 }) else {
      throw Failure(description: "dbus-daemon does not listen")
    }
  }

  deinit { kill() }

  /// Ends the daemon at once, as a crash would.
  public func kill() {
    freeze(false)
    try? leash.fileHandleForWriting.close()
    shell.waitUntilExit()
  }

  /// Stops the daemon where it is, or lets it go on: a bus that hangs.
  public func freeze(_ isFrozen: Bool) {
    if shell.isRunning { Glibc.kill(daemon, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// A program on the bus that goes on until this object goes, or it is asked to end.
  public final class Client {
    private let process = Process()
    private let output: String

    init(_ words: [String], address: String, output: String) throws {
      self.output = output
      try Data().write(to: URL(fileURLWithPath: output))
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.environment = MessageBus.environment(address)
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle(forWritingAtPath: output)
      process.standardError = process.standardOutput
      try process.run()
    }

    deinit { end() }

    /// All it has written so far.
    public var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// Ends it.
    public func end() {
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
    }

    /// Waits for its end, and gives its exit code.
    public func exitCode() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
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

  private static func environment(_ address: String) -> [String: String] {
    var variables = ["DBUS_SESSION_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8"]
    for name in ["PATH", "HOME", "TMPDIR"] { variables[name] = ProcessInfo.processInfo.environment[name] }
    return variables
  }
}
