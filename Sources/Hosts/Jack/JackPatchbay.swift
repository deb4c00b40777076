public import Engine
import System

/// The ports of all clients, and connections by hand, for a patchbay on a page. [any]
extension JackHost {
  /// Requests that two ports be connected, or disconnected if not `isMade`. Both are full names; one port is this
  /// client's. The host keeps and restores the connection like one that the user makes in a patchbay such as QjackCtl.
  /// It reports a refusal of JACK.
  public func patch(from: String, to: String, isMade: Bool) {
    lock.withLock { shared.patch(JackPatch(from: from, to: to, isMade: isMade)) }
    common.wakeUp.post()
  }

  /// Full names of the output ports and input ports of all clients, as read last. The control thread of the host reads
  /// them for 3 s after each call, so the first answer may be empty. Never nil.
  public var patchbay: HostPatchbay? {
    lock.withLock {
      shared.patchbayEnd = MonotonicClock.seconds + 3
      return HostPatchbay(outputs: shared.observation.outputs, inputs: shared.observation.inputs)
    }
  }
}
