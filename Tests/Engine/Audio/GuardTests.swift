import CGuard
import CRealtime
import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// The counting interposer (CGuard) counts every kind of call that it is for.
@Suite(.serialized) struct GuardTests {
  @Test func `code that does nothing forbidden counts nothing`() {
    var sum: Float = 0
    guard_enter()
    for i in 0..<1000 { sum += Float(i) }
    let counts = guard_leave()
    #expect(sum == 499_500)
    #expect(counts.isClean)
    #expect(counts.first == nil)
  }

  @Test func `reference counting is counted`() {
    guard_enter()
    Seen.other = Seen.thing
    #expect(guard_leave().references >= 1)
  }

  @Test func `allocations of objects are counted`() {
    guard_enter()
    Seen.other = Thing()
    #expect(guard_leave().objects >= 1)
  }

  @Test func `exclusivity checks are counted`() {
    guard_enter()
    Seen.number += 1
    #expect(guard_leave().accesses >= 1)
  }

  @Test func `globals initialized at their first use are counted`() {
    guard_enter()
    let late = Late.value
    let counts = guard_leave()
    #expect(late > 0)
    #expect(counts.onces >= 1)
  }

  @Test func `dynamic casts are counted`() {
    let anything: Any = Seen.thing as Any
    guard_enter()
    let isNumber = anything is Int
    let counts = guard_leave()
    #expect(!isNumber)
    #expect(counts.metadata >= 1)
  }

  @Test func `the first forbidden call is named`() throws {
    guard_enter()
    Seen.number += 1
    let counts = guard_leave()
    #expect(String(cString: try #require(counts.first)) == "swift_beginAccess")
  }

  @Test func `each thread has its own counts`() {
    guard_enter()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        Seen.other = Thing()
        return nil
      }, nil)
    _ = guard_leave()
    guard_enter()
    pthread_join(thread, nil)
    #expect(guard_leave().objects == 0)
  }

  /// Under a sanitizer the calls of the C library are the sanitizer's to check.
  @Suite(.enabled(if: guard_watches_library() == 1)) struct LibraryTests {
    @Test func `memory allocation is counted`() {
      let kinds: [(String, () -> UnsafeMutableRawPointer?)] = [
        ("malloc", { malloc(10) }), ("calloc", { calloc(1, 10) }), ("realloc", { realloc(nil, 10) }),
        ("aligned_alloc", { aligned_alloc(64, 64) }),
        (
          "posix_memalign",
          {
            var place: UnsafeMutableRawPointer?
            posix_memalign(&place, 64, 64)
            return place
          }
        ),
      ]
      for (name, allocate) in kinds {
        guard_enter()
        let place = allocate()
        let counts = guard_leave()
        #expect(counts.allocations == 1, "\(name)")
        guard_enter()
        free(place)
        #expect(guard_leave().frees == 1, "\(name)")
      }
    }

    @Test func `a growing array is counted`() {
      Seen.array = []
      guard_enter()
      Seen.array.append(1)
      #expect(guard_leave().allocations >= 1)
    }

    @Test func `locks are counted`() {
      var mutex = pthread_mutex_t()
      pthread_mutex_init(&mutex, nil)
      guard_enter()
      pthread_mutex_lock(&mutex)
      #expect(guard_leave().locks == 1)
      pthread_mutex_unlock(&mutex)
      var lock = pthread_rwlock_t()
      pthread_rwlock_init(&lock, nil)
      guard_enter()
      pthread_rwlock_rdlock(&lock)
      pthread_rwlock_unlock(&lock)
      pthread_rwlock_wrlock(&lock)
      #expect(guard_leave().locks == 2)
      pthread_rwlock_unlock(&lock)
    }

    @Test func `waits are counted`() {
      var semaphore = sem_t()
      sem_init(&semaphore, 0, 1)
      var moment = timespec(tv_sec: 0, tv_nsec: 1)
      guard_enter()
      sem_wait(&semaphore)
      usleep(1)
      nanosleep(&moment, nil)
      clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nil)
      #expect(guard_leave().waits == 4)
      sem_destroy(&semaphore)
    }

    @Test func `system calls are counted`() throws {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      var byte: UInt8 = 7
      var polled = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      let (input, output) = (ends[0], ends[1])
      guard_enter()
      write(output, &byte, 1)
      poll(&polled, 1, 0)
      read(input, &byte, 1)
      #expect(guard_leave().calls == 3)
      close(input)
      close(output)
    }

    @Test func `a lock of a mutex that another thread holds is counted`() {
      // A busy machine may run this thread again only after the other one has unlocked the mutex.
      let fault = lastOf { () -> String? in
        let mutex = Contended()
        mutex.lock.withLock { $0 = 0 }
        guard_enter()
        let counts = mutex.takeWhileHeld()
        return counts.calls + counts.locks >= 1 ? nil : "nothing was counted"
      }
      #expect(fault == nil)
    }
  }
}

private final class Thing: @unchecked Sendable {}

private enum Seen {
  nonisolated(unsafe) static var thing: Thing? = Thing()
  nonisolated(unsafe) static var other: Thing?
  nonisolated(unsafe) static var number = 1
  nonisolated(unsafe) static var array: [Int] = []
}

private enum Late {
  static let value = Int.random(in: 1...10)
}

/// A mutex that another thread holds for a while.
private final class Contended: @unchecked Sendable {
  let lock = Locked(0)
  private let isHeld = Atomic<Bool>(false)

  func takeWhileHeld() -> guard_counts {
    _ = guard_leave()
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        let me = Unmanaged<Contended>.fromOpaque(argument!).takeUnretainedValue()
        me.lock.withLock { _ in
          me.isHeld.store(true, ordering: .releasing)
          usleep(20_000)
        }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    while !isHeld.load(ordering: .acquiring) { sched_yield() }
    guard_enter()
    lock.withLock { $0 += 1 }
    let counts = guard_leave()
    pthread_join(thread, nil)
    return counts
  }
}
