import NIOPosix

/// The threads that wait for a disk in the place of the event loop: they read pictures and covers. [any]
enum DiskReaders {
  /// How many read at a time.
  static let count = 2
  /// They begin with the first use, which `ViewServer` makes: NIO ends the process where it cannot have a thread.
  static let pool: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }()
}
