import System

/// A host that waits for a server while another host runs the cycles. [any]
extension JackHost {
  /// Leaves the cycles to another host until `release`: goes on asking for a server, and only reports one that lets the
  /// client in. False where one has done so already.
  public func hold() -> Bool { lock.withLock { board.hold() } }

  /// Whether another host has the cycles.
  public var isHeld: Bool { lock.withLock { board.isHeld } }

  /// Takes the cycles, which the other host runs no more, with a plan for so many samples a second: `onReturn` is called as if
  /// a server had returned, at once where one is there.
  public func release(planned rate: Int) {
    lock.withLock { board.release(planned: rate) }
    common.doorbell.post()
  }

  /// Takes the cycles over where that was asked for. [jack]
  func takeOver(_ client: JackClient) {
    guard state.isHeld,
      let planned = lock.withLock({
        board.isReporting = !board.isHeld
        return board.isHeld ? nil : board.plannedRate
      })
    else { return }
    state.isHeld = false
    beginLeading(client)
    if state.rate != planned { onRateChange?(state.rate) }
    onReturn?(state.rate)
    lock.withLock { board.isReporting = false }
  }
}
