import CSyscalls

/// Settings of the C library's allocator, for the whole process.
package enum Memory {
  /// Makes large blocks return to the system whenever they are freed, for programs that run for weeks. To be called
  /// once, at the start.
  package static func returnLargeBlocks() { vg_return_large_blocks() }

  /// Makes all threads share one heap if address space is limited: each further heap reserves 64 MB of it, and nothing
  /// would be left for stacks. To be called before there are threads.
  package static func saveAddresses() { vg_save_addresses() }
}
