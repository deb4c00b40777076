import Glibc
import Synchronization
import System

/// The control side of the audio callback: which ports it has, and how to be sure that it does not run. [any]
extension JackCallback {
  /// Lets the callback run a cycle.
  borrowing func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Shuts the gate and waits for the running cycle to end. False when it did not within `seconds`.
  borrowing func shut(within seconds: Double) -> Bool {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    return settle(within: seconds)
  }

  /// Puts a port behind a number.
  borrowing func set(_ number: Int, handle: UnsafeMutableRawPointer, kind: UInt8) {
    slots[number].kind.store(kind, ordering: .relaxed)
    slots[number].handle.store(handle, ordering: .sequentiallyConsistent)
    if used.load(ordering: .relaxed) <= number { used.store(number + 1, ordering: .releasing) }
  }

  /// Says whether an input is connected.
  borrowing func set(_ number: Int, isConnected: Bool) {
    slots[number].kind.store(isConnected ? JackSlot.input : JackSlot.unconnected, ordering: .relaxed)
  }

  /// Takes the port away from a number. The caller waits with `settle` before it unregisters the port.
  borrowing func clear(_ number: Int) {
    slots[number].handle.store(nil, ordering: .sequentiallyConsistent)
  }

  /// Waits until no cycle runs that began before now. False when one still does after `seconds`.
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
