import Foundation
import Glibc
import TestSounds
import TestSupport
import Testing

/// What a crash leaves, whichever thread it is: the lights out, and a process that has ended by its signal.
@Suite(.serialized, .blocking) struct CrashTests {
  /// The threads of a show by the clock, by what their names begin with: main, the callback, frames, particles,
  /// signals, the control port, a player's disk, the pages and what reads pictures for them, and a queue of Dispatch.
  static let threads = [
    "visgraph\n", "clock", "frames", "scene", "signals", "control", "visgraph disk", "NIO-ELT", "TP-#0",
    "-qos.overcommit",
  ]

  @Test(arguments: threads, CrashingShow.Kind.allCases)
  func `a crash of any thread is dark at once, and ends the process`(
    thread: String, kind: CrashingShow.Kind
  ) throws {
    let times = try CrashingShow.shortest { try CrashingShow(thread, kind, ["--host", "clock"]) }
    #expect(times.dark < 0.3)
    #expect(times.end < 2)
  }

  @Test(arguments: ["visgraph\n", "frames"])
  func `a crash with a small stack is dark at once, too`(thread: String) throws {
    let times = try CrashingShow.shortest {
      try CrashingShow(thread, .overflow, ["--host", "clock"], under: ["prlimit", "--stack=262144"])
    }
    #expect(times.dark < 0.3)
    #expect(times.end < 2)
  }

  /// Ends a show by a signal, which must put its lights out and end it by `ending`. Returns its trace if that lacks one
  /// of these words. A trace is cut off after 20 s: where a busy machine takes longer each time, that is noted.
  private func cutTrace(
    of thread: String?, _ kind: CrashingShow.Kind, by signal: Int32, ending: Int32, having words: [String]
  ) throws -> String? {
    var isCut = false
    let notes = try lastOf(3) { () -> String? in
      let show = try CrashingShow(
        thread, kind, ["--host", "clock"], ["SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=fast"])
      let (child, begin) = (show.child, now())
      child.signal(signal)
      #expect(child.exitCode() == -ending, "\(child.notes)")
      #expect(poll { show.isDark })
      isCut = now() - begin > 19
      return words.allSatisfy(child.notes.contains) ? nil : child.notes
    }
    guard notes != nil, isCut, isBusy else { return notes }
    noteTooBusy("a trace took more than 20 s")
    return nil
  }

  /// Whether a thread here gets less than half of the time of a processor.
  private var isBusy: Bool {
    func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let (begin, used) = (now(), processorTime())
    while processorTime() - used < 0.3 {}
    return now() - begin > 0.6
  }

  @Test(arguments: [SIGABRT, SIGQUIT, SIGSEGV, SIGILL])
  func `a deadly signal of another process ends the show, too, once the trace is written`(signal: Int32)
    throws
  {
    let words = ["Program crashed", "Backtrace took"]
    #expect(try cutTrace(of: nil, .fault, by: signal, ending: signal, having: words) == nil)
  }

  @Test func `the trace of a stack overflow names the thread and the place`() throws {
    let words = [#""scene" crashed"#, "dig + "]
    #expect(try cutTrace(of: "scene", .overflow, by: SIGURG, ending: SIGSEGV, having: words) == nil)
  }

  @Test func `a trace without a reader does not keep the process`() throws {
    let ends = try Pipe.full()
    let show = try CrashingShow(
      nil, .fault, ["--host", "clock"], ["SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=fast"],
      files: [2: ends.fileHandleForWriting.fileDescriptor])
    show.child.signal(SIGABRT)
    #expect(poll { show.isDark })
    #expect(show.child.exitCode(within: 60) == -SIGABRT)
    // The backtracer would wait for the memory of the process that has ended.
    #expect(poll { Self.backtracers(with: ends.fileHandleForWriting.fileDescriptor) == [] })
  }

  /// The process numbers of backtracers that hold a file of this process.
  private static func backtracers(with descriptor: Int32) -> [String] {
    let files = FileManager.default
    func target(_ process: String, _ file: String) -> String? {
      try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(file)")
    }
    let pipe = target("self", "\(descriptor)")
    return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).filter { process in
      let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
      guard name == "swift-backtrace\n" else { return false }
      let open = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
      return open.contains { target(process, $0) == pipe }
    }
  }

  @Test func `such a signal ends a relay as well`() throws {
    let child = try Visgraph.start(
      "relay", "http://127.0.0.1:\(try OscReceiver.closedPort())", "--view",
      "\(try OscReceiver.closedPort())",
      variables: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(child.says("view "), "\(child.notes)")
    child.signal(SIGABRT)
    #expect(child.exitCode() == -SIGABRT, "\(child.notes)")
  }
}

extension Pipe {
  /// One that takes nothing more, and that nobody reads.
  fileprivate static func full() throws -> Pipe {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(end, F_GETFL)
    _ = fcntl(end, F_SETFL, flags | O_NONBLOCK)
    let bytes = [UInt8](repeating: 10, count: 4096)
    while Glibc.write(end, bytes, bytes.count) > 0 {}
    while Glibc.write(end, bytes, 1) > 0 {}
    _ = fcntl(end, F_SETFL, flags)
    return pipe
  }
}
