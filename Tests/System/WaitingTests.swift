import Glibc
import Synchronization
import System
import TestSupport
import Testing

/// Latches, semaphores, monitors, locks and wake pipes.
@Suite(.waiting) struct WaitingTests {
  @Test func `a latch that never resets stays set`() {
    let latch = Latch(resets: .never)
    #expect(!latch.wait(until: .after(seconds: 0)))
    latch.set()
    #expect(latch.wait(until: .after(seconds: 0)))
    #expect(latch.wait(until: .after(seconds: 0)))
  }

  @Test func `a latch that resets ends one wait for all sets before it`() {
    let latch = Latch(resets: .afterWait)
    latch.set()
    latch.set()
    #expect(latch.wait(until: .after(seconds: 0)))
    #expect(!latch.wait(until: .after(seconds: 0)))
    latch.set()
    #expect(latch.wait())
  }

  @Test func `a latch wakes a thread that waits without a timeout`() throws {
    for reset in [Latch.Reset.never, .afterWait] {
      let latch = Latch(resets: reset)
      let woken = Atomic<Bool>(false)
      let thread = try Thread { woken.store(latch.wait(), ordering: .releasing) }
      #expect(stays(for: 0.02) { !woken.load(ordering: .acquiring) })
      latch.set()
      thread.join()
      let isWoken = woken.load(ordering: .acquiring)
      #expect(isWoken)
    }
  }

  @Test func `a wait with a timeout is no shorter than the timeout`() {
    let begin = MonotonicClock.seconds
    #expect(!Latch(resets: .never).wait(until: .after(seconds: 0.03)))
    #expect(!Semaphore().wait(seconds: 0.03))
    #expect(MonotonicClock.seconds - begin >= 0.06)
  }

  @Test func `a semaphore ends as many waits as it was posted`() {
    let semaphore = Semaphore()
    semaphore.post()
    semaphore.poster.post()
    sem_post(semaphore.pointer)
    #expect((0..<4).map { _ in semaphore.wait(seconds: 0) } == [true, true, true, false])
    semaphore.post()
    semaphore.post()
    semaphore.drain()
    #expect(!semaphore.wait(seconds: 0))
    #expect(!semaphore.wait(seconds: -1))
  }

  @Test func `a monitor waits until its value is ready, and changes it then`() throws {
    let counter = Monitor(0)
    let thread = try Thread { for _ in 0..<1000 { counter.withLock { $0 += 1 } } }
    #expect(counter.wait(for: { $0 == 1000 }) { $0 += 1 } != nil)
    thread.join()
    #expect(counter.withLock { $0 } == 1001)
    #expect(counter.wait(until: .after(seconds: 0), for: { $0 < 0 }) { $0 = 7 } == nil)
    #expect(counter.withLock { $0 } == 1001)
  }

  @Test func `a locked value that another thread holds is not waited for unless requested`() throws {
    let (value, holds, gate) = (Locked(1), Latch(resets: .never), Latch(resets: .never))
    let thread = try Thread {
      value.withLock { value in
        value = 2
        holds.set()
        gate.wait()
      }
    }
    holds.wait()
    #expect(value.withLockIfAvailable { $0 } == nil)
    gate.set()
    #expect(value.withLock { $0 } == 2)
    thread.join()
    #expect(value.withLockIfAvailable { $0 } == 2)
  }

  @Test func `a wake pipe stays readable after it was rung, however often`() throws {
    let pipe = try #require(WakePipe())
    #expect(!pipe.wait(seconds: 0))
    // More than a pipe holds.
    for _ in 0..<100_000 { pipe.wake() }
    #expect(pipe.wait(seconds: 0))
    #expect(!pipe.drain())
    pipe.wake()
    #expect(Descriptor.waits(for: POLLIN, on: pipe.descriptor, milliseconds: 0))
    #expect(pipe.drain())
    #expect(!Descriptor.waits(for: POLLIN, on: pipe.descriptor, milliseconds: 0))
  }
}

@Suite struct ClockTests {
  @Test func `the monotonic clock never goes back`() {
    var last = MonotonicClock.now
    for _ in 0..<10_000 {
      let now = MonotonicClock.now
      #expect(now >= last)
      last = now
    }
    #expect(MonotonicClock.seconds >= Double(last) * 1e-9)
  }

  @Test func `a sleep ends at its time, not before`() {
    let moment = MonotonicClock.now + 3_000_000
    MonotonicClock.sleep(until: moment)
    #expect(MonotonicClock.now >= moment)
  }

  @Test func `a deadline has passed once its time has come`() {
    #expect(Deadline.after(seconds: 0).isOver)
    #expect(Deadline.after(seconds: -5).isOver && Deadline.after(seconds: .nan).isOver)
    #expect(Deadline.after(seconds: 0).seconds == 0 && Deadline.after(seconds: 0).milliseconds == 0)
    let soon = Deadline.after(seconds: 100)
    #expect(!soon.isOver && soon.seconds <= 100 && soon.seconds > 1)
    #expect(soon.milliseconds <= 100_000 && soon.milliseconds > 1000)
  }

  @Test func `a time too far away is never`() {
    #expect(Deadline.after(seconds: .infinity) == .never && Deadline.after(seconds: 1e300) == .never)
    #expect(!Deadline.never.isOver && Deadline.never.seconds == .infinity)
    #expect(Deadline.never.milliseconds == 3_600_000)
  }

  @Test func `a time is seconds and nanoseconds`() {
    let time = timespec(nanoseconds: 12_000_000_034)
    #expect(time.tv_sec == 12 && time.tv_nsec == 34 && time.nanoseconds == 12_000_000_034)
    #expect(WallClock.now.tv_sec > 1_700_000_000)
  }
}

@Suite struct RandomStreamTests {
  @Test func `a seed gives the published numbers`() {
    // The first numbers of the reference code in C (Vigna), seed 1234567.
    var stream = RandomStream(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in stream.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `the finalizer maps 0 to 0`() {
    #expect(RandomStream.mixed(0) == 0)
    #expect(RandomStream.mixed(1) != 1)
  }
}
