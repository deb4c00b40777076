public import Engine
import System

/// The ports of all clients, and connections by hand, for those who show a patchbay. [any]
extension JackHost {
  /// Asks for a connection of two ports by their full names, one of which is ours, or for its end; it counts as what the
  /// user has done in any patchbay. What is refused is reported.
  public func patch(from: String, to: String, isMade: Bool) {
    lock.withLock { board.patch(JackPatch(from: from, to: to, isMade: isMade)) }
    common.doorbell.post()
  }

  /// Full names of the ports that give sound and of those that take it, everybody's. They are looked at while a page
  /// asks, so the first answer may be empty.
  public var patchbay: HostPatchbay? {
    lock.withLock {
      board.patchbayEnd = MonotonicClock.seconds + 3
      return HostPatchbay(outputs: board.observation.outputs, inputs: board.observation.inputs)
    }
  }
}
