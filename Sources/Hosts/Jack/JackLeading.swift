import Realtime
import System

/// Who leads the server's transport. [jack] begins and ends it.
extension JackHost {
  /// Takes what leaders ask from now on.
  func beginLeading(_ client: JackClient) {
    gate.withLock { leader = client }
    common.transport.setLead { [weak self] request in self?.lead(request) }
  }

  /// There is no server, or none for long: nobody leads.
  func endLeading() {
    common.transport.setLead(nil)
    gate.withLock { leader = nil }
  }

  /// Under the gate, so that the client is not closed meanwhile; none of the requests waits for the server. [any]
  private func lead(_ request: HostTransport.Request) {
    gate.withLock {
      guard let leader, leader.loss == nil else { return }
      leader.lead(request)
    }
  }
}
