import Dispatch
import System
import TestSupport
import Testing

@testable import visgraph

/// The exit code of an end that the control thread does not complete.
@Suite(.waiting) struct StopWatchdogTests {
  /// The exit code at the end of a time limit that is over already.
  private func code(
    losesData: Bool, finish: @escaping @Sendable (_ code: @escaping @Sendable (Int32) -> Void) -> Void
  ) -> Int32 {
    let steps = StopWatchdog.Steps(darken: { _ in }, finish: finish, losesData: { losesData })
    return StopWatchdog.finish(steps, from: DispatchTime.now() - 1.0)
  }

  @Test func `files are closed after lights that are late`() {
    // Where the machine stands still for 2 s, the lights of a try are later than the limit.
    let wrong: [String]? = lastOf {
      let order = Locked<[String]>([])
      let steps = StopWatchdog.Steps(
        darken: { _ in
          // A frame thread that gets no processor for 0.9 s.
          _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.9)
          order.withLock { $0.append("dark") }
        },
        finish: { code in
          order.withLock { $0.append("finish") }
          code(3)
        }, losesData: { false })
      #expect(StopWatchdog.end(steps, from: .now()) == 3)
      let events = order.withLock { $0 }
      return events == ["dark", "finish"] ? nil : events
    }
    #expect(wrong == nil)
  }

  @Test func `lights that never go out do not prevent the end`() {
    let hung = DispatchSemaphore(value: 0)
    defer { hung.signal() }
    let steps = StopWatchdog.Steps(darken: { _ in hung.wait() }, finish: { $0(3) }, losesData: { false })
    #expect(StopWatchdog.end(steps, from: .now()) == 3)
  }

  @Test(arguments: [false, true])
  func `while writing hangs, the exit code is 1 if a file has lost data`(losesData: Bool) {
    let written = DispatchSemaphore(value: 0)
    defer { written.signal() }
    let code = code(losesData: losesData) { _ in written.wait() }
    #expect(code == (losesData ? 1 : 0))
  }

  @Test func `the exit code is 1 if a file has lost data that writing did not report`() {
    let code = code(losesData: true) { _ in }
    #expect(code == 1)
  }
}
