import Glibc
import Synchronization
import System
import TestSupport
import Testing

@Suite(.waiting) struct DescriptorTests {
  @Test func `all bytes are written, in as many pieces as the pipe accepts`() throws {
    let pipe = try ChildPipe()
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let error = Locked<Errno?>(Errno(EIO))
    let thread = try Thread {
      let found = bytes.withUnsafeBytes {
        Descriptor.write($0, to: pipe.writing, timeout: 1, isGivenUp: { false })
      }
      error.withLock { $0 = found }
      close(pipe.writing)
    }
    let read = try Descriptor.readAll(from: pipe.reading, most: 1_000_000)
    thread.join()
    close(pipe.reading)
    #expect(error.withLock { $0 } == nil)
    #expect(read == bytes)
  }

  @Test func `a write to a reader that takes nothing ends on request`() throws {
    let pipe = try ChildPipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 1, count: 2_000_000)
    #expect(Descriptor.write(bytes, to: pipe.writing) == Errno(EAGAIN))
    var giveUpChecks = 0
    let error = bytes.withUnsafeBytes {
      Descriptor.write($0, to: pipe.writing, timeout: 1) {
        giveUpChecks += 1
        return giveUpChecks == 3
      }
    }
    #expect(error == Errno(EAGAIN) && giveUpChecks == 3)
    #expect(bytes.withUnsafeBytes { Descriptor.writeSome($0, to: pipe.writing) } == .failure(Errno(EAGAIN)))
  }

  @Test func `the system's error is returned or thrown`() throws {
    #expect(Descriptor.write([1], to: -1) == Errno(EBADF))
    #expect(Descriptor.write([], to: -1) == nil)
    #expect(throws: Errno(EBADF)) { try Descriptor.readSome(1, from: -1) }
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    #expect(Descriptor.write([1], to: full) == Errno(ENOSPC))
    #expect(Errno(ENOSPC).text == "No space left on device")
  }

  @Test func `a file above the limit is nil`() throws {
    for (count, most) in [(10, 10), (11, 10), (70_000, 70_000), (70_001, 70_000), (0, 0)] {
      let pipe = try ChildPipe(room: 1 << 20)
      _ = Descriptor.write([UInt8](repeating: 5, count: count), to: pipe.writing)
      close(pipe.writing)
      let read = try Descriptor.readAll(from: pipe.reading, most: most)
      close(pipe.reading)
      #expect(read?.count == (count <= most ? count : nil))
    }
  }
}

@Suite struct RegularFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], _ name: String) -> String {
    let path = folder.path + "/" + name
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = Descriptor.write(bytes, to: file)
    close(file)
    return path
  }

  @Test func `a regular file is read whole, and at any place`() throws {
    let path = write([1, 2, 3, 4, 5], "five")
    #expect(try RegularFile.bytes(of: path, most: 5) == [1, 2, 3, 4, 5])
    let file = try RegularFile(path)
    #expect(file.size == 5 && file.path == path && RegularFile.isRegular(file.descriptor))
    #expect(file.bytes(at: 1, count: 2) == [2, 3])
    #expect(file.bytes(at: 3, count: 9) == [4, 5])
    #expect(file.bytes(at: 5, count: 1) == [] && file.bytes(at: -1, count: 1) == [])
    #expect(try RegularFile.bytes(of: write([], "none"), most: 0) == [])
  }

  @Test func `an open file stays readable after it is deleted`() throws {
    let path = write([7], "gone")
    let file = try RegularFile(path)
    unlink(path)
    #expect(file.bytes(at: 0, count: 1) == [7])
    #expect(throws: RegularFile.Refusal.system(Errno(ENOENT))) { try RegularFile(path) }
  }

  @Test func `folders, pipes, devices and files above the limit are refused unread`() throws {
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    let giant = write([], "giant")
    #expect(truncate(giant, 1 << 40) == 0)
    #expect(throws: RegularFile.Refusal.folder) { try RegularFile(folder.path) }
    #expect(throws: RegularFile.Refusal.notRegular) { try RegularFile(fifo) }
    #expect(throws: RegularFile.Refusal.notRegular) { try RegularFile("/dev/zero") }
    #expect(throws: RegularFile.Refusal.tooLarge) { try RegularFile.bytes(of: giant, most: 1 << 20) }
    #expect(throws: RegularFile.Refusal.tooLarge) {
      try RegularFile.bytes(of: write([1, 2], "two"), most: 1)
    }
    #expect(throws: RegularFile.Refusal.system(Errno(EINVAL))) { try RegularFile(giant + "\0") }
    #expect(throws: RegularFile.Refusal.system(Errno(ENOTDIR))) { try RegularFile(giant + "/a") }
  }

  @Test func `a file without a size is read to its end`() throws {
    let text = String(decoding: try RegularFile.bytes(of: "/proc/self/stat", most: 4096), as: UTF8.self)
    #expect(text.hasPrefix("\(getpid()) ("))
    #expect(throws: RegularFile.Refusal.tooLarge) { try RegularFile.bytes(of: "/proc/self/stat", most: 3) }
  }

  @Test func `a file is closed with its object`() throws {
    let number = try RegularFile(write([1], "one")).descriptor
    // Another thread may have got the number meanwhile, but not for this file.
    var (found, own) = (stat(), stat())
    stat(folder.path + "/one", &own)
    #expect(fstat(number, &found) != 0 || found.st_ino != own.st_ino)
  }

  @Test func `links are followed to the real path`() throws {
    let path = write([1], "there")
    #expect(symlink(path, folder.path + "/link") == 0)
    #expect(RealPath(folder.path + "/link")?.text == RealPath(path)?.text)
    #expect(RealPath(path)?.text.hasSuffix("/there") == true)
    #expect(RealPath(folder.path + "/nowhere") == nil)
    let real = try #require(RealPath(path))
    #expect(real.isWithin(["/nowhere", RealPath(folder.path)?.text ?? ""]) && real.isWithin(["/"]))
    #expect(!real.isWithin([real.text + "/", real.text + "s", String(real.text.dropLast(2))]))
  }
}

