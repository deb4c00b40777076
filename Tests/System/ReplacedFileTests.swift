import Glibc
import System
import TestSupport
import Testing

/// Files that are replaced as a whole.
@Suite struct ReplacedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ path: String) -> [UInt8]? { try? RegularFile.bytes(of: path, most: 1000) }

  @Test func `a file is made, and replaced with its permissions, a link with what it leads to`() throws {
    let path = folder.file("a")
    try ReplacedFile.write([1, 2, 3], to: path)
    #expect(bytes(path) == [1, 2, 3])
    chmod(path, 0o640)
    let link = folder.file("link")
    #expect(symlink("a", link) == 0)
    try ReplacedFile.write([4], to: link)
    var status = stat()
    #expect(bytes(path) == [4] && lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(bytes(path + ".new") == nil)
  }

  @Test func `what a killed process has left is written over, but no link is followed there`() throws {
    let path = folder.file("a")
    _ = try folder.write("half of something", to: "a.new")
    try ReplacedFile.write([1], to: path)
    #expect(bytes(path) == [1])
    _ = try folder.write("precious", to: "other")
    #expect(symlink("other", path + ".new") == 0)
    #expect(throws: Errno(EEXIST)) { try ReplacedFile.write([2], to: path) }
    #expect(bytes(path) == [1] && bytes(folder.file("other")) == Array("precious".utf8))
  }

  @Test func `a folder that is not there keeps nothing, and says so`() throws {
    #expect(throws: Errno(ENOENT)) { try ReplacedFile.write([1], to: folder.file("none/a")) }
    #expect(throws: Errno(EISDIR)) { try ReplacedFile.write([1], to: folder.path) }
  }
}
