import Foundation
import Glibc
import TestSupport
import Testing

@testable import System

/// Files that are written whole before they replace the old ones.
@Suite struct WholeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  private func bytes(_ path: String) -> [UInt8]? { try? RegularFile.bytes(of: path, most: 1000) }

  @Test func `a file is created, or replaced with its permissions, and a link is followed`() throws {
    let path = folder.file("a")
    try WholeFile.write([1, 2, 3], to: path)
    #expect(bytes(path) == [1, 2, 3])
    chmod(path, 0o640)
    let link = folder.file("link")
    #expect(symlink("a", link) == 0)
    try WholeFile.write([4], to: link)
    var status = stat()
    #expect(bytes(path) == [4] && lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(bytes(path + ".new") == nil)
  }

  @Test(arguments: [false, true])
  func `other files in the folder stay, whatever their names, and no temporary file remains`(named: Bool)
    throws
  {
    let path = try folder.write("old", to: "a")
    let others = ["a.new", "a~", ".a.swp", "a.part", "a.tmp", ".visgraph-\(getpid())-0.part"]
    for other in others { _ = try folder.write("precious", to: other) }
    let file = try WholeFile(path, named: named)
    try file.write([1, 2])
    #expect(bytes(path) == Array("old".utf8))
    try file.keep()
    #expect(bytes(path) == [1, 2])
    for other in others { #expect(bytes(folder.file(other)) == Array("precious".utf8), "\(other)") }
    #expect(try names() == Set(others + ["a"]))
  }

  @Test(arguments: [false, true])
  func `an abandoned file leaves nothing, and one that may not replace another reports that`(named: Bool)
    throws
  {
    let path = folder.file("a")
    do { try WholeFile(path, named: named).write([1]) }
    #expect(try names() == [])
    let (first, second) = (try WholeFile(path, named: named), try WholeFile(path, named: named))
    try first.write([1])
    try second.write([2])
    try first.keep(replacing: false)
    #expect(throws: Errno(EEXIST)) { try second.keep(replacing: false) }
    #expect(bytes(path) == [1])
    try second.keep()
    #expect(bytes(path) == [2])
    #expect(try names() == ["a"])
  }

  @Test func `devices, pipes and links to them are not replaced`() throws {
    #expect(throws: Errno(ENOTSUP)) { try WholeFile.write([1], to: "/dev/null") }
    let (pipe, link) = (folder.file("pipe"), folder.file("link"))
    #expect(mkfifo(pipe, 0o600) == 0 && symlink("/dev/null", link) == 0)
    for path in [pipe, link] { #expect(throws: Errno(ENOTSUP)) { try WholeFile.write([1], to: path) } }
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `a file in the way is moved to the first free number`() throws {
    let path = try folder.write("old", to: "a")
    _ = try folder.write("older", to: "a.1")
    #expect(try WholeFile.moveAside(path) == path + ".2")
    #expect(try names() == ["a.1", "a.2"] && bytes(path + ".2") == Array("old".utf8))
  }

  @Test func `a lock on a file outlives the file's replacement, and ends with its holder`() throws {
    let path = try folder.write("old", to: "a")
    var lock: FileLock? = try FileLock(path)
    #expect(throws: FileLock.Refusal.taken) { try FileLock(path) }
    let file = try WholeFile(path)
    let next = try FileLock(file)
    try file.write([1])
    try file.keep()
    #expect(lock != nil)
    lock = nil
    #expect(throws: FileLock.Refusal.taken) { try FileLock(path) }
    withExtendedLifetime((lock, next)) {}
    #expect(throws: FileLock.Refusal.system(Errno(ENOENT))) { try FileLock(folder.file("none")) }
  }

  @Test func `a released lock is free although a program that was starting meanwhile has a copy of it`()
    throws
  {
    let path = try folder.write("", to: "a")
    var lock: FileLock? = try FileLock(path)
    // The state after a fork, before exec.
    let copies = (0..<1024 as Range<Int32>).filter { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
    }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1 && lock != nil)
    lock = nil
    #expect(throws: Never.self) { try FileLock(path) }
  }

  @Test func `a folder that does not exist is reported, and nothing is kept`() throws {
    #expect(throws: Errno(ENOENT)) { try WholeFile.write([1], to: folder.file("none/a")) }
    #expect(throws: Errno(EISDIR)) { try WholeFile.write([1], to: folder.path) }
  }
}
