public import Foundation
import Glibc

/// A program run by a test. Its output goes to files, so that nothing it writes ever blocks it; it ends with this
/// object.
public final class Child {
  /// The process.
  public let identity: pid_t
  private let folder: TemporaryFolder
  private var code: Int32?

  /// Starts a program. It inherits a few variables, and no signal that is ignored or blocked here; `files` are its
  /// descriptors that lead elsewhere than to our own files, or nowhere at all (nil).
  public init(_ command: [String], variables: [String: String] = [:], files: [Int32: Int32?] = [:]) throws {
    folder = try TemporaryFolder()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder.file("out"), O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder.file("err"), O_WRONLY | O_CREAT, 0o600)
    for (number, file) in files {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file, number)
      } else {
        posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var all = variables
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] where all[name] == nil {
      if let value = getenv(name) { all[name] = String(cString: value) }
    }
    let words = command.map { strdup($0) } + [nil]
    let environment = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + environment { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, command[0], &actions, &attributes, words, environment)
    guard failure == 0 else {
      throw Failure(description: "\(command[0]): \(String(cString: strerror(failure)))")
    }
    identity = process
  }

  deinit {
    if code == nil {
      kill(identity, SIGKILL)
      var status: Int32 = 0
      waitpid(identity, &status, 0)
    }
  }

  /// A child that could not be had, or did not end.
  public struct Failure: Error, CustomStringConvertible {
    /// What happened.
    public let description: String
    /// A failure in these words.
    public init(description: String) { self.description = description }
  }

  /// All it has written to stdout.
  public var results: String { text("out") }

  /// All it has written to stderr.
  public var notes: String { text("err") }

  /// Sends a signal.
  public func signal(_ number: Int32) { if code == nil { kill(identity, number) } }

  /// Whether it has ended.
  public var hasEnded: Bool {
    if code != nil { return true }
    var status: Int32 = 0
    guard waitpid(identity, &status, WNOHANG) == identity else { return false }
    let signal = status & 0x7f
    code = signal == 0 ? status >> 8 & 0xff : -signal
    return true
  }

  /// Its exit code, or minus the signal that ended it; nil when it still runs after `seconds`.
  public func exitCode(within seconds: Double = 30) -> Int32? {
    _ = poll(within: seconds) { hasEnded }
    return code
  }

  /// Whether it writes `text` to stderr within `seconds`.
  public func says(_ text: String, times: Int = 1, within seconds: Double = 20) -> Bool {
    poll(within: seconds) { notes.components(separatedBy: text).count > times }
  }

  private func text(_ name: String) -> String {
    FileManager.default.contents(atPath: folder.file(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
