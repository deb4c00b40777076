import Glibc
import TestSupport

/// The built command beside this test bundle.
enum Visgraph {
  /// Where it is.
  static let path: String = {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let bundle = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    return bundle[..<(bundle.lastIndex(of: "/") ?? bundle.endIndex)] + "/visgraph"
  }()

  /// How it ended, and what it said.
  struct Ending {
    /// The exit code, or minus the signal.
    let code: Int32
    /// What was written to stdout.
    let results: String
    /// What was written to stderr.
    let notes: String
  }

  static func start(_ arguments: String..., variables: [String: String] = [:]) throws -> Child {
    try Child([path] + arguments, variables: variables)
  }

  /// Runs it to its end.
  static func run(_ arguments: String..., variables: [String: String] = [:]) throws -> Ending {
    let child = try Child([path] + arguments, variables: variables)
    guard let code = child.exitCode() else {
      throw Child.Failure(description: "visgraph \(arguments) does not end; it says: \(child.notes)")
    }
    return Ending(code: code, results: child.results, notes: child.notes)
  }
}

extension Child {
  /// Whether a run with `-v` that has ended missed no cycle and sent each frame by itself.
  var isWhole: Bool { notes.contains("missing samples 0, merged frames 0") }
}
