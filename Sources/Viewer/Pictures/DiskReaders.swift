import NIOPosix

/// Threads that read pictures and covers, because a disk would block the event loop. [any]
enum DiskReaders {
  static let count = 2
  /// Created by `ViewServer` before it is needed: NIO ends the process if it cannot create a thread.
  static let pool: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }()
}
