import Glibc
import TestSupport
import Testing

@testable import visgraph

@Suite struct FileWatchTests {
  /// Long before anything is read.
  private func age(_ path: String) {
    var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  @Test func `a change of the file or of one that it names is told once`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write("a", to: "graph")
    let other = try folder.write("b", to: "other")
    age(other)
    var watch = FileWatch(graph)
    watch.follow([other])
    let told1 = watch.hasChanged()
    #expect(!told1)
    _ = try folder.write("longer", to: "other")
    let told2 = watch.hasChanged()
    #expect(told2)
    let told3 = watch.hasChanged()
    #expect(!told3)
    _ = try folder.write("longer", to: "graph")
    let told4 = watch.hasChanged()
    #expect(told4)
    let told5 = watch.hasChanged()
    #expect(!told5)
  }

  @Test func `a file that is not there yet is told when it comes, and one that goes for a moment is not`()
    throws
  {
    let folder = try TemporaryFolder()
    var watch = FileWatch(try folder.write("a", to: "graph"))
    watch.follow([folder.file("other")])
    let told6 = watch.hasChanged()
    #expect(!told6)
    let other = try folder.write("b", to: "other")
    let told7 = watch.hasChanged()
    #expect(told7)
    rename(other, folder.file("away"))
    let told8 = watch.hasChanged()
    #expect(!told8)
    rename(folder.file("away"), other)
    let told9 = watch.hasChanged()
    #expect(!told9)
  }

  @Test func `a file written while it was read is told, one with a time to come is not`() throws {
    let folder = try TemporaryFolder()
    var watch = FileWatch(try folder.write("a", to: "graph"))
    let other = try folder.write("b", to: "other")
    watch.follow([other])
    let told10 = watch.hasChanged()
    #expect(told10)
    var times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, other, &times, 0)
    watch.follow([other])
    let told11 = watch.hasChanged()
    #expect(!told11)
  }

  @Test func `files that are no longer named are no longer followed`() throws {
    let folder = try TemporaryFolder()
    var watch = FileWatch(try folder.write("a", to: "graph"))
    let other = try folder.write("b", to: "other")
    age(other)
    watch.follow([other])
    watch.follow([])
    _ = try folder.write("longer", to: "other")
    let told12 = watch.hasChanged()
    #expect(!told12)
  }
}
