import Glibc
import Synchronization
import System

/// The control side of the audio callback: sets its ports, and waits until no cycle runs. [any]
extension JackCallback {
  /// Lets the callback run cycles.
  borrowing func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Shuts the gate and waits for the running cycle. Returns false if it has not ended after `seconds`.
  borrowing func shut(within seconds: Double) -> Bool {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    return settle(within: seconds)
  }

  /// Assigns a port to a port number.
  borrowing func set(_ number: Int, handle: UnsafeMutableRawPointer, kind: UInt8) {
    slots[number].kind.store(kind, ordering: .relaxed)
    slots[number].handle.store(handle, ordering: .sequentiallyConsistent)
    if used.load(ordering: .relaxed) <= number { used.store(number + 1, ordering: .releasing) }
  }

  /// Notes whether an input is connected.
  borrowing func set(_ number: Int, isConnected: Bool) {
    slots[number].kind.store(isConnected ? JackSlot.input : JackSlot.unconnected, ordering: .relaxed)
  }

  /// Removes the port of a port number. The caller waits with `settle` before it unregisters the port.
  borrowing func clear(_ number: Int) {
    slots[number].handle.store(nil, ordering: .sequentiallyConsistent)
  }

  /// Waits for the end of a cycle that began before now. Returns false if it still runs after `seconds`.
  borrowing func settle(within seconds: Double) -> Bool {
    let before = cycles.load(ordering: .sequentiallyConsistent)
    let deadline = Deadline.after(seconds: seconds)
    while isBusy.load(ordering: .sequentiallyConsistent),
      cycles.load(ordering: .sequentiallyConsistent) == before
    {
      if deadline.isOver { return false }
      usleep(200)
    }
    return true
  }
}
