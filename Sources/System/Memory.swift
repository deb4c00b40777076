import CSyscalls

/// Settings of the C library's allocator, for the whole process.
package enum Memory {
  /// Makes the allocator return large blocks to the system when they are freed, for programs that run for weeks. To be
  /// called once, at the start.
  package static func returnLargeBlocks() { vg_return_large_blocks() }

  /// Makes all threads share one heap if address space is limited: each further heap would reserve 64 MB of it, which
  /// stacks need. To be called before threads are started.
  package static func saveAddresses() { vg_save_addresses() }
}
