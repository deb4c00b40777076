import CRealtime
import Glibc
import Synchronization

/// Writes bytes to a file on a thread of its own, within a quarter of a second: a slow disk delays no light.
final class BackgroundWriter: @unchecked Sendable {
  private let descriptor: Int32
  private let waiting = Mutex<[UInt8]>([])
  private let isClosing = Atomic<Bool>(false)
  private let failure = Atomic<Int32>(0)
  private let bell = Semaphore()
  private var thread: OSThread?

  /// Takes over a descriptor.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    thread = OSThread(name: "levels file", priority: 0) { [unowned self] in
      while !isClosing.load(ordering: .acquiring) {
        _ = bell.wait(seconds: 0.25)
        write()
      }
      write()
    }
  }

  deinit { _ = close() }

  /// Takes bytes; never waits for the file. [frame]
  func add(_ bytes: [UInt8]) { waiting.withLock { $0.append(contentsOf: bytes) } }

  /// Writes what is left and closes; gives the first `errno` there was, else 0. [control]
  func close() -> Int32 {
    if let thread {
      isClosing.store(true, ordering: .releasing)
      bell.post()
      thread.join()
      self.thread = nil
      if Glibc.close(descriptor) != 0 { fail() }
    }
    return failure.load(ordering: .relaxed)
  }

  private func write() {
    let bytes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return fail() }
        rest = rest.dropFirst(written)
      }
    }
  }

  private func fail() {
    if failure.load(ordering: .relaxed) == 0 { failure.store(errno, ordering: .relaxed) }
  }
}
