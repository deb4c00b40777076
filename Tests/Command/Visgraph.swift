import Foundation
import Glibc
import System
import TestSupport

@testable import visgraph

/// The built command: carried out in this process, or the program beside this test bundle.
enum Visgraph {
  /// Where the program is.
  static let path: String = {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let bundle = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    return bundle[..<(bundle.lastIndex(of: "/") ?? bundle.endIndex)] + "/visgraph"
  }()

  /// How it ended, and what it said.
  struct Ending: Sendable {
    /// The exit code, or minus the signal.
    var code: Int32
    /// What was written to stdout.
    var results = ""
    /// What was written to stderr.
    var notes = ""
  }

  /// Commands that come to an end by themselves, and show nothing live.
  private static let ownCommands: Set = [
    "check", "controls", "help", "import", "info", "join", "measure", "nodes", "render", "schema",
  ]

  /// Carries out a command line, and says how it ended: in this process where that is possible, which takes no turn on a
  /// busy machine that a program waits for.
  static func run(_ arguments: String...) throws -> Ending {
    guard ownCommands.contains(arguments.first ?? "") else { return try run(program: arguments) }
    let ending = Locked(Ending(code: -1))
    let context = CommandContext(
      output: { text, descriptor in
        ending.withLock { if descriptor == 1 { $0.results += text } else { $0.notes += text } }
      },
      takesSignals: false)
    // With the stack that the main thread of a program has.
    let thread = try System.Thread("command", as: System.Thread.Options(stackSize: 8 << 20)) {
      CommandContext.$current.withValue(context) {
        let code = Command.perform(arguments)
        ending.withLock { $0.code = code }
      }
    }
    guard thread.join(within: 240) else {
      throw Child.Failure(
        description: "visgraph \(arguments) does not end; it says: \(ending.withLock { $0 })")
    }
    return ending.withLock { $0 }
  }

  /// Starts the program.
  static func start(_ arguments: String..., variables: [String: String] = [:]) throws -> Child {
    try Child([path] + arguments, variables: variables)
  }

  /// Runs the program to its end with an environment of its own.
  static func run(_ arguments: String..., variables: [String: String]) throws -> Ending {
    try run(program: arguments, variables: variables)
  }

  /// Runs the program to its end: where it makes a difference that it is a process.
  static func run(program arguments: [String], variables: [String: String] = [:]) throws -> Ending {
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
