import Foundation
import Glibc

/// A daemon of a test. A shell starts it, and ends it when our end of a pipe is closed, so the daemon ends also if a
/// test crashes.
final class HeldProcess {
  /// The daemon's process.
  let identity: pid_t
  private let shell: pid_t
  private let leash: Int32
  private var isOver = false

  /// Starts the daemon; `last` is the signal by which the shell ends it.
  init(_ command: [String], environment: [String], last: String) throws {
    // A signal to the whole process group of a test run also ends `cat`, and the shell goes on to end the daemon.
    let script =
      "trap : TERM INT HUP; \"$@\" </dev/null >/dev/null 2>&1 & echo $!; exec >/dev/null; cat >/dev/null; "
      + "kill -\(last) $!; wait"
    let hold = try makePipe()
    let answer = try makePipe()
    defer { for end in [hold.read, answer.read, answer.write] { close(end) } }
    leash = hold.write
    shell = try spawn(
      ["sh", "-c", script, "sh"] + command, [0: .ours(hold.read), 1: .ours(answer.write)],
      environment: environment)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(answer.read, &byte, 1) == 1, byte != 10 { line.append(byte) }
    guard let number = pid_t(String(decoding: line, as: UTF8.self)) else {
      throw Child.Failure(description: "\(command[0]) did not start")
    }
    identity = number
  }

  deinit { end(SIGKILL) }

  /// Whether the daemon runs.
  var isAlive: Bool { Self.isAlive(identity) }

  /// Whether a process runs. A zombie does not.
  static func isAlive(_ process: pid_t) -> Bool {
    state(at: "/proc/\(process)/stat").map { $0 != UInt8(ascii: "Z") } ?? false
  }

  /// Whether a process is a zombie: it has ended and was not reaped.
  static func isEnded(_ process: pid_t) -> Bool { state(at: "/proc/\(process)/stat") == UInt8(ascii: "Z") }

  /// The state letter of a process or thread in /proc; nil if it is gone.
  private static func state(at path: String) -> UInt8? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
      return nil
    }
    return bytes[end + 2]
  }

  /// Stops the daemon (SIGSTOP) or continues it: a daemon that hangs. Waits until all threads have stopped: one thread
  /// takes the signal and stops the others, which run on until it is scheduled.
  func freeze(_ isFrozen: Bool) {
    guard !isOver else { return }
    kill(identity, isFrozen ? SIGSTOP : SIGCONT)
    guard isFrozen else { return }
    let tasks = "/proc/\(identity)/task"
    _ = poll(within: 5) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      return names.allSatisfy { [nil, UInt8(ascii: "T")].contains(Self.state(at: "\(tasks)/\($0)/stat")) }
    }
  }

  /// Sends a signal to the daemon, waits up to 5 s for its end, and ends the shell.
  func end(_ signal: Int32) {
    guard !isOver else { return }
    isOver = true
    kill(identity, signal)
    _ = poll(within: 5) { !isAlive }
    close(leash)
    // The shell reaps the daemon: a jackd that is a zombie keeps its name. The shell does not end while another program
    // that was started meanwhile holds the pipe open.
    if !poll(within: 0.9, until: { ending(of: shell, waits: false) != nil }) {
      kill(identity, SIGKILL)
      kill(shell, SIGKILL)
      _ = ending(of: shell)
    }
  }
}
