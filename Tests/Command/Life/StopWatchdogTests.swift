import Dispatch
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
