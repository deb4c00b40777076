import Glibc
import System
import Testing

@Suite struct ThreadCountTests {
  @Test func `a process learns how many threads it may have, up to the number that it needs`() async throws {
    try Thread.check(0)
    try Thread.check(100)
    // The stacks together need more than the address space.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      do throws(ThreadError) { try Thread.check(5000) } catch {
        guard case .tooFew(let count, of: 5000) = error, count > 0, count < 5000 else { exit(2) }
        exit(0)
      }
      exit(3)
    }
  }
}
