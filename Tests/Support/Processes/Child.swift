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
    var all = variables
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] where all[name] == nil {
      if let value = getenv(name) { all[name] = String(cString: value) }
    }
    // No test announces anything on the networks of the machine that it runs on.
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
    if code == nil { code = ending(of: identity, waits: false) }
    return code != nil
  }

  /// Its exit code, or minus the signal that ended it; nil when it still runs after `seconds`.
  public func exitCode(within seconds: Double = 30) -> Int32? {
    _ = poll(within: seconds) { hasEnded }
    return code
  }

  /// Whether it writes `text` to stderr within `seconds`; one that has ended is not waited for.
  public func says(_ text: String, times: Int = 1, within seconds: Double = 20) -> Bool {
    var isSaid: Bool { notes.components(separatedBy: text).count > times }
    return poll(within: seconds) { isSaid || hasEnded } && isSaid
  }

  /// Where its threads stand, and those of what it has started: the name of each, what it waits for in the kernel, and the
  /// call. For what does not end.
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