@Suite struct ChildProcessTests {
  /// The output of a child at its descriptors 1 and 2, and how it ended.
  private func run(_ script: String) throws -> (ending: ChildProcess.Ending, output: [String]) {
    let pipes = [try ChildPipe(), try ChildPipe()]
    let child = try ChildProcess(
      ["sh", "-c", script], descriptors: [1: pipes[0].writing, 2: pipes[1].writing])
    for pipe in pipes { close(pipe.writing) }
    let output = try pipes.map { pipe in
      defer { close(pipe.reading) }
      return String(decoding: try Descriptor.readAll(from: pipe.reading, most: 4096) ?? [], as: UTF8.self)
    }
    return (child.wait(), output)
  }

  @Test func `a child's output and its exit code arrive`() throws {
    let (ending, output) = try run("echo out; echo err >&2; exit 3")
    #expect(ending == .code(3) && output == ["out\n", "err\n"])
  }

  @Test func `a killed child reports the signal, and its own children are killed, too`() throws {
    let pipe = try ChildPipe()
    let child = try ChildProcess(["sh", "-c", "sleep 1000 & echo; wait"], descriptors: [1: pipe.writing])
    close(pipe.writing)
    #expect(try Descriptor.readSome(1, from: pipe.reading) == [10])
    #expect(child.ending() == nil)
    child.kill()
    #expect(child.wait() == .signal(SIGKILL))
    // The child's `sleep` had the other end of the pipe, too.
    #expect(try Descriptor.readAll(from: pipe.reading, most: 100) == [])
    close(pipe.reading)
  }

  @Test func `unnamed descriptors lead to /dev/null, and the child inherits no other descriptor of ours`()
    throws
  {
    let pipe = try ChildPipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    let (ending, output) = try run("cat; test -e /proc/self/fd/\(pipe.writing) && echo open; exit 0")
    #expect(ending == .code(0) && output == ["", ""])
  }

  @Test func `a fourth descriptor arrives under its number`() throws {
    let (input, output) = (try ChildPipe(), try ChildPipe())
    let child = try ChildProcess(
      ["sh", "-c", "cat <&3"], descriptors: [1: output.writing, 3: input.reading])
    close(output.writing)
    close(input.reading)
    #expect(Descriptor.write(Array("sound".utf8), to: input.writing) == nil)
    close(input.writing)
    #expect(try Descriptor.readAll(from: output.reading, most: 100) == Array("sound".utf8))
    close(output.reading)
    #expect(child.wait() == .code(0))
  }

  @Test func `a program that does not exist throws ENOENT`() {
    #expect(throws: Errno(ENOENT)) { try ChildProcess(["visgraph-no-such-program"], descriptors: [:]) }
  }

  @Test func `a child's CPU time is counted while it runs`() throws {
    let child = try ChildProcess(["sh", "-c", "while :; do :; done"], descriptors: [:])
    #expect(poll(within: 20) { (child.processorTime ?? 0) > 1000 })
    child.kill()
    _ = child.wait()
    #expect(child.processorTime == nil)
  }
}
