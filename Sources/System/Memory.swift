import CSyscalls

/// The memory of the whole process.
package enum Memory {
  /// Has large blocks given back to the system whenever they are freed, for programs that run for weeks. Once, at the
  /// start.
  package static func returnLargeBlocks() { vg_return_large_blocks() }
}
