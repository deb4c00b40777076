import Dispatch
import Foundation
import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// How a process ends by a deadly signal; what a show does then is in CrashTests.
@Suite struct CrashSignalsTests {
  /// The signal stack of the calling thread.
  @Sendable private static func signalStack() -> stack_t {
    var stack = stack_t()
    sigaltstack(nil, &stack)
    return stack
  }

  @Test func `every thread has a signal stack of its own, also a thread of a library`() throws {
    let stacks = Locked<[stack_t]>([])
    let note: @Sendable () -> Void = { stacks.withLock { $0.append(Self.signalStack()) } }
    let gate = Latch(resets: .never)
    // All threads at the same time: one after another could get the same memory.
    let ours = try (0..<2).map { _ in
      try System.Thread {
        note()
        gate.wait()
      }
    }
    Foundation.Thread.detachNewThread {
      note()
      gate.wait()
    }
    DispatchQueue(label: "signal stack").async {
      note()
      gate.wait()
    }
    #expect(poll { stacks.withLock { $0.count } == 4 })
    gate.set()
    for thread in ours { thread.join() }
    let found = stacks.withLock { $0 }
    #expect(found.allSatisfy { $0.ss_size >= 65_536 && $0.ss_flags & Int32(SS_DISABLE) == 0 })
    #expect(Set(found.map { UInt(bitPattern: $0.ss_sp) }).count == 4)
  }

  @Test func `the signal stack of a thread is freed with it, also if the thread is cancelled`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      // More than a gigabyte if they stayed.
      for _ in 0..<20_000 { (try? System.Thread {})?.join() }
      // Like libjack's threads they sleep in a read when they are canceled: elsewhere each would be waited for.
      let pipe = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
      guard Glibc.pipe(pipe) == 0 else { exit(4) }
      for _ in 0..<2000 {
        var thread = pthread_t()
        guard
          pthread_create(
            &thread, nil,
            { pipe in
              var byte: UInt8 = 0
              while true { read(pipe!.assumingMemoryBound(to: Int32.self)[0], &byte, 1) }
            }, pipe) == 0
        else { exit(2) }
        pthread_cancel(thread)
        pthread_join(thread, nil)
      }
      exit((try? System.Thread {}) == nil ? 3 : 0)
    }
  }

  @Test func `a signal of another process ends it by that signal`() async {
    await #expect(processExitsWith: .signal(SIGABRT)) {
      CrashSignals.watch()
      kill(getpid(), SIGABRT)
      while true { pause() }
    }
    await #expect(processExitsWith: .signal(SIGQUIT)) {
      SignalSet([SIGQUIT]).block()
      CrashSignals.watch()
      CrashSignals.crash(by: SIGQUIT)
    }
  }

  @Test func `a crash waits until the lights are out`() async throws {
    let folder = try TemporaryFolder()
    var text = ""
    // A crash waits for a second at most, and a busy machine may not run the thread of the lights for so long.
    for number in 1...6 where text.isEmpty {
      await #expect(processExitsWith: .signal(SIGABRT)) { [path = folder.file("out \(number)") as String] in
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        CrashSignals.watch()
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try CrashSignals.onCrash {
          usleep(100_000)
          // Bytes at a fixed address, which are valid whatever has crashed.
          let text: StaticString = "the lights are out"
          _ = write(file, text.utf8Start, text.utf8CodeUnitCount)
        }
        abort()
      }
      text = try String(contentsOfFile: folder.file("out \(number)"), encoding: .utf8)
    }
    #expect(text == "the lights are out")
  }

  @Test func `a crash waits for the lights for a second at most, and not if putting them out crashes`() async
  {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      CrashSignals.watch()
      try CrashSignals.onCrash { while true { pause() } }
      raise(SIGSEGV)
    }
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      CrashSignals.watch()
      try CrashSignals.onCrash { abort() }
      raise(SIGSEGV)
    }
  }
}
