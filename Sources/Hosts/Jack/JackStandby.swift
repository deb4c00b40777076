import System

/// A stand-by host waits for a server while another host runs the cycles. [any]
extension JackHost {
  /// Leaves the cycles to another host until `release`. This host goes on asking for a server; one that admits the
  /// client is only reported. Returns false if a server has admitted it already.
  public func hold() -> Bool { lock.withLock { shared.hold() } }

  /// Whether another host runs the cycles.
  public var isHeld: Bool { lock.withLock { shared.isHeld } }

  /// Takes the cycles over, after the other host has stopped, with a plan for `rate` in Hz. `onReturn` is called as
  /// after a loss, at once where there is a server.
  public func release(planned rate: Int) {
    lock.withLock { shared.release(planned: rate) }
    common.wakeUp.post()
  }

  /// Takes the cycles over if `release` has been called. [jack]
  func takeOver(_ client: JackClient) {
    guard state.isHeld,
      let planned = lock.withLock({
        shared.isReporting = !shared.isHeld
        return shared.isHeld ? nil : shared.plannedRate
      })
    else { return }
    state.isHeld = false
    beginLeading(client)
    if state.rate != planned { onRateChange?(state.rate) }
    onReturn?(state.rate)
    lock.withLock { shared.isReporting = false }
  }
}
