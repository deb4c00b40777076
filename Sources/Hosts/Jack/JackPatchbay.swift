public import Engine
import System

/// The ports of all clients, and connections by hand, for a patchbay on a page. [any]
extension JackHost {
  /// Requests that two ports be connected, or disconnected if not `isMade`. Both are full names; one port is this
  /// client's. It counts as a change of the user in any patchbay. A refusal of JACK is reported.
  public func patch(from: String, to: String, isMade: Bool) {
    lock.withLock { board.patch(JackPatch(from: from, to: to, isMade: isMade)) }
    common.doorbell.post()
  }

  /// Full names of the output ports and input ports of all clients. They are read while a page asks, for 3 s after
  /// each call, so the first answer may be empty.
  public var patchbay: HostPatchbay? {
    lock.withLock {
      board.patchbayEnd = MonotonicClock.seconds + 3
      return HostPatchbay(outputs: board.observation.outputs, inputs: board.observation.inputs)
    }
  }
}
