import Dispatch
import Glibc
import Synchronization
import System
import TestSupport
import Testing

@Suite(.waiting) struct ThreadTests {
  @Test func `a thread has its given name, cut to 15 bytes`() throws {
    let names = Locked<[String]>([])
    let name: @Sendable () -> Void = {
      var bytes = [UInt8](repeating: 0, count: 64)
      let file = open("/proc/thread-self/comm", O_RDONLY)
      let count = read(file, &bytes, bytes.count)
      close(file)
      names.withLock { $0.append(String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self)) }
    }
    for given in ["frames", "a name of more than fifteen bytes"] { try Thread(given, name).join() }
    #expect(names.withLock { $0 } == ["frames", "a name of more "])
  }

  @Test
  func `threads that a real-time thread starts, also by Dispatch, have ordinary priority`()
    throws
  {
    // As the kernel reports it.
    let policy: @Sendable () -> Int32 = { sched_getscheduler(0) & ~0x4000_0000 }
    let found = Locked<[Int32]>([])
    try Thread(as: Thread.Options(realTimePriority: 1)) {
      found.withLock { $0.append(policy()) }
      let thread = try? Thread { found.withLock { $0.append(policy()) } }
      thread?.join()
      // More work than Dispatch has threads for: some of them are new.
      let done = DispatchGroup()
      for _ in 0..<16 {
        DispatchQueue(label: "ordinary").async(group: done) {
          found.withLock { $0.append(policy()) }
          usleep(2000)
        }
      }
      done.wait()
    }.join()
    let policies = found.withLock { $0 }
    // Where no real-time priority is allowed nothing can be compared.
    if !RealTimeLimits.found(priority: 1).hasPriority { return }
    #expect(policies[0] == SCHED_FIFO)
    #expect(policies.dropFirst().allSatisfy { $0 == SCHED_OTHER } && policies.count == 18, "\(policies)")
  }

  @Test func `a thread blocks its signals from its start on, and its maker only while it starts the thread`()
    throws
  {
    /// Which of the two signals the calling thread blocks.
    @Sendable func blocked() -> [Bool] {
      var now = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &now)
      return [SIGUSR1, SIGUSR2].map { sigismember(&now, $0) == 1 }
    }
    let found = Locked<[[Bool]]>([])
    // The threads that run tests block most signals.
    try Thread {
      SignalSet([SIGUSR1, SIGUSR2]).unblock()
      let options = Thread.Options(blockedSignals: SignalSet([SIGUSR1]))
      let thread = try? Thread(as: options) { found.withLock { $0.append(blocked()) } }
      thread?.join()
      found.withLock { $0.append(blocked()) }
    }.join()
    #expect(found.withLock { $0 } == [[true, false], [false, false]])
  }

  @Test func `all signals but those of the process's own faults can be blocked`() {
    let set = SignalSet.allButFaults
    #expect([SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGCHLD].allSatisfy(set.contains))
    #expect(![SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS].contains(where: set.contains))
  }

  @Test func `a blocked signal is taken by the thread that waits for it`() throws {
    let taken = Atomic<Int32>(0)
    let set = SignalSet([SIGUSR2])
    try Thread {
      set.whileBlocked {
        pthread_kill(pthread_self(), SIGUSR2)
        taken.store(set.wait(), ordering: .relaxed)
      }
    }.join()
    #expect(taken.load(ordering: .relaxed) == SIGUSR2)
  }

  @Test func `a thread has its given stack size`() throws {
    let reach = Atomic<Int>(0)
    // More than the 8 MB that it would have otherwise: each level takes 64 KiB.
    @Sendable func dig(_ depth: Int) -> Int {
      withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { bytes in
        bytes[0] = UInt8(truncatingIfNeeded: depth)
        return depth == 0 ? Int(bytes[0]) : 1 + dig(depth - 1)
      }
    }
    try Thread(as: Thread.Options(stackSize: 64 << 20)) { reach.store(dig(500), ordering: .relaxed) }.join()
    #expect(reach.load(ordering: .relaxed) == 500)
  }

  @Test func `the system's reason for refusing a thread is thrown`() {
    // Larger than the address space.
    #expect(throws: Errno(EAGAIN)) { _ = try Thread(as: Thread.Options(stackSize: 1 << 60)) {} }
  }

  @Test func `a join with a timeout returns whether the thread has ended`() throws {
    let gate = Latch(resets: .never)
    let thread = try Thread { gate.wait() }
    #expect(!thread.join(within: 0))
    #expect(!thread.join(within: 0.02))
    gate.set()
    #expect(thread.join(within: 20))
    #expect(thread.join(within: 0), "it stays so")
    thread.join()
  }

  @Test func `a thread that no object keeps goes on`() throws {
    let done = Latch(resets: .never)
    _ = try Thread { done.set() }
    #expect(done.wait(until: .after(seconds: 20)))
  }

  @Test(.enabled(if: canCancelThreads))
  func `a library's thread is canceled where it sleeps, and not while it may hold a lock`() throws {
    let found = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "pthread_cancel"))
    let usual = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: -1), "pthread_cancel"))
    #expect(found != usual, "libraries find the program's own function only if it is exported")
    // A thread that computes for longer than the timeout is canceled all the same; a busy machine may make it so.
    #expect((0..<20).count { isCanceledAsleep(after: 5 + 4 * $0) } >= 10)
    // A busy machine may need seconds for that timeout.
    #expect(!isCanceledAsleep(after: 30_000))
  }
}
