import Glibc
import TestSounds
import TestSupport
import Testing

/// A show with lights, particles, a player, a control port and pages, one thread of which can be made to crash by
/// SIGURG.
final class CrashingShow {
  /// How it crashes.
  enum Kind: String, CaseIterable {
    /// It writes where there is no memory.
    case fault
    /// It calls itself until its stack is used up.
    case overflow
  }

  private let folder: TemporaryFolder
  private let ear: OscReceiver
  /// The program, with its lights on.
  let child: Child

  /// Runs it until its lights are on. `thread` is how the name of the thread begins that is to crash, `number` which of
  /// several; nil: none does by itself. `command` starts the program, and `files` are its descriptors.
  init(
    _ thread: String?, number: Int = 0, _ kind: Kind, _ options: [String],
    _ variables: [String: String] = [:],
    under command: [String] = [], files: [Int32: Int32?] = [:]
  ) throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    try folder.write(Wave.bytes(Sounds.lively(seconds: 2)), to: "song.wav")
    let graph = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 }
        song: { type: file-source, path: song.wav, repeat: all }
        quiet: { type: meter }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
        sparks: { type: emitter, cells: { spark: { birthRate: 5, lifetime: 1 } } }
      wires:
        - tone -> meter -> level -> rig
        - level[1] -> sparks
        - song -> quiet

      """, to: "graph.yaml")
    var all = ["SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
    if let thread {
      let place = Visgraph.path.dropLast("visgraph".count)
      all.merge([
        "LD_PRELOAD": "\(place)libFaults.so", "FAULT_THREAD": thread, "FAULT_NUMBER": "\(number)",
        "FAULT_KIND": kind.rawValue,
      ]) { $1 }
    }
    child = try Child(
      command + [Visgraph.path, "run", graph, "--for", "600", "--control", "\(try OscReceiver.closedPort())"]
        + ["--view", "\(try OscReceiver.closedPort())"] + options, variables: all, files: files)
    let (ear, child) = (ear, child)
    guard poll(within: 20, until: { ear.floats("/visgraph/rig/2").last ?? 0 > 0.5 }) else {
      throw Child.Failure(description: child.notes)
    }
  }

  /// Whether every channel was sent an exact 0 last.
  var isDark: Bool { ["1", "2"].allSatisfy { ear.floats("/visgraph/rig/\($0)").last == 0 } }

  /// Has the thread crash; gives after how many seconds the lights were out, and the process had ended by SIGSEGV.
  private func crash() -> (dark: Double, end: Double) {
    let start = now()
    child.signal(SIGURG)
    #expect(poll { isDark }, "\(child.threads)")
    let dark = now() - start
    #expect(child.exitCode() == -SIGSEGV, "\(child.threads)\n\(child.notes)")
    #expect(isDark)
    return (dark, now() - start)
  }

  /// The shortest of some crashes, of one where that is quick: a busy machine makes some of them long.
  static func shortest(_ make: () throws -> CrashingShow) throws -> (dark: Double, end: Double) {
    var least = (dark: Double.infinity, end: Double.infinity)
    for _ in 0..<5 where least.dark >= 0.3 || least.end >= 2 {
      let times = try make().crash()
      least = (min(least.dark, times.dark), min(least.end, times.end))
    }
    return least
  }
}
