import Foundation
import Glibc

/// A daemon for a test. A shell holds it and ends it when our end of its pipe is closed: also when a test crashes.
final class HeldProcess {
  /// The daemon.
  let identity: pid_t
  private let shell: pid_t
  private let leash: Int32
  private var isOver = false

  /// Starts it; `last` is the signal that the shell ends it with.
  init(_ command: [String], environment: [String], last: String) throws {
    // A signal that ends the group of a run of tests ends `cat` too, and the shell goes on to the daemon.
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

  /// Whether it runs.
  var isAlive: Bool { Self.isAlive(identity) }

  /// Whether a process runs; one that has ended and was not yet taken off the system's list does not.
  static func isAlive(_ process: pid_t) -> Bool {
    state(at: "/proc/\(process)/stat").map { $0 != UInt8(ascii: "Z") } ?? false
  }

  /// Whether a process has ended, and stands in the system's list all the same.
  static func isEnded(_ process: pid_t) -> Bool { state(at: "/proc/\(process)/stat") == UInt8(ascii: "Z") }

  /// The letter of a process or thread in its file of /proc; nil where it is gone.
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

  /// Stops it where it is, or lets it go on: a daemon that hangs. One thread takes the signal and stops the others; as
  /// long as it does not get its turn on a busy machine they go on, which is waited for.
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

  /// Sends it a signal, waits up to 5 s for its end, and ends the shell.
  func end(_ signal: Int32) {
    guard !isOver else { return }
    isOver = true
    kill(identity, signal)
    _ = poll(within: 5) { !isAlive }
    close(leash)
    // The shell takes the daemon off the system's list: a jackd that stands there keeps its name. It does not end where
    // something that was started meanwhile holds the pipe too.
    if !poll(within: 0.9, until: { ending(of: shell, waits: false) != nil }) {
      kill(identity, SIGKILL)
      kill(shell, SIGKILL)
      _ = ending(of: shell)
    }
  }
}
