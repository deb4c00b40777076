import Foundation
import Glibc
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

  /// Commands that may only be carried out by the program: they serve others until they are ended.
  private static let programs: Set = ["relay", "session"]

  /// Carries out a command line, and says how it ended: in this process where that is possible, because on a busy machine
  /// a program waits for its turn. `run` and `play` are advanced as fast as they go; with a sound server they are
  /// programs.
  static func run(_ arguments: String...) throws -> Ending { try run(arguments) }

  /// The same with a list.
  static func run(_ arguments: [String]) throws -> Ending {
    guard let name = arguments.first, !programs.contains(name), !arguments.contains("--server") else {
      return try runProgram(arguments)
    }
    let run = try SteppedRun(command: arguments, keepsPackets: false)
    // An hour of the timeline at 60 frames per second.
    for _ in 0..<60 * 60 * 60 {
      if run.exitCode != nil { break }
      try run.frames(1)
    }
    guard let code = run.exitCode else {
      throw Child.Failure(description: "visgraph \(arguments) does not end; it says: \(run.notes)")
    }
    return Ending(code: code, results: run.results, notes: run.notes)
  }

  /// Starts the program.
  static func start(_ arguments: String..., variables: [String: String] = [:]) throws -> Child {
    try Child([path] + arguments, variables: variables)
  }

  /// Runs the program to its end, with `variables` added to its environment: where it makes a difference that it is a
  /// process.
  static func runProgram(_ arguments: String..., variables: [String: String] = [:]) throws -> Ending {
    try runProgram(arguments, variables: variables)
  }

  /// The same with a list.
  static func runProgram(_ arguments: [String], variables: [String: String] = [:]) throws -> Ending {
    let child = try Child([path] + arguments, variables: variables)
    guard let code = child.exitCode() else {
      throw Child.Failure(description: "visgraph \(arguments) does not end; it says: \(child.notes)")
    }
    return Ending(code: code, results: child.results, notes: child.notes)
  }
}

extension Child {
  /// Whether a run with `-v` that has ended missed no cycle and sent each frame by itself.
  var missedNothing: Bool { notes.contains("missing samples 0, merged frames 0") }

  /// Sends a signal, and returns whether the run ends with exit code 0. Such an end has 0.3 s for its files: where a
  /// busy machine takes longer, what it loses is a note.
  func endsWell(_ number: Int32 = SIGTERM) -> Bool {
    let begin = now()
    signal(number)
    let code = exitCode(within: 10)
    guard code == 1, now() - begin > 0.3 else { return code == 0 }
    noteTooBusy("files were not written within 0.3 s: \(notes)")
    return true
  }

  /// Whether a run says that it has merged frames: while it runs, or at its end with `-v`.
  var hasMergedFrames: Bool {
    notes.contains(" merged with later ones") || notes.contains(/merged frames [1-9]/)
  }
}
