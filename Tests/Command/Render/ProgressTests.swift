import Testing

@testable import visgraph

/// The progress bar of long jobs.
@Suite struct ProgressTests {
  private static func bar(_ full: Int) -> String {
    String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
  }

  @Test func `the bar states the seconds that are left once a hundredth of the job is done`() {
    #expect(Progress.line(part: 0, pictures: 0, elapsed: 30) == "\(Self.bar(0)) 0 % ")
    #expect(Progress.line(part: 0.009, pictures: 0, elapsed: 30) == "\(Self.bar(0)) 0 % ")
    #expect(Progress.line(part: 0.25, pictures: 0, elapsed: 30) == "\(Self.bar(7)) 25 %  90 s left ")
    #expect(Progress.line(part: 1, pictures: 0, elapsed: 30) == "\(Self.bar(30)) 100 %  0 s left ")
  }

  @Test func `the bar states the pace of pictures once there are any`() {
    #expect(
      Progress.line(part: 0.5, pictures: 45, elapsed: 30) == "\(Self.bar(15)) 50 %  2 pictures/s  30 s left ")
  }
}
