import CSyscalls

/// The memory of the whole process.
package enum Memory {
  /// Has large blocks given back to the system whenever they are freed, for programs that run for weeks. Once, at the
  /// start.
  package static func returnLargeBlocks() { vg_return_large_blocks() }

  /// Where address space is limited, has all threads share one heap: each would take 64 MB of it for another, and none be
  /// left for the stack of a thread. Before there are threads.
  package static func saveAddresses() { vg_save_addresses() }
}
