import Foundation
import System
import TestSupport
import Testing

@Suite struct MemoryPressureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(waited microseconds: Int) throws -> String {
    try folder.write(
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=\(microseconds)\nfull avg10=0.00 total=7\n", to: "memory")
  }

  @Test func `memory is short when tasks wait for it a tenth of the time, and for ten seconds more`() throws {
    let path = try write(waited: 5_000_000)
    var memory = try #require(MemoryPressure(pressure: path, events: nil, at: 100))
    var found = [memory.isShort(at: 101)]
    _ = try write(waited: 5_090_000)
    found.append(memory.isShort(at: 102))
    #expect(found == [false, false])
    _ = try write(waited: 5_200_000)
    // The file is read once a second.
    found = [102.9, 103, 112.9, 113.1].map { memory.isShort(at: $0) }
    #expect(found == [false, true, true, false])
    // A counter that goes back is no shortage.
    _ = try write(waited: 0)
    let isShort = memory.isShort(at: 115)
    #expect(!isShort)
  }

  @Test func `memory is short when the control group reaches a limit`() throws {
    func write(_ high: Int, _ oom: Int) throws -> String {
      try folder.write("low 9\nhigh \(high)\nmax 0\noom \(oom)\noom_kill \(oom)\n", to: "memory.events")
    }
    let path = try write(3, 0)
    var memory = try #require(MemoryPressure(pressure: "/nowhere", events: path, at: 0))
    var found = [memory.isShort(at: 1)]
    _ = try write(3, 1)
    found += [memory.isShort(at: 2), memory.isShort(at: 12)]
    _ = try write(4, 1)
    found.append(memory.isShort(at: 13))
    #expect(found == [false, true, false, true])
  }

  @Test func `without the kernel's file there is no memory pressure to read`() throws {
    #expect(MemoryPressure(pressure: "/nowhere", events: nil, at: 0) == nil)
    let text = try folder.write("no numbers here\n", to: "memory")
    #expect(MemoryPressure(pressure: text, events: nil, at: 0) == nil)
  }

  @Test
  func `the free space of a disk is known for a file that does not exist yet, but not outside any folder`()
    throws
  {
    #expect(try #require(DiskSpace.free(for: folder.file("new"))) > 0)
    #expect(DiskSpace.free(for: "relative") != nil)
    #expect(DiskSpace.free(for: "/proc/self/nowhere/file") == nil)
    // A file system without free space.
    #expect(DiskSpace.free(for: "/proc/self/status") == 0)
  }
}
