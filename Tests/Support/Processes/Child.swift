public import Foundation
import Glibc

/// A child process of a test. Its output goes to files, so that no write blocks it. The process is ended when this
/// object is freed.
public final class Child {
  /// The process.
  public let identity: pid_t
  private let folder: TemporaryFolder
  private var code: Int32?

  /// Starts a program. It inherits a few variables and no ignored or blocked signal. `files` redirects descriptors to
  /// other files than ours, or closes them (nil).
  public init(_ command: [String], variables: [String: String] = [:], files: [Int32: Int32?] = [:]) throws {
    folder = try TemporaryFolder()
    var all = variables
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] where all[name] == nil {
      if let value = getenv(name) { all[name] = String(cString: value) }
    }
    // Tests announce no service in the networks of the machine.
    all["DBUS_SYSTEM_BUS_ADDRESS"] = all["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/nowhere"
    var descriptors: [Int32: SpawnedDescriptor] = [
      1: .path(folder.file("out"), O_WRONLY | O_CREAT), 2: .path(folder.file("err"), O_WRONLY | O_CREAT),
    ]
    for (number, file) in files { descriptors[number] = file.map { .ours($0) } ?? .closed }
    identity = try spawn(command, descriptors, environment: all.map { "\($0)=\($1)" })
  }

  deinit {
    if code == nil {
      kill(identity, SIGKILL)
      _ = ending(of: identity)
    }
  }

  /// A child process could not be started, or did not end.
  public struct Failure: Error, CustomStringConvertible {
    /// The description.
    public let description: String
    /// A failure with a description.
    public init(description: String) { self.description = description }
  }

  /// Everything that it has written to stdout.
  public var results: String { text("out") }

  /// Everything that it has written to stderr.
  public var notes: String { text("err") }

  /// Sends a signal.
  public func signal(_ number: Int32) { if code == nil { kill(identity, number) } }

  /// Whether it has ended.
  public var hasEnded: Bool {
    if code == nil { code = ending(of: identity, waits: false) }
    return code != nil
  }

  /// The exit code, or minus the signal that ended the process. Nil if it still runs after `seconds`.
  public func exitCode(within seconds: Double = 30) -> Int32? {
    _ = poll(within: seconds) { hasEnded }
    return code
  }

  /// Whether the process writes `text` to stderr, `times` times, within `seconds`. Returns at once after the process
  /// has ended.
  public func says(_ text: String, times: Int = 1, within seconds: Double = 20) -> Bool {
    var isSaid: Bool { notes.components(separatedBy: text).count > times }
    return poll(within: seconds) { isSaid || hasEnded } && isSaid
  }

  /// The state of all threads of the process and of its children: name, kernel wait channel (wchan) and system call.
  /// For the report on a process that does not end.
  public var threads: String {
    func read(_ path: String) -> String {
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? "?"
    }
    var (lines, next): ([String], [String]) = ([], ["\(identity)"])
    while let process = next.popLast(), lines.count < 200 {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      for task in tasks.map({ "/proc/\(process)/task/\($0)" }).sorted() {
        lines.append("\(task) \(read("\(task)/comm")): \(read("\(task)/wchan")), \(read("\(task)/syscall"))")
        next += read("\(task)/children").split(separator: " ").filter { $0 != "?" }.map(String.init)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ name: String) -> String {
    FileManager.default.contents(atPath: folder.file(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
