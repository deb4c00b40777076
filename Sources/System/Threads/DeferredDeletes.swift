import CSyscalls
import Glibc

/// Memory that a library in C++ has deleted while another thread of the library may still read it: freed later, after a
/// grace period, as read-copy-update does.
///
/// Works for libraries that are linked to the program and delete by the unsized `operator delete`.
public struct DeferredDeletes: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Makes it without memory.
  public init() {}

  deinit { for block in blocks { Glibc.free(block) } }

  /// The number of blocks that are deleted and not freed.
  public var count: Int { blocks.count }

  /// Runs `body`. What it deletes on this thread is kept unchanged until `free`.
  public mutating func collect<Result>(during body: () -> Result) -> Result {
    var deleted = vg_deleted()
    let result = withUnsafeMutablePointer(to: &deleted) { deleted in
      vg_defer_deletes(deleted)
      defer { vg_defer_deletes(nil) }
      return body()
    }
    withUnsafeBytes(of: deleted.blocks) { all in
      blocks += all.bindMemory(to: UnsafeMutableRawPointer?.self).prefix(deleted.count).compactMap { $0 }
    }
    return result
  }

  /// Frees what was deleted, once no thread can read it any more.
  public mutating func free() {
    for block in blocks { Glibc.free(block) }
    blocks = []
  }
}
