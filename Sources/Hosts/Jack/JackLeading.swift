import Realtime
import System

/// Leads the server's transport: passes what players request, such as a start or another position, to the server that is
/// the present one. [jack] calls all but `lead`.
extension JackHost {
  /// Sends requests of players to the transport of the client's server from now on.
  func beginLeading(_ client: JackClient) {
    gate.withLock { leader = client }
    common.transport.setLead { [weak self] request in self?.lead(request) }
  }

  /// Sends no requests any more: there is no server, or it is about to be left. A request that is being sent holds
  /// the gate, so it is sent before this returns.
  func endLeading() {
    common.transport.setLead(nil)
    gate.withLock { leader = nil }
  }

  /// Sends a request under the gate, so that the client is not closed meanwhile. No request waits for the server.
  /// [any]
  private func lead(_ request: HostTransport.Request) {
    gate.withLock {
      guard let leader, leader.loss == nil else { return }
      leader.lead(request)
    }
  }
}
