public import Engine
import Graphs
import Synchronization
import System

/// Snapshots of the host. [any]
extension JackHost {
  /// The state of the JACK server; cheaper than `status`, which sorts the ports.
  public var server: HostServer? {
    let (name, hasServer, hadServer) = lock.withLock {
      (shared.observation.name, shared.observation.hasServer, shared.first == .opened)
    }
    let isStalled = hasServer && gate.withLock { stall != nil }
    let state: HostServer.State =
      hasServer ? isStalled ? .stalled : .running : hadServer ? .lost : .waiting
    return .jack(client: name.isEmpty ? clientName : name, state)
  }

  /// The state of the server, the counters, and the ports with their connections.
  public var status: HostStatus {
    let server = server
    let (observation, ports) = lock.withLock { (shared.observation, shared.ports) }
    var status = HostStatus(name: "jack", manner: "in JACK", server: server, rate: observation.rate)
    status.period = period
    status.xruns = xruns
    status.load = observation.load
    status.outputLatency = observation.outputLatency
    status.isFreewheeling = isFreewheeling
    status.locksMemory = true
    let name = server?.client ?? clientName
    status.ports = ports.values.sorted { $0.number < $1.number }.map { port in
      .init(
        port: port, fullName: "\(name):\(port.name)", connections: observation.connections[port.name] ?? [])
    }
    return status
  }
}
